import * as vscode from 'vscode';
import { commandIds } from './contributionIds.ts';
import type { GivenValues } from './givenValues.ts';
import { secretProblem } from './valueQuestions.ts';

/** Commands that manage the secrets of `${secret:…}`. Names are shown, values never. `reload` takes over what changed. */
export function secretHandlers(
  values: GivenValues,
  reload: () => Promise<void>,
): Readonly<Record<string, (argument: unknown) => Promise<void>>> {
  const set = async (name: unknown): Promise<void> => {
    const id = typeof name === 'string' ? name : await askSecretName();
    if (id === undefined) return;
    const value = await vscode.window.showInputBox({
      title: 'MCP Bridge: Set Secret',
      prompt: `Value of the secret "${id}". In settings write \${secret:${id}}.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: secretProblem,
    });
    if (value === undefined) return;
    await values.set(id, value);
    await reload();
  };
  const remove = async (name: unknown): Promise<void> => {
    const id = typeof name === 'string' ? name : await pickSecret(values, 'Delete which secret?');
    if (id === undefined) return;
    await values.delete(id);
    await reload();
  };
  return {
    [commandIds.setSecret]: set,
    [commandIds.deleteSecret]: remove,
    [commandIds.manageSecrets]: async () => {
      const id = await pickSecret(
        values,
        'Secrets kept for MCP servers; their values are not shown',
      );
      if (id === undefined) return;
      const actions = [
        { label: 'Change Value…', run: set },
        { label: 'Delete', run: remove },
      ];
      const action = await vscode.window.showQuickPick(actions, { placeHolder: id });
      await action?.run(id);
    },
    [commandIds.forgetInputs]: async () => {
      await values.forgetInputs();
      await reload();
    },
  };
}

/** A name for a secret; `undefined` when the person gives up. */
export function askSecretName(proposal = ''): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: 'MCP Bridge: Set Secret',
    prompt: 'Name of the secret. Settings refer to it as ${secret:name}.',
    value: proposal,
    validateInput: (value) =>
      /^[A-Za-z0-9][\w.-]{0,99}$/.test(value) ? undefined : 'Letters, digits, "_", "-" and ".".',
  });
}

async function pickSecret(values: GivenValues, placeHolder: string): Promise<string | undefined> {
  const names = await values.names();
  if (names.length > 0) return vscode.window.showQuickPick(names, { placeHolder });
  void vscode.window.showInformationMessage('MCP Bridge keeps no secrets.');
  return undefined;
}
