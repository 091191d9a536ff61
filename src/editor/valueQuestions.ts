import * as vscode from 'vscode';
import type { Input } from '../core/settings/inputs.ts';
import { definedIn, type ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import { visibleLine } from '../core/visibleLine.ts';

const maxValueLength = 32_768;

/** Asks for the value of an input; `undefined` when the person gives up. */
export function askForInput(
  configuration: ServerConfiguration,
  input: Input,
  signal: AbortSignal,
): Promise<string | undefined> {
  const title = titleFor(configuration);
  const prompt = visibleLine(input.description ?? input.id);
  return cancellable(signal, async (token) => {
    if (input.type === 'promptString') {
      return vscode.window.showInputBox(
        {
          title,
          prompt,
          password: input.password === true,
          ignoreFocusOut: true,
          ...(input.default !== undefined && { value: input.default }),
          validateInput: tooLong,
        },
        token,
      );
    }
    const items = input.options.map(({ label, value }) => ({
      label: visibleLine(label),
      value,
      ...(value === input.default && { description: 'default' }),
    }));
    const first = items.toSorted(
      (left, right) => Number('description' in right) - Number('description' in left),
    );
    const options = { title, placeHolder: prompt, ignoreFocusOut: true };
    return (await vscode.window.showQuickPick(first, options, token))?.value;
  });
}

/** Asks for a secret that is not stored yet. */
export function askForSecret(
  configuration: ServerConfiguration,
  id: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const prompt = `Secret "${visibleLine(id)}": kept in the editor's secret storage, given to ${destination(configuration)}`;
  return cancellable(signal, (token) =>
    vscode.window.showInputBox(
      {
        ...{ title: titleFor(configuration), prompt, password: true, ignoreFocusOut: true },
        validateInput: secretProblem,
      },
      token,
    ),
  );
}

/** Whether a server that the workspace defines may have a secret of the person's. */
export async function askToGive(
  configuration: ServerConfiguration,
  id: string,
  signal: AbortSignal,
): Promise<boolean> {
  const give: vscode.MessageItem = { title: 'Give Secret' };
  const choice = await vscode.window.showWarningMessage(
    `Give your secret "${visibleLine(id)}" to the MCP server "${visibleLine(configuration.key)}"?`,
    {
      modal: true,
      detail: `${definedIn(configuration.origin)}, which others may have written. It gets the secret as part of this launch:\n\n${destination(configuration)}\n\nAny change of the launch asks again.`,
    },
    give,
    { title: 'Do Not Give', isCloseAffordance: true },
  );
  // An answer after the call gave up has no effect.
  return choice === give && !signal.aborted;
}

export function secretProblem(value: string): string | undefined {
  return value === '' ? 'Write the value.' : tooLong(value);
}

function tooLong(value: string): string | undefined {
  return value.length > maxValueLength ? `At most ${maxValueLength} characters.` : undefined;
}

function titleFor({ key }: ServerConfiguration): string {
  return `MCP server "${visibleLine(key)}" needs a value to start`;
}

/** The launch as written, variables not expanded, every character visible. */
function destination({ launch }: ServerConfiguration): string {
  switch (launch.type) {
    case 'stdio': {
      const words = [launch.command, ...launch.args].map((word) => JSON.stringify(word));
      return `the program ${visibleLine(words.join(' '))}`;
    }
    case 'http':
    case 'sse':
      return `the address ${visibleLine(launch.url)}`;
    case 'client':
      return 'a client that its extension connected';
  }
}

async function cancellable(
  signal: AbortSignal,
  ask: (token: vscode.CancellationToken) => Thenable<string | undefined>,
): Promise<string | undefined> {
  const source = new vscode.CancellationTokenSource();
  const cancel = (): void => source.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return signal.aborted ? undefined : await ask(source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}
