import { OAuthError, OAuthErrorCode } from '@modelcontextprotocol/client';
import type { Logger } from '../../base/log.ts';
import { BridgeError } from '../../core/failures.ts';
import type { KnownSecrets } from '../../core/redact.ts';
import type { AuthSettings } from '../../core/settings/serverConfiguration.ts';
import type { Egress } from '../egress/egress.ts';
import { isStillTrusted, refreshTokens } from './accessTokens.ts';
import { authFetch } from './authFetch.ts';
import type { CredentialStore, Tokens } from './credentialStore.ts';
import { bridgeErrorIn, toSignInFailure } from './signInFailure.ts';

/** Milliseconds to get new tokens. */
const patience = 30_000;

interface KeeperOptions {
  /** The settings key of the server, and its address. */
  readonly server: string;
  readonly url: string;
  readonly auth: AuthSettings;
  readonly store: CredentialStore;
  readonly rules: Egress;
  readonly masks: KnownSecrets;
  readonly log: Logger;
  /** Aborts when nobody needs tokens any more. */
  readonly lifetime: AbortSignal;
  /** Makes it known that nothing goes on without the person; gives the error to throw. */
  readonly needSignIn: (why: string) => BridgeError;
}

/** Gives the access token of one server and renews it without the person, one renewal at a time. */
export class TokenKeeper {
  readonly #options: KeeperOptions;
  #refreshing: Promise<Tokens> | undefined;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** What is stored; `again`: at this moment, for another window may have written it. */
  async tokens(again = false): Promise<Tokens | undefined> {
    const { store, masks } = this.#options;
    const { tokens } = await (again ? store.readAgain() : store.read());
    masks.add(tokens?.access_token, tokens?.refresh_token);
    return tokens;
  }

  /** The access token, renewed before it expires. Rejects when it has expired and cannot be renewed now. */
  async current(): Promise<string | undefined> {
    const tokens = await this.tokens();
    if (tokens === undefined) return undefined;
    const { refreshAt = Infinity, expiresAt = Infinity } = tokens;
    if (Date.now() < refreshAt || tokens.refresh_token === undefined) return tokens.access_token;
    try {
      return (await this.#refresh(tokens)).access_token;
    } catch (error: unknown) {
      const isEnd = error instanceof BridgeError && error.remedy === 'signIn';
      if (isEnd || Date.now() >= expiresAt) throw error;
      // It will do for a little longer.
      return tokens.access_token;
    }
  }

  /** A token in place of one that the server refused with 401. */
  async replace(
    refused: string | undefined,
    resourceMetadataUrl: URL | undefined,
  ): Promise<string> {
    const { needSignIn, rules, url, lifetime } = this.#options;
    const tokens = await this.tokens(true);
    if (tokens === undefined) throw needSignIn('Nobody is signed in.');
    // Another request or window has renewed it meanwhile.
    if (tokens.access_token !== refused) return tokens.access_token;
    const fetchFn = authFetch(rules, lifetime);
    if (!(await isStillTrusted(tokens, url, resourceMetadataUrl, fetchFn))) {
      throw needSignIn('It has changed to another authorization server.');
    }
    return (await this.#refresh(tokens)).access_token;
  }

  #refresh(tokens: Tokens): Promise<Tokens> {
    this.#refreshing ??= this.#refreshNow(tokens).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  async #refreshNow(old: Tokens): Promise<Tokens> {
    const { server, auth, masks, store, rules, log, lifetime, needSignIn } = this.#options;
    const stored = await this.tokens(true);
    if (stored !== undefined && stored.access_token !== old.access_token) return stored;
    if (old.refresh_token === undefined) throw needSignIn('Your sign-in has expired.');
    const signal = AbortSignal.any([lifetime, AbortSignal.timeout(patience)]);
    try {
      const client = currentClient(old, auth);
      const tokens = await refreshTokens({ ...old, client }, authFetch(rules, signal));
      masks.add(tokens.access_token, tokens.refresh_token);
      await store.update(() => ({ tokens }));
      log.debug('the access token was renewed');
      return tokens;
    } catch (error: unknown) {
      if (isFinal(error)) return this.#drop(old, error);
      throw bridgeErrorIn(error) ?? passingFailure(error, server);
    }
  }

  /** The refresh token is not accepted: unless another window has got a new one, the person must sign in. */
  async #drop(old: Tokens, error: OAuthError): Promise<Tokens> {
    const { store, needSignIn, log } = this.#options;
    const stored = await this.tokens(true);
    if (stored !== undefined && stored.access_token !== old.access_token) return stored;
    log.info(`the authorization server does not renew the access token: ${error.code}`);
    const isClientGone = clientErrors.has(error.code);
    await store.update(({ registrations }) => ({
      tokens: undefined,
      registrations: isClientGone
        ? registrations.filter(({ client_id: id }) => id !== old.client.client_id)
        : registrations,
    }));
    throw needSignIn('Your sign-in has ended.');
  }
}

/** The client as it was when the tokens were issued; the settings may hold a newer secret of it. */
function currentClient({ client }: Tokens, { clientId, clientSecret }: AuthSettings) {
  const isNewer = client.client_id === clientId && clientSecret !== undefined;
  return isNewer ? { ...client, client_secret: clientSecret } : client;
}

const clientErrors = new Set<string>([
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

/** Errors of a token endpoint that may be gone with the next try. */
const passing = new Set<string>([
  OAuthErrorCode.ServerError,
  OAuthErrorCode.TemporarilyUnavailable,
  OAuthErrorCode.TooManyRequests,
]);

function isFinal(error: unknown): error is OAuthError {
  return error instanceof OAuthError && !passing.has(error.code);
}

/** Nothing is lost: the tokens are kept, and the next request tries again. */
function passingFailure(error: unknown, server: string): BridgeError {
  const { message, summary } = toSignInFailure(error, server);
  return new BridgeError('unreachable', message, { cause: error, summary });
}
