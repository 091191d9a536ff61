// `npm test`: everything there is to check, in one run. Ends with a line `N passed, N failed`.
import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import process from 'node:process';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { findChromium } from './host/browser.ts';
import { inRepository } from './host/repository.ts';
import { packageExtension } from './host/vsix.ts';

interface Count {
  passed: number;
  failed: number;
}

const bin = (name: string): string => inRepository('node_modules', '.bin', name);

/** Checks that are one program each; a program that fails is one failure. */
const programs: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['types', bin('tsc'), '-p', '.'],
  ['lint', bin('oxlint'), '--deny-warnings', 'src', 'test', 'esbuild.mjs'],
  ['format', bin('prettier'), '--check', '--log-level', 'warn', '.'],
  ['unused code', bin('knip')],
];

async function runProgram([name, command, ...args]: (typeof programs)[number]): Promise<boolean> {
  const startedAt = Date.now();
  const code = await new Promise<number | null>((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: inRepository(),
      stdio: ['ignore', 'inherit', 'inherit'],
      timeout: 300_000,
    });
    child.once('error', reject);
    child.once('exit', resolve);
  });
  console.log(`${code === 0 ? '✔' : '✖'} ${name} (${Date.now() - startedAt} ms)`);
  return code === 0;
}

/** Files of tests below test/: those that need an editor, or the others. */
async function testFiles({ inEditor }: { inEditor: boolean }): Promise<string[]> {
  const entries = await readdir(inRepository('test'), { recursive: true });
  return entries
    .filter((entry) => entry.endsWith('.test.ts') && entry.startsWith(`host${sep}`) === inEditor)
    .map((entry) => inRepository('test', entry))
    .toSorted();
}

async function runTests(files: string[], concurrency: number, timeout: number): Promise<Count> {
  if (files.length === 0) throw new Error('There are no test files: nothing would be checked.');
  const count: Count = { passed: 0, failed: 0 };
  const stream = run({ files, concurrency, timeout });
  stream.on('test:pass', ({ details, skip }) => {
    if (details.type !== 'suite' && skip === undefined) count.passed += 1;
  });
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') count.failed += 1;
  });
  for await (const text of stream.compose(spec())) process.stdout.write(String(text));
  return count;
}

const only = process.argv.slice(2);
const wants = (part: string): boolean => only.length === 0 || only.includes(part);
const total: Count = { passed: 0, failed: 0 };
const add = ({ passed, failed }: Count): void => {
  total.passed += passed;
  total.failed += failed;
};

if (wants('static')) {
  for (const program of programs) {
    add((await runProgram(program)) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  }
}
// Built once; tests that run side by side must not build into the same folder.
if (wants('unit') || wants('editor')) {
  process.env['MCP_BRIDGE_VSIX'] = await packageExtension();
  // Found or installed once, before tests with a time limit need it.
  process.env['MCP_BRIDGE_CHROMIUM'] = await findChromium();
}
// The same sources are compiled by many processes.
process.env['NODE_COMPILE_CACHE'] ??= inRepository('node_modules', '.cache', 'compile');
if (wants('unit')) {
  add(await runTests(await testFiles({ inEditor: false }), 2, 120_000));
}
if (wants('editor')) {
  // One editor at a time: they share two cores, and a screenshot should show what a person would see.
  const files = await testFiles({ inEditor: true });
  console.log(
    `Tests in a real editor: ${files.map((f) => relative(inRepository(), f)).join(', ')}`,
  );
  add(await runTests(files, 1, 600_000));
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
