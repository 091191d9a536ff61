import { randomBytes } from 'node:crypto';
import type {
  OAuthClientInformationContext,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { KnownSecrets } from '../../core/redact.ts';
import type { AuthSettings } from '../../core/settings/serverConfiguration.ts';
import type { Egress } from '../egress/egress.ts';
import { toTokens } from './accessTokens.ts';
import type { Client, CredentialStore } from './credentialStore.ts';
import { addressRefused, clientIdMissing, signInFailed } from './signInFailure.ts';

export interface FlowOptions {
  /** The settings key of the server. */
  readonly server: string;
  readonly auth: AuthSettings;
  readonly store: CredentialStore;
  readonly rules: Egress;
  readonly masks: KnownSecrets;
  readonly redirectUrl: string;
  /** What is going to be asked for, separated by spaces. */
  readonly scope: string | undefined;
}

/** What the SDK's `auth` needs to know and to keep during one sign-in. Used once. */
export class FlowProvider implements OAuthClientProvider {
  /** Where the browser is to be sent, once that is known. */
  authorizationUrl: URL | undefined;
  /** The authorization server did not accept the client. */
  isClientRejected = false;
  /** 32 random bytes, checked when the browser comes back. */
  readonly sentState = randomBytes(32).toString('base64url');
  readonly #options: FlowOptions;
  #verifier = '';
  #discovery: OAuthDiscoveryState | undefined;
  #client: Client | undefined;
  #resource: string | undefined;

  constructor(options: FlowOptions) {
    this.#options = options;
    options.masks.add(this.sentState);
  }

  get redirectUrl(): string {
    return this.#options.redirectUrl;
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: 'MCP Bridge for VS Code',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }

  get clientMetadataUrl(): string {
    return this.#options.auth.clientMetadataUrl ?? '';
  }

  /** Metadata of the authorization server, once they are known and if it has any. */
  get metadata(): OAuthDiscoveryState['authorizationServerMetadata'] {
    return this.#discovery?.authorizationServerMetadata;
  }

  /** The client was registered without the person's doing, so it can be registered anew. */
  get isClientOurs(): boolean {
    return this.#options.auth.clientId === undefined;
  }

  state(): string {
    return this.sentState;
  }

  async clientInformation({ issuer = '' }: Partial<OAuthClientInformationContext> = {}): Promise<
    StoredOAuthClientInformation | undefined
  > {
    const { auth, store } = this.#options;
    if (auth.clientId !== undefined) return this.#configured(auth.clientId, issuer);
    if (this.#client !== undefined) return { ...this.#client, issuer };
    const { registrations } = await store.read();
    const registered = registrations.findLast(
      (one) => one.issuer === issuer && one.redirect_uris.includes(this.redirectUrl),
    );
    const isGood = registered !== undefined && !hasExpired(registered);
    if (isGood && mayAskFor(registered.scope, this.#options.scope)) {
      this.#client = registered;
      return registered;
    }
    this.#requireRegistration(issuer);
    return undefined;
  }

  async saveClientInformation(information: StoredOAuthClientInformation): Promise<void> {
    this.#client = information;
    const { issuer = '', client_secret: secret, client_id: id } = information;
    this.#options.masks.add(secret);
    if (id === this.clientMetadataUrl) return;
    const registration = { ...information, issuer, redirect_uris: [this.redirectUrl] };
    await this.#options.store.update(({ registrations }) => ({
      registrations: [...registrations.filter((one) => one.issuer !== issuer), registration],
    }));
  }

  tokens(): undefined {
    // A sign-in is for new ones.
    return undefined;
  }

  async saveTokens(
    tokens: StoredOAuthTokens,
    { issuer }: OAuthClientInformationContext,
  ): Promise<void> {
    const { masks, store } = this.#options;
    const client = this.#client;
    if (client === undefined) throw new Error('Tokens without a client');
    const kept = toTokens(tokens, {
      issuer,
      client,
      resource: this.#resource,
      scope: this.authorizationUrl?.searchParams.get('scope') ?? undefined,
    });
    masks.add(kept.access_token, kept.refresh_token);
    await store.update(() => ({
      tokens: kept,
      ...(client.client_secret !== undefined && !this.isClientOurs && { boundIssuer: issuer }),
    }));
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#options.masks.add(verifier);
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    const { authorizationServerMetadata: metadata } = state;
    // Before the person goes there and gives a password for nothing.
    for (const endpoint of [metadata?.authorization_endpoint, metadata?.token_endpoint]) {
      const refusal = endpoint === undefined ? undefined : this.#options.rules.refusal(endpoint);
      if (endpoint !== undefined && refusal !== undefined) throw addressRefused(endpoint, refusal);
    }
    const methods = metadata?.code_challenge_methods_supported;
    // MCP specification, "Authorization Code Protection": without S256, clients must refuse to proceed.
    if (metadata !== undefined && !methods?.includes('S256')) {
      throw signInFailed(
        `The authorization server ${state.authorizationServerUrl} does not say that it protects sign-ins with PKCE (S256), so nobody is signed in there. Its operator has to correct that.`,
        'its authorization server lacks PKCE',
      );
    }
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }

  saveResourceUrl(resource: string): void {
    this.#resource = resource;
  }

  async invalidateCredentials(what: string): Promise<void> {
    if (what !== 'client') return;
    this.isClientRejected = true;
    const rejected = this.#client;
    this.#client = undefined;
    await this.#options.store.update(({ registrations }) => ({
      registrations: registrations.filter((one) => one.client_id !== rejected?.client_id),
    }));
  }

  /** The client of the settings. Its secret goes to the first authorization server only that it was used with. */
  async #configured(id: string, issuer: string): Promise<StoredOAuthClientInformation> {
    const { auth, server, store } = this.#options;
    const { boundIssuer = issuer } = await store.read();
    if (auth.clientSecret !== undefined && boundIssuer !== issuer) {
      throw signInFailed(
        `The MCP server "${server}" now names another authorization server (${issuer}) than the one your client secret was used with (${boundIssuer}). If that is right, sign out of the server first, then sign in.`,
        'names another authorization server',
      );
    }
    this.#client = {
      client_id: id,
      ...(auth.clientSecret !== undefined && { client_secret: auth.clientSecret }),
    };
    return { ...this.#client, issuer };
  }

  #requireRegistration(issuer: string): void {
    const { metadata } = this;
    if (metadata === undefined || metadata.registration_endpoint !== undefined) return;
    const takesDocument = metadata.client_id_metadata_document_supported === true;
    if (takesDocument && this.clientMetadataUrl !== '') return;
    throw clientIdMissing(
      `The authorization server ${issuer} of the MCP server "${this.#options.server}" does not register clients by itself, and no client ID is set.`,
    );
  }
}

/** Some authorization servers hold a client to the scopes it was registered with: for more, it is registered anew. */
function mayAskFor(registered: string | undefined, wanted = ''): boolean {
  if (registered === undefined || registered === '') return true;
  const scopes = new Set(registered.split(' '));
  return wanted.split(' ').every((scope) => scope === '' || scopes.has(scope));
}

function hasExpired({ client_secret_expires_at: at = 0 }: Client): boolean {
  return at !== 0 && at * 1000 <= Date.now();
}
