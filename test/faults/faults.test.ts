import { test } from 'node:test';
import { runFault } from './fault.ts';
import { faults } from './faults.ts';

for (const fault of faults.filter(({ isSlow }) => isSlow !== true)) {
  test(`${fault.id} ${fault.injected}: ${fault.right}`, async () => {
    await runFault(fault);
  });
}
