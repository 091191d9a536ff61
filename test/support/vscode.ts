// Stands in for the module `vscode`: what the tests in test/editor need of it. See `fakeVscode.ts`.
import { Emitter, type Event } from '../../src/base/event.ts';

export class Disposable {
  readonly dispose: () => void;

  constructor(callOnDispose: () => void) {
    this.dispose = callOnDispose;
  }
}

export class EventEmitter<T> {
  readonly #emitter = new Emitter<T>((error) => {
    throw error;
  });
  readonly event: Event<T> = this.#emitter.event;

  fire(value: T): void {
    this.#emitter.fire(value);
  }

  dispose(): void {
    this.#emitter.dispose();
  }
}

export class CancellationError extends Error {
  override name = 'Canceled';
}

export class CancellationTokenSource {
  readonly #didCancel = new EventEmitter<void>();
  readonly token = {
    isCancellationRequested: false,
    onCancellationRequested: this.#didCancel.event,
  };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#didCancel.fire();
  }

  dispose(): void {
    this.#didCancel.dispose();
  }
}

export const extensions = {
  getExtension: (id: string) => (id === 'pub.ext' ? { id } : undefined),
};

export const workspace = { isTrusted: true };

type Answer = (
  title: string,
  detail: string,
  items: readonly object[],
) => Promise<object | undefined>;

export const window = {
  /** What the person does with a modal question. */
  answer: (async () => undefined) as Answer,
  showWarningMessage(title: string, { detail = '' }: { detail?: string }, ...items: object[]) {
    return this.answer(title, detail, items);
  },
  showInformationMessage: (): Promise<undefined> => Promise.resolve(undefined),
};

/** Keeps the texts as they were appended, without the escapes of the real one. */
export class MarkdownString {
  value = '';

  appendCodeblock(code: string, language = ''): this {
    // As the editor does it: a fence longer than any in the code.
    const longest = Math.max(2, ...(code.match(/^`+/gm) ?? []).map((run) => run.length));
    const fence = '`'.repeat(longest + 1);
    this.value += `\n${fence}${language}\n${code}\n${fence}\n`;
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendText(text: string): this {
    return this.appendMarkdown(text);
  }
}
