import * as vscode from 'vscode';
import { withTimeout } from '../base/async.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';

/** Milliseconds a command of the editor may take, and after it until its effect must be seen. */
const commandTimeout = 30_000;
const effectTimeout = 15_000;

/** Installs a VSIX file in this profile. Resolves when `isThere` holds; rejects when the editor refuses. */
export async function installExtension(vsix: vscode.Uri, isThere: () => boolean): Promise<void> {
  await runAndNotice('workbench.extensions.installExtension', vsix, isThere);
}

/** Removes an extension from this profile. Resolves when it is gone. */
export async function uninstallExtension(id: string): Promise<void> {
  await runAndNotice(
    'workbench.extensions.uninstallExtension',
    id,
    () => vscode.extensions.getExtension(id) === undefined,
  );
}

async function runAndNotice(
  command: string,
  argument: unknown,
  condition: () => boolean,
): Promise<void> {
  const effect = notice(condition);
  try {
    const running = Promise.resolve(vscode.commands.executeCommand(command, argument));
    await withTimeout(running, commandTimeout);
    await withTimeout(effect.noticed, effectTimeout).catch((error: unknown) => {
      throw new Error('what is installed or removed has no effect', { cause: error });
    });
  } finally {
    effect.dispose();
  }
}

/** Watches the editor's list of extensions; `noticed` resolves once the condition was true. */
function notice(condition: () => boolean): Disposable & { readonly noticed: Promise<void> } {
  const store = new DisposableStore();
  const noticed = new Promise<void>((resolve) => {
    const check = (): void => {
      if (condition()) resolve();
    };
    store.add(vscode.extensions.onDidChange(check));
    check();
  });
  return { noticed, dispose: () => store.dispose() };
}
