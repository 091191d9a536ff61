import { errorMessage } from '../../src/base/errors.ts';
import { failureParts, type ToolCallOutcome } from '../../src/core/tools/toolCall.ts';
import type { TestBridge } from './testBridge.ts';

/** Milliseconds any call of a case may take. */
const patience = 90_000;

/** What came of one call. */
export interface SeenCall {
  readonly outcome: ToolCallOutcome;
  readonly milliseconds: number;
  /** What was logged as a warning while it ran. */
  readonly warnings: readonly string[];
}

/** Calls a tool by its exposed name, as the editor would; a rejected call counts as a failure. */
export async function callTool(
  { caller, log }: TestBridge,
  exposedName: string,
  input: unknown,
): Promise<SeenCall> {
  const before = log.lines.length;
  const startedAt = performance.now();
  let outcome: ToolCallOutcome;
  try {
    outcome = await caller.call(exposedName, input, AbortSignal.timeout(patience));
  } catch (error: unknown) {
    outcome = { kind: 'failure', code: 'protocol', message: errorMessage(error) };
  }
  return {
    outcome,
    milliseconds: performance.now() - startedAt,
    warnings: [
      ...log.lines.slice(before).filter((line) => /^(warn|error): /.test(line)),
      ...warningsOf(outcome),
    ],
  };
}

/** All text of an outcome, as the model reads it. */
export function textOf(outcome: ToolCallOutcome): string {
  const parts = outcome.kind === 'failure' ? failureParts(outcome.message) : outcome.parts;
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

/** Whether the model is told that the call did not work. */
export function isFailed(outcome: ToolCallOutcome): boolean {
  return outcome.kind === 'failure' || outcome.isError;
}

function warningsOf(outcome: object): string[] {
  const list = 'warnings' in outcome ? outcome.warnings : [];
  return Array.isArray(list) ? list.map(String) : [];
}
