// `npm run soak -- [--minutes N] [--servers N]`: 50 servers under use and disturbance for 30 minutes, then what that left behind.
import process from 'node:process';
import { parseArgs } from 'node:util';
import { runSoak } from './runSoak.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    servers: { type: 'string', default: '50' },
  },
});
process.exitCode = await runSoak(Number(values.minutes), Number(values.servers));
