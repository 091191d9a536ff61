import * as vscode from 'vscode';
import { isAbort } from '../base/errors.ts';

/** Runs a task with a signal that aborts when the token is cancelled; an abort ends as `CancellationError`. */
export async function withCancellation<T>(
  token: vscode.CancellationToken,
  task: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const subscription = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    controller.signal.throwIfAborted();
    return await task(controller.signal);
  } catch (error: unknown) {
    if (controller.signal.aborted && isAbort(error)) throw new vscode.CancellationError();
    throw error;
  } finally {
    subscription.dispose();
  }
}
