import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { BridgeError } from '../../core/failures.ts';
import { namedHost } from '../../core/network/namedHost.ts';
import type { KnownSecrets } from '../../core/redact.ts';
import type { ServerHostPorts, WantedServer } from '../../core/servers/serverHost.ts';
import { ownCredential } from './ownCredential.ts';
import type { AuthorizationOptions, ServerAuthorization } from './serverAuthorization.ts';

interface AccessOptions {
  readonly log: Logger;
  readonly masks: KnownSecrets;
  readonly ports: Pick<ServerHostPorts, 'signIn' | 'mayLaunch' | 'network'>;
  /** Whether there is a session. */
  readonly isRunning: () => boolean;
  /** Starts the server, or starts it anew. */
  readonly start: () => Promise<void>;
  /** The server cannot be reached without the person; ends the session there may be. */
  readonly lose: (failure: BridgeError) => void;
  /** Whether somebody is signed in is known, or has changed. */
  readonly onDidChange: () => void;
}

/** Whether and how one configured server can be signed in to. Loads what does it when it is first needed. */
export class ServerAccess implements Disposable {
  /** `undefined` while it is not known. */
  isSignedIn: boolean | undefined;
  readonly #options: AccessOptions;
  readonly #target: Omit<AuthorizationOptions, 'ports' | 'masks' | 'log'> | undefined;
  readonly #wanted: WantedServer;
  readonly #store = new DisposableStore();
  #loading: Promise<ServerAuthorization> | undefined;

  constructor(wanted: WantedServer, options: AccessOptions) {
    const { id, configuration, resolved } = wanted;
    this.#options = options;
    this.#wanted = wanted;
    const launch = 'launch' in resolved ? resolved.launch : undefined;
    if (launch === undefined || launch.type === 'stdio') return;
    const { auth = {}, url } = launch;
    if (auth === false || ownCredential(launch) !== undefined) return;
    this.#target = {
      ...{ id, server: configuration.key, url, auth },
      ...{ namedHost: namedHost(configuration), network: options.ports.network },
    };
  }

  /** `undefined`: the server is local, or its settings decide how access is had. */
  async authorization(): Promise<ServerAuthorization | undefined> {
    const { log, masks, ports } = this.#options;
    if (this.#target === undefined || ports.signIn === undefined) return undefined;
    this.#loading ??= this.#load({ ...this.#target, log, masks, ports: ports.signIn });
    return this.#loading;
  }

  /**
   * Signs the person in, on their order, and starts the server with the new access. Rejects with a `BridgeError`,
   * which the state of the server then shows too, or when the signal aborts.
   */
  async signIn(signal: AbortSignal): Promise<void> {
    const authorization = await this.#required();
    const { isRunning, lose, start } = this.#options;
    try {
      await authorization.signIn(signal);
    } catch (error: unknown) {
      if (error instanceof BridgeError && !isRunning()) lose(error);
      throw error;
    }
    await start();
  }

  /** Forgets the access to the server; a session that runs with it starts anew. */
  async signOut(): Promise<void> {
    const authorization = await this.#required();
    await authorization.signOut();
    if (this.#options.isRunning()) await this.#options.start();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #required(): Promise<ServerAuthorization> {
    const { key } = this.#wanted.configuration;
    const refusal = await this.#options.ports.mayLaunch(this.#wanted);
    if (refusal !== undefined) throw new BridgeError('notTrusted', refusal);
    const authorization = await this.authorization();
    if (authorization !== undefined) return authorization;
    throw new BridgeError(
      'unauthorized',
      `There is no signing in to the MCP server "${key}": only remote servers have that, unless "auth" is false or "headers" holds a key.`,
    );
  }

  async #load(options: AuthorizationOptions): Promise<ServerAuthorization> {
    const { ServerAuthorization } = await import('./serverAuthorization.ts');
    const authorization = this.#store.add(new ServerAuthorization(options));
    this.#store.add(
      authorization.onDidNeedSignIn((failure) => {
        if (this.#options.isRunning()) this.#options.lose(failure);
      }),
    );
    const note = (): void => {
      this.#note(authorization).catch((error: unknown) => options.log.error(errorMessage(error)));
    };
    this.#store.add(authorization.onDidChangeTokens(note));
    note();
    return authorization;
  }

  async #note(authorization: ServerAuthorization): Promise<void> {
    const isSignedIn = await authorization.isSignedIn();
    if (this.#store.isDisposed || isSignedIn === this.isSignedIn) return;
    this.isSignedIn = isSignedIn;
    this.#options.onDidChange();
  }
}
