import {
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  refreshAuthorization,
  type FetchLike,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import type { Client, Tokens } from './credentialStore.ts';

/** Milliseconds before the expiry of an access token when it is renewed. */
const early = 60_000;

/** An answer of the token endpoint as it is kept. */
export function toTokens(
  answer: StoredOAuthTokens,
  more: {
    readonly issuer: string;
    readonly client: Client;
    readonly resource: string | undefined;
    /** What was asked for; granted, where the answer does not say otherwise. */
    readonly scope: string | undefined;
  },
): Tokens {
  const { issuer, client, resource } = more;
  const scope = answer.scope ?? more.scope;
  const lifetime = answer.expires_in === undefined ? undefined : answer.expires_in * 1000;
  const now = Date.now();
  return {
    access_token: answer.access_token,
    issuer,
    client,
    ...(answer.refresh_token !== undefined && { refresh_token: answer.refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(resource !== undefined && { resource }),
    ...(lifetime !== undefined && {
      expiresAt: now + lifetime,
      refreshAt: now + Math.max(lifetime - early, lifetime / 2),
    }),
  };
}

/** Gets new tokens for the refresh token, from the authorization server that issued it. Throws what the SDK throws. */
export async function refreshTokens(tokens: Tokens, fetchFn: FetchLike): Promise<Tokens> {
  const { issuer, client, resource, refresh_token: refreshToken = '', scope } = tokens;
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
  const answer = await refreshAuthorization(issuer, {
    ...(metadata && { metadata }),
    clientInformation: client,
    refreshToken,
    ...(resource !== undefined && { resource }),
    fetchFn,
  });
  return toTokens(answer, { issuer, client, resource, scope });
}

/**
 * Whether the server still trusts the authorization server that the tokens come from (MCP specification,
 * "Authorization Server Binding"); also `true` when it does not say.
 */
export async function isStillTrusted(
  { issuer }: Tokens,
  server: string,
  resourceMetadataUrl: URL | undefined,
  fetchFn: FetchLike,
): Promise<boolean> {
  try {
    const options = resourceMetadataUrl && { resourceMetadataUrl };
    const metadata = await discoverOAuthProtectedResourceMetadata(server, options, fetchFn);
    const trusted = metadata.authorization_servers ?? [];
    return trusted.length === 0 || trusted.map(withoutSlash).includes(withoutSlash(issuer));
  } catch {
    return true;
  }
}

function withoutSlash(url: string): string {
  return url.replace(/\/$/, '');
}
