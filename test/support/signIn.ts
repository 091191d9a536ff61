import { Emitter } from '../../src/base/event.ts';
import type {
  BrowserRequest,
  Callback,
  SecretStore,
  SignInPorts,
} from '../../src/core/servers/signIn.ts';

/** A secret store as all windows of an editor share it. */
export class MemorySecrets implements SecretStore {
  readonly values = new Map<string, string>();
  readonly #didChange = new Emitter<string>((error) => {
    throw error;
  });
  readonly onDidChange = this.#didChange.event;

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.values.get(key));
  }

  set(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.#didChange.fire(key);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    if (this.values.delete(key)) this.#didChange.fire(key);
    return Promise.resolve();
  }
}

/** What the person does when asked to sign in: agrees and does so, says no, or agrees and never comes back. */
export type Person = 'approve' | 'cancel' | 'ignore';

/** A person with a browser that follows redirects and needs no clicks. */
export class TestSignIn implements SignInPorts {
  readonly secrets: MemorySecrets;
  readonly opened: BrowserRequest[] = [];
  person: Person = 'approve';
  /** What the browser showed at the end, or why it showed nothing. */
  readonly pages: Promise<string>[] = [];

  constructor(secrets = new MemorySecrets()) {
    this.secrets = secrets;
  }

  openBrowser(request: BrowserRequest): Promise<boolean> {
    this.opened.push(request);
    if (this.person === 'approve') {
      this.pages.push(
        fetch(request.url).then(
          (response) => response.text(),
          (error: unknown) => String(error),
        ),
      );
    }
    return Promise.resolve(this.person !== 'cancel');
  }

  remoteCallback(): Promise<Callback | undefined> {
    return Promise.resolve(undefined);
  }
}
