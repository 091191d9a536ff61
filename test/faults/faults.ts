import { callFaults } from './callFaults.ts';
import type { Fault } from './fault.ts';
import { httpFaults } from './httpFaults.ts';
import { networkFaults } from './networkFaults.ts';
import { outputFaults } from './outputFaults.ts';
import { processFaults } from './processFaults.ts';

/** All faults there are, by id. */
export const faults: readonly Fault[] = [
  ...processFaults,
  ...outputFaults,
  ...httpFaults,
  ...networkFaults,
  ...callFaults,
].toSorted((left, right) => (left.id < right.id ? -1 : 1));
