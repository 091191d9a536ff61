import * as vscode from 'vscode';
import { abortOf } from '../base/async.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type {
  BrowserRequest,
  Callback,
  EditorTokenRequest,
  SecretStore,
  SignInPorts,
} from '../core/servers/signIn.ts';
import { editorTokenQuestion, signInQuestion } from '../core/servers/signInQuestion.ts';

const signInButton: vscode.MessageItem = { title: 'Sign In' };
const useButton: vscode.MessageItem = { title: 'Use Account' };

/** Signing in with the editor's means: its secret storage, a question before the browser opens, its own addresses. */
export class EditorSignIn implements SignInPorts, Disposable {
  readonly secrets: SecretStore;
  readonly #context: vscode.ExtensionContext;
  readonly #store = new DisposableStore();
  /** What came back to the editor's own address; there is one handler for an extension. */
  #returns: Event<URLSearchParams> | undefined;
  readonly #onError: (error: unknown) => void;

  constructor(context: vscode.ExtensionContext, onError: (error: unknown) => void) {
    this.#context = context;
    this.#onError = onError;
    const { secrets } = context;
    const didChange = this.#store.add(new Emitter<string>(onError));
    this.#store.add(secrets.onDidChange(({ key }) => didChange.fire(key)));
    this.secrets = {
      get: async (key) => secrets.get(key),
      set: async (key, value) => secrets.store(key, value),
      delete: async (key) => secrets.delete(key),
      onDidChange: didChange.event,
    };
  }

  async openBrowser(request: BrowserRequest): Promise<boolean> {
    const { title, detail } = signInQuestion(request);
    const options = { modal: true, detail };
    const choice = await vscode.window.showWarningMessage(title, options, signInButton);
    if (choice !== signInButton) return false;
    // As text: a `Uri` would write the query in another way than the authorization server expects. The editor takes both.
    return vscode.env.openExternal(request.url as unknown as vscode.Uri);
  }

  /** The editor shows its own sign-in to the account where that is needed. */
  async editorToken(request: EditorTokenRequest): Promise<string | undefined> {
    const { title, detail } = editorTokenQuestion(request);
    const options = { modal: true, detail };
    if ((await vscode.window.showWarningMessage(title, options, useButton)) !== useButton) {
      return undefined;
    }
    const { account, refused } = request;
    const scopes = [...request.scopes, ...account.scopes];
    const { getSession } = vscode.authentication;
    const session = await getSession(account.provider, scopes, { createIfNone: true });
    if (session.accessToken !== refused) return session.accessToken;
    const fresh = await getSession(account.provider, scopes, { forceNewSession: true });
    return fresh.accessToken;
  }

  /** The browser of a remote window runs on another machine than we do: it comes back to the editor itself. */
  async remoteCallback(): Promise<Callback | undefined> {
    if (vscode.env.remoteName === undefined) return undefined;
    const own = `${vscode.env.uriScheme}://${this.#context.extension.id}/callback`;
    const address = await vscode.env.asExternalUri(vscode.Uri.parse(own));
    const store = new DisposableStore();
    const returns = (this.#returns ??= this.#handleUris());
    return {
      // Some web hosts write the query into the path, where it becomes encoded.
      url: address.toString(true).replace('%3F', '?'),
      answer: (state, signal) => {
        const answered = new Promise<URLSearchParams>((resolve) => {
          store.add(
            returns((query) => {
              if (query.get('state') === state) resolve(query);
            }),
          );
        });
        return Promise.race([answered, abortOf(signal)]);
      },
      dispose: () => store.dispose(),
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  #handleUris(): Event<URLSearchParams> {
    const returned = this.#store.add(new Emitter<URLSearchParams>(this.#onError));
    this.#store.add(
      vscode.window.registerUriHandler({
        handleUri: ({ path, query }) => {
          if (path === '/callback') returned.fire(new URLSearchParams(query));
        },
      }),
    );
    return returned.event;
  }
}
