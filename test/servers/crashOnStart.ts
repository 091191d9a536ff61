// Says why on stderr, and ends.
import process from 'node:process';

process.stderr.write('reading configuration\ncannot start: API_KEY is not set');
process.exitCode = 3;
