import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { oneLine } from '../core/boundedText.ts';

/** Milliseconds without a key press before the server is asked for suggestions. */
const debounce = 200;

export interface Question {
  readonly title: string;
  readonly step: number;
  readonly totalSteps: number;
  readonly argument: {
    readonly name: string;
    readonly title?: string;
    readonly description?: string;
    readonly required: boolean;
  };
  /** Suggestions for what was typed so far. */
  readonly suggest: (value: string, signal: AbortSignal) => Promise<readonly string[]>;
}

interface Choice extends vscode.QuickPickItem {
  readonly value: string;
}

/**
 * Asks for one argument: any text can be typed, and the server's suggestions picked. Gives `""` when an
 * optional one is left empty, `undefined` when the person gives up.
 */
export function askArgument(question: Question): Promise<string | undefined> {
  const { argument, suggest, title, step, totalSteps } = question;
  const store = new DisposableStore();
  const picker = store.add(vscode.window.createQuickPick<Choice>());
  const name = argument.title ?? argument.name;
  const about = argument.description === undefined ? '' : `: ${argument.description}`;
  Object.assign(picker, { title, step, totalSteps, ignoreFocusOut: true });
  picker.placeholder = oneLine(`${name}${argument.required ? '' : ' (optional)'}${about}`, 200);
  let suggestions: readonly string[] = [];
  let asking: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (): void => {
    picker.items = choices(picker.value, argument.required, suggestions);
    const [first] = picker.items;
    if (first !== undefined) picker.activeItems = [first];
  };
  const ask = async (): Promise<void> => {
    const { value } = picker;
    const controller = new AbortController();
    asking = controller;
    const found = await suggest(value, controller.signal).catch(() => []);
    if (controller.signal.aborted) return;
    suggestions = found;
    picker.busy = false;
    show();
  };
  const askSoon = (delay: number): void => {
    asking?.abort();
    clearTimeout(timer);
    picker.busy = true;
    timer = setTimeout(() => void ask(), delay);
  };
  store.add({
    dispose: () => {
      asking?.abort();
      clearTimeout(timer);
    },
  });
  return new Promise((resolve) => {
    store.add(
      picker.onDidChangeValue((typed) => {
        // Until the server has answered anew, those that can still be meant.
        const word = typed.toLowerCase();
        suggestions = suggestions.filter((value) => value.toLowerCase().includes(word));
        show();
        askSoon(debounce);
      }),
    );
    store.add(
      picker.onDidAccept(() => {
        const [choice] = picker.activeItems;
        if (choice === undefined) return;
        resolve(choice.value);
        picker.hide();
      }),
    );
    store.add(
      picker.onDidHide(() => {
        resolve(undefined);
        store.dispose();
      }),
    );
    show();
    askSoon(0);
    picker.show();
  });
}

/** What was typed comes first, so that Enter always takes it. */
function choices(typed: string, required: boolean, suggestions: readonly string[]): Choice[] {
  const own: Choice[] = [];
  if (typed !== '') own.push(choice(typed, 'as typed'));
  else if (!required) own.push({ label: 'Leave empty', value: '', alwaysShow: true });
  const others = suggestions.filter((value) => value !== typed);
  return [...own, ...others.map((value) => choice(value, 'suggested'))];
}

function choice(value: string, description: string): Choice {
  // The editor would draw `$(name)` as an icon.
  const label = oneLine(value, 200).replace(/\$\([\w~-]+\)/g, '\\$&');
  return { label, description, value, alwaysShow: true };
}
