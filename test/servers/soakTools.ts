// What every server of the soak can do, whatever it is made with. Each execution is written to a file by the id of its call.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { textResult } from './jsonRpc.ts';

/** Environment variable with the path of the file of executions. */
export const executionsVariable = 'SOAK_EXECUTIONS';

/** Characters of a large result. */
export const largeLength = 512 * 1024;

interface Execution {
  /** Aborts when the client cancels the call. */
  readonly signal: AbortSignal;
  readonly progress: (step: number) => Promise<void>;
  /** Changes the tools of the server, and tells. */
  readonly changeTools: () => void;
}

/** Each answers with the id of its call, so that nobody can take it for another. */
const soakTools = {
  echo: (id) => textResult(`echo ${id}`),
  large: (id) => textResult(`large ${id} ${'x'.repeat(largeLength)}`),
  fail: (id) => ({ ...textResult(`fail ${id}`), isError: true }),
  progress: async (id, { signal, progress }) => {
    for (let step = 1; step <= 5 && !signal.aborted; step++) {
      await pause(100);
      await progress(step);
    }
    return textResult(`progress ${id}`);
  },
  /** Ends only by being cancelled, as a timeout does too. */
  hang: async (id, { signal }) => {
    await pause(60_000, undefined, { signal }).catch(() => undefined);
    return textResult(`hang ${id}`);
  },
  change: (id, { changeTools }) => {
    changeTools();
    return textResult(`change ${id}`);
  },
} satisfies Record<string, (id: number, execution: Execution) => unknown>;

export type SoakTool = keyof typeof soakTools;

export const soakToolNames = Object.keys(soakTools) as SoakTool[];

/** Carries out a call and notes that it was. */
export async function execute(tool: SoakTool, id: number, execution: Execution): Promise<never> {
  appendFileSync(process.env[executionsVariable] ?? '/dev/null', `${id}\n`);
  // Both generations of the SDK take it; their types differ.
  return (await soakTools[tool](id, execution)) as never;
}
