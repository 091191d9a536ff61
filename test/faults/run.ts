// `npm run faults -- [ID…]`: injects faults into real servers and prints what became of them, in Markdown. Ends with a line `N passed, N failed`.
import process from 'node:process';
import { errorMessage } from '../../src/base/errors.ts';
import { runFault } from './fault.ts';
import { faults, notInjected } from './faults.ts';

const wanted = new Set(process.argv.slice(2));
const chosen = faults.filter(({ id }) => wanted.size === 0 || wanted.has(id));
const unknown = [...wanted].filter((id) => !faults.some((fault) => fault.id === id));
if (unknown.length > 0) {
  console.error(`There is no fault ${unknown.join(', ')}.`);
  process.exit(1);
}

/** What must never happen whatever is injected: Node's own complaints, and errors nobody caught. */
const complaints: string[] = [];
process.on('warning', ({ name, message }) => complaints.push(`${name}: ${message}`));
process.on('unhandledRejection', (error) => complaints.push(`unhandled: ${errorMessage(error)}`));
process.on('uncaughtException', (error) => complaints.push(`uncaught: ${errorMessage(error)}`));

const count = { passed: 0, failed: 0 };
const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
const row = (cells: readonly string[]): void => console.log(`| ${cells.map(cell).join(' | ')} |`);

row(['Fault', 'Injected', 'Right behaviour', 'Seen', 'ms']);
row(['---', '---', '---', '---', '---:']);
for (const fault of chosen) {
  const { id, injected, right } = fault;
  try {
    const milliseconds = await runFault(fault);
    count.passed += 1;
    row([id, injected, right, 'yes', milliseconds.toFixed(0)]);
  } catch (error: unknown) {
    count.failed += 1;
    row([id, injected, right, `NO: ${errorMessage(error).slice(0, 400)}`, '']);
  }
}
if (wanted.size === 0) {
  for (let number = 1; number <= 54; number++) {
    const id = `R${String(number).padStart(2, '0')}`;
    const isCovered =
      faults.some((fault) => fault.id.startsWith(id)) || id === 'R44' || id === 'R45';
    if (!isCovered)
      row([id, `not injected: ${notInjected.get(id) ?? 'no fault of this suite'}`, '', '', '']);
  }
}
const isQuiet = complaints.length === 0;
count[isQuiet ? 'passed' : 'failed'] += 1;
const right = 'no warning of Node (R44), no error that nobody caught (R45)';
row([
  'R44, R45',
  'all of these',
  right,
  isQuiet ? 'yes' : `NO: ${complaints.join('; ').slice(0, 400)}`,
  '',
]);
console.log(`\n${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;
