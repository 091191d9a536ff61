import * as vscode from 'vscode';
import { progressText } from '../core/tools/progressText.ts';
import type { CallProgress } from '../core/tools/toolCall.ts';

/** Milliseconds: calls that take no longer are not worth a word. */
const patience = 2000;

/**
 * Runs a call and shows in the status bar that it runs and what its server says of it, once it takes long. The
 * chat has no place for that on stable API.
 */
export async function showingProgress<T>(
  title: string,
  call: (onProgress: (progress: CallProgress) => void) => Promise<T>,
): Promise<T> {
  let last = '';
  let report = (message: string): void => {
    last = message;
  };
  const ended = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    const options = { location: vscode.ProgressLocation.Window, title };
    void vscode.window.withProgress(options, (progress) => {
      report = (message) => progress.report({ message });
      if (last !== '') report(last);
      return ended.promise;
    });
  }, patience);
  try {
    return await call((progress) => {
      const text = progressText(progress);
      if (text !== '') report(text);
    });
  } finally {
    clearTimeout(timer);
    ended.resolve();
  }
}
