import type { Event } from '../../base/event.ts';
import type { EditorAccount } from './editorAccounts.ts';

/** Port: keeps texts that nobody else may read, across sessions and windows. */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Gives the key of what was changed, also by another window. */
  readonly onDidChange: Event<string>;
}

/** An authorization server's page that the person is to see. */
export interface BrowserRequest {
  /** The settings key of the server that wants it. */
  readonly server: string;
  /** `https:`, or `http:` to this machine. */
  readonly url: string;
  /** What access is asked for; empty when the server does not say. */
  readonly scopes: readonly string[];
  /** The person has not asked for it: a tool call needs more than was granted so far. */
  readonly isForCall: boolean;
}

/** A token of one of the editor's accounts that a server is to get. */
export interface EditorTokenRequest {
  /** The settings key of the server, and the host that gets the token. */
  readonly server: string;
  readonly host: string;
  readonly account: EditorAccount;
  readonly scopes: readonly string[];
  readonly isForCall: boolean;
  /** A token that the server does not accept any more. */
  readonly refused: string | undefined;
}

/** Where the browser comes back to with the answer (OAuth 2.1, "redirect_uri"). Dispose it in any case. */
export interface Callback {
  readonly url: string;
  /**
   * Resolves with the query of the request that came back. Where several sign-ins share an address, `state` says
   * which is meant; otherwise it is the first one, whatever it holds. Rejects when the signal aborts.
   */
  answer(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  dispose(): void;
}

/** Port: what signing in to a remote server needs of the editor. */
export interface SignInPorts {
  readonly secrets: SecretStore;
  /** Tells the person the host and opens the browser there if they agree; `false` if not. */
  openBrowser(request: BrowserRequest): Promise<boolean>;
  /** Asks the person, and gives a token of the editor's account if they agree. Missing: the editor has no accounts. */
  editorToken?(request: EditorTokenRequest): Promise<string | undefined>;
  /** A way back from a browser on another machine; `undefined`: the browser runs here. */
  remoteCallback(): Promise<Callback | undefined>;
}
