import { callFaults } from './callFaults.ts';
import type { Fault } from './fault.ts';
import { httpFaults } from './httpFaults.ts';
import { messageFaults } from './messageFaults.ts';
import { networkFaults } from './networkFaults.ts';
import { outputFaults } from './outputFaults.ts';
import { remoteFaults } from './remoteFaults.ts';
import { processFaults } from './processFaults.ts';
import { stateFaults } from './stateFaults.ts';

/** All faults there are, by id. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...outputFaults,
  ...httpFaults,
  ...networkFaults,
  ...callFaults,
  ...messageFaults,
  ...remoteFaults,
  ...stateFaults,
].toSorted((left, right) => (left.id < right.id ? -1 : 1));

/** Why rows of the reliability table are not injected here. */
export const notInjected: ReadonlyMap<string, string> = new Map([
  ['R20', 'needs an authorization server: test/mcp/auth'],
  [
    'R40',
    'does not apply: the bridge writes no log file, its log is an output channel of the editor',
  ],
  ['R41', 'does not apply, as R40'],
  ['R43', 'takes half an hour: `npm run soak`'],
]);
