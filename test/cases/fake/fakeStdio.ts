// A scripted MCP server on stdio. Arguments: file of the script (JSON), journal file, folder for {{TMP}}. More arguments are ignored.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { JsonValue } from '../../../src/base/json.ts';
import { expand } from '../fixture.ts';
import { parseScript } from './script.ts';
import { ScriptedServer } from './scriptedServer.ts';

const [scriptFile, journal, folder] = process.argv.slice(2);
if (scriptFile === undefined || journal === undefined || folder === undefined) {
  throw new Error('usage: fakeStdio.ts <script> <journal> <folder>');
}
const script = expand(JSON.parse(readFileSync(scriptFile, 'utf8')) as JsonValue);
const server = new ScriptedServer(parseScript(script), { journal, folder });
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => void server.signal(signal));
}
// An ignored end of input must not end the process.
setInterval(() => undefined, 2 ** 30);
server.start();
process.stdin.setEncoding('utf8');
// Not `readline`: it takes more than a newline for the end of a line.
let rest = '';
process.stdin.on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) if (line.trim() !== '') void server.receive(line);
});
process.stdin.on('end', () => void server.endOfInput());
