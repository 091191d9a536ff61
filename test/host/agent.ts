import { setTimeout as delay } from 'node:timers/promises';
import { pressCardButton, readChat } from './chatView.ts';
import type { EditorWindow } from './editorWindow.ts';
import type { Answer, ModelRequest } from './scriptedModel.ts';
import { transcriptOf } from './transcript.ts';

/**
 * A button of the editor's confirmation card: `allow` is its main button, "Allow in this Session", which the editor remembers for that tool as
 * long as the window lives; `once` is "Allow Once" from the menu beside it.
 */
export type CardButton = 'allow' | 'once' | 'skip';

/** How to answer confirmation cards; `none` leaves them open. */
type Approve = CardButton | 'none';

export interface AskOptions {
  /** What the model answers, one entry per request of this turn. */
  readonly answers?: readonly Answer[];
  /** Default `allow`. */
  readonly approve?: Approve;
  readonly timeoutMs?: number;
}

export interface Turn {
  /** The agent's requests of this turn (no side requests), oldest first. */
  readonly requests: readonly ModelRequest[];
  /** The conversation of the turn: prompt, tool calls with arguments, tool results, answers. */
  readonly transcript: string;
  /** What the chat view showed at the end. */
  readonly shown: string;
  /** The texts of the confirmation cards that were answered. */
  readonly approvals: readonly string[];
}

/** Not the plain "new chat": that one stays with the kind of session used last. */
const newLocalChat = 'workbench.action.chat.openNewChatSessionInPlace.local';
const turnTimeoutMs = 60_000;
const activationTimeoutMs = 45_000;
const pollMs = 100;

/** Drives the editor's own agent (Copilot's agent mode) of one window, with the scripted model answering. */
export class Agent {
  readonly #window: EditorWindow;
  #prompt = '';
  #before = 0;
  #started = false;
  #approvals: string[] = [];

  private constructor(window: EditorWindow) {
    this.#window = window;
  }

  /** Enables Copilot in the window when it is not yet, and opens the chat in agent mode. After a reload of the window open it again. */
  static async open(window: EditorWindow): Promise<Agent> {
    const enabled = await window.evaluate(
      (vscode) => vscode.extensions.getExtension('GitHub.copilot-chat') !== undefined,
    );
    if (!enabled) {
      // Its modal dialog is of no interest, but opening it is what enables the built-in extension.
      await window.run('workbench.action.chat.manage');
      await window.page.keyboard.press('Escape');
    }
    await window.waitFor(
      { what: 'the Copilot extension to be active', timeoutMs: activationTimeoutMs },
      (vscode) => vscode.extensions.getExtension('GitHub.copilot-chat')?.isActive,
    );
    await window.run('workbench.action.chat.open', {
      mode: 'agent',
      query: '',
      isPartialQuery: true,
    });
    return new Agent(window);
  }

  /** Starts an empty chat session. What was allowed "in this session" stays allowed: the editor means the session of the window. */
  async newChat(): Promise<void> {
    await this.#window.run(newLocalChat, 'sidebar');
  }

  /** Makes the editor forget every approval given on its cards. */
  async forgetApprovals(): Promise<void> {
    await this.#window.run('workbench.action.chat.resetTrustedTools');
  }

  /** Sends a message and waits until the turn ended; confirmation cards are answered on the way. */
  async ask(prompt: string, options: AskOptions = {}): Promise<Turn> {
    await this.begin(prompt, options.answers);
    return this.finish(options);
  }

  /** Sends a message and returns at once: for tests that look at the chat while the turn runs. */
  async begin(prompt: string, answers: readonly Answer[] = []): Promise<void> {
    this.#prompt = prompt;
    this.#approvals = [];
    this.#started = false;
    this.#before = (await this.#requests()).length;
    await this.#window.model.queue(...answers);
    await this.#window.run('workbench.action.chat.open', { mode: 'agent', query: prompt });
  }

  /** Waits until the turn `begin` started ended, answering confirmation cards. With `approve: 'none'` an open card ends the wait too. */
  async finish(options: Omit<AskOptions, 'answers'> = {}): Promise<Turn> {
    const { approve = 'allow', timeoutMs = turnTimeoutMs } = options;
    const deadline = Date.now() + timeoutMs;
    let quiet = 0;
    while (Date.now() < deadline) {
      const { busy, card } = await readChat(this.#window.page);
      this.#started ||= busy || (await this.#requests()).length > this.#before;
      if (card !== '') {
        if (approve === 'none') return this.#turn();
        await this.press(approve);
      } else if (this.#started) {
        quiet = busy ? 0 : quiet + 1;
        // Twice in a row: between two requests of a turn the view may look finished for an instant.
        if (quiet > 1) return this.#turn();
      }
      await delay(pollMs);
    }
    throw await this.#failure(
      `The agent's turn "${this.#prompt}" did not end within ${timeoutMs / 1000} s.`,
    );
  }

  /**
   * Waits for a confirmation card that matches and resolves with its text: title, message, arguments and button labels.
   * Parts of a card can appear after others.
   */
  async approvalText(matching = /./, timeoutMs = turnTimeoutMs): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    let last = '';
    while (Date.now() < deadline) {
      last = (await readChat(this.#window.page)).card;
      if (matching.test(last)) return last;
      await delay(pollMs);
    }
    const seen = last === '' ? 'None appeared.' : `Last seen: ${last}`;
    throw await this.#failure(
      `No confirmation card that matches ${String(matching)} within ${timeoutMs / 1000} s. ${seen}`,
    );
  }

  /** Presses a button of the open confirmation card. */
  async press(button: CardButton): Promise<void> {
    const { card } = await readChat(this.#window.page);
    if (card === '') throw await this.#failure('There is no confirmation card to answer.');
    this.#approvals.push(card);
    const { page } = this.#window;
    if (button === 'skip') await pressCardButton(page, 'Skip');
    else await pressCardButton(page, 'Allow', button === 'once' ? 'Allow Once' : undefined);
  }

  /** Presses the stop button of the chat. */
  async cancel(): Promise<void> {
    await this.#window.run('workbench.action.chat.cancel');
  }

  async #requests(): Promise<ModelRequest[]> {
    return (await this.#window.model.requests()).filter(({ side }) => !side);
  }

  async #turn(): Promise<Turn> {
    const requests = (await this.#requests()).slice(this.#before);
    const { shown } = await readChat(this.#window.page);
    return {
      requests,
      shown,
      transcript: transcriptOf(this.#prompt, requests),
      approvals: this.#approvals,
    };
  }

  async #failure(what: string): Promise<Error> {
    const picture = await this.#window.screenshot(`agent-failure-${Date.now()}`);
    const { shown, card } = await readChat(this.#window.page);
    return new Error(`${what} Picture: ${picture}\nThe chat shows:\n${shown}\n${card}`);
  }
}
