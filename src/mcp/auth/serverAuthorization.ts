import {
  computeScopeUnion,
  extractWWWAuthenticateParams,
  isStrictScopeSuperset,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { abortOf } from '../../base/async.ts';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage } from '../../base/errors.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Logger } from '../../base/log.ts';
import type { BridgeError } from '../../core/failures.ts';
import type { KnownSecrets } from '../../core/redact.ts';
import type { NetworkPorts } from '../../core/network/networkPorts.ts';
import type { SignInPorts } from '../../core/servers/signIn.ts';
import type { AuthSettings } from '../../core/settings/serverConfiguration.ts';
import type { RunningCalls } from '../callClock.ts';
import { Egress } from '../egress/egress.ts';
import { authFetch } from './authFetch.ts';
import { CredentialStore, credentialKey } from './credentialStore.ts';
import { isOfEditor } from './editorAccount.ts';
import { revokeTokens } from './revokeTokens.ts';
import { addressRefused, signInFailed, signInNeeded } from './signInFailure.ts';
import { signIn } from './signInFlow.ts';
import { TokenKeeper } from './tokenKeeper.ts';

/** Milliseconds that a sign-in may take, the person's part included. */
const signInPatience = 5 * 60_000;
/** Most sign-ins that calls may ask for, until the person signs in on their own account. */
const maxStepUps = 2;

export interface AuthorizationOptions {
  /** Id and settings key of the server. */
  readonly id: string;
  readonly server: string;
  readonly url: string;
  readonly auth: AuthSettings;
  /** See the function of that name. */
  readonly namedHost?: string | undefined;
  readonly network?: NetworkPorts | undefined;
  readonly ports: SignInPorts;
  readonly masks: KnownSecrets;
  readonly log: Logger;
}

type Challenge = ReturnType<typeof extractWWWAuthenticateParams>;

/** Access of this window to one remote server: sends its tokens, renews them, and signs the person in and out. */
export class ServerAuthorization implements Disposable {
  /** A session cannot go on without the person. */
  readonly onDidNeedSignIn: Event<BridgeError>;
  /** The tokens were changed, perhaps by another window. */
  readonly onDidChangeTokens: Event<void>;
  readonly #options: AuthorizationOptions;
  readonly #store: CredentialStore;
  readonly #rules: Egress;
  readonly #didNeedSignIn: Emitter<BridgeError>;
  readonly #keeper: TokenKeeper;
  readonly #lifetime = new AbortController();
  #signingIn: Promise<void> | undefined;
  /** What the server said last about the access it wants. */
  #challenge: Challenge = {};
  /** Every scope that was asked for; asking again for the same would not help. */
  #asked: string | undefined;
  #stepUps = 0;

  constructor(options: AuthorizationOptions) {
    this.#options = options;
    const { id, url, ports, log } = options;
    this.#store = new CredentialStore(ports.secrets, credentialKey(id, url));
    const { namedHost, network } = options;
    this.#rules = new Egress({
      ...{ role: 'document', url, namedHost, network },
      failure: addressRefused,
    });
    this.#didNeedSignIn = new Emitter((error) => log.error(errorMessage(error)));
    this.onDidNeedSignIn = this.#didNeedSignIn.event;
    this.onDidChangeTokens = this.#store.onDidChange;
    this.#keeper = new TokenKeeper({
      ...options,
      store: this.#store,
      rules: this.#rules,
      lifetime: this.#lifetime.signal,
      needSignIn: (why) => this.#needSignIn(why),
    });
  }

  async isSignedIn(): Promise<boolean> {
    return (await this.#keeper.tokens()) !== undefined;
  }

  /**
   * A `fetch` that sends the access token along. What the server refuses with 401 is sent once more with a new
   * token; with 403 for want of scope, after the person agreed to sign in for it, which only happens during a
   * call. Both mean that the server has not looked at the request.
   */
  wrap(connect: FetchLike, calls: RunningCalls): FetchLike {
    return async (input, init = {}) => {
      const signal = init.signal ?? this.#lifetime.signal;
      const send = (token: string | undefined): Promise<Response> => {
        const headers = new Headers(init.headers);
        if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
        return connect(input, { ...init, headers });
      };
      let token = await race(this.#keeper.current(), signal);
      let response = await send(token);
      if (response.status === 401) {
        const challenge = this.#read(response);
        token = await race(this.#keeper.replace(token, challenge.resourceMetadataUrl), signal);
        response = await send(token);
        if (response.status === 401) {
          this.#read(response);
          throw this.#needSignIn('It did not accept the new access token.');
        }
      }
      if (response.status !== 403) return response;
      const scope = missingScope(response);
      if (scope === undefined) return response;
      const challenge = this.#read(response);
      token = await race(this.#stepUp(challenge, calls), signal);
      response = await send(token);
      if (response.status !== 403 || missingScope(response) === undefined) return response;
      this.#read(response);
      throw this.#scopeRefused(scope);
    };
  }

  /** Signs the person in, on their order. Rejects with a `BridgeError`, or when the signal aborts. */
  async signIn(signal: AbortSignal): Promise<void> {
    this.#stepUps = 0;
    const tokens = await this.#keeper.tokens();
    await race(this.#signIn(this.#challenge, tokens?.scope, { isForCall: false, signal }), signal);
  }

  /** Forgets tokens and registrations; tells the authorization server where it wants to know. */
  async signOut(): Promise<void> {
    const { tokens } = await this.#store.readAgain();
    await this.#store.clear();
    this.#asked = undefined;
    // Those of the editor's accounts are the editor's to end.
    if (tokens === undefined || isOfEditor(tokens.client)) return;
    const bound = AbortSignal.any([this.#lifetime.signal, AbortSignal.timeout(5000)]);
    try {
      await revokeTokens(tokens, authFetch(this.#rules, bound));
    } catch (error: unknown) {
      this.#options.log.debug(`revoking the tokens failed: ${errorMessage(error)}`);
    }
  }

  dispose(): void {
    this.#lifetime.abort();
    this.#didNeedSignIn.dispose();
  }

  async #stepUp(challenge: Challenge, calls: RunningCalls): Promise<string> {
    const tokens = await this.#keeper.tokens();
    const known = computeScopeUnion(tokens?.scope, this.#asked);
    const wanted = challenge.scope ?? '';
    if (this.#stepUps >= maxStepUps || !isStrictScopeSuperset(wanted, known)) {
      throw this.#scopeRefused(wanted);
    }
    if (calls.isEmpty) {
      const { server } = this.#options;
      throw signInNeeded(server, `It wants access to more: ${wanted.slice(0, 300)}.`);
    }
    this.#stepUps += 1;
    const { signal } = this.#lifetime;
    await calls.whilePaused(() => this.#signIn(challenge, known, { isForCall: true, signal }));
    return (await this.#keeper.tokens())?.access_token ?? '';
  }

  /** One at a time; `granted`: the scopes there are, which are asked for again. */
  #signIn(
    challenge: Challenge,
    granted: string | undefined,
    { isForCall, signal }: { readonly isForCall: boolean; readonly signal: AbortSignal },
  ): Promise<void> {
    const { auth } = this.#options;
    const scope = computeScopeUnion(granted, challenge.scope, auth.scopes?.join(' '));
    this.#asked = computeScopeUnion(this.#asked, scope);
    const bounds = [signal, this.#lifetime.signal, AbortSignal.timeout(signInPatience)];
    this.#signingIn ??= signIn({
      ...this.#options,
      store: this.#store,
      rules: this.#rules,
      scope,
      resourceMetadataUrl: challenge.resourceMetadataUrl,
      isForCall,
      signal: AbortSignal.any(bounds),
    }).finally(() => {
      this.#signingIn = undefined;
    });
    return this.#signingIn;
  }

  /** What the answer says of the access that is wanted; its body is not read. */
  #read(response: Response): Challenge {
    response.body?.cancel().catch(() => undefined);
    this.#challenge = extractWWWAuthenticateParams(response);
    return this.#challenge;
  }

  #needSignIn(why: string): BridgeError {
    const failure = signInNeeded(this.#options.server, why);
    this.#didNeedSignIn.fire(failure);
    return failure;
  }

  #scopeRefused(scope: string): BridgeError {
    const { server } = this.#options;
    const { errorDescription = '' } = this.#challenge;
    const words = errorDescription === '' ? '' : ` ("${errorDescription.slice(0, 200)}")`;
    return signInFailed(
      `The MCP server "${server}" refused the request with HTTP 403 because your sign-in lacks the scope "${scope.slice(0, 300)}"${words}. Signing in again did not bring it: ask the operator of the server for that right.`,
      'a scope is missing',
    );
  }
}

/** The scope whose lack is the reason of a 403 (RFC 6750, 3.1). */
function missingScope(response: Response): string | undefined {
  const { error, scope } = extractWWWAuthenticateParams(response);
  return error === 'insufficient_scope' ? (scope ?? '') : undefined;
}

async function race<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = abortOf(signal);
  aborted.catch(() => undefined);
  return Promise.race([promise, aborted]);
}
