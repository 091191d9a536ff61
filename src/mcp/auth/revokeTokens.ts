import {
  discoverAuthorizationServerMetadata,
  selectClientAuthMethod,
  type FetchLike,
} from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Tokens } from './credentialStore.ts';

/** Not among the metadata the SDK knows of every kind of authorization server. */
const endpointSchema = z.object({ revocation_endpoint: z.string() });

/** Asks the authorization server to forget the tokens (RFC 7009), if it can. */
export async function revokeTokens(tokens: Tokens, fetchFn: FetchLike): Promise<void> {
  const { access_token: accessToken, refresh_token: refreshToken, issuer, client } = tokens;
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn });
  const endpoint = endpointSchema.safeParse(metadata).data?.revocation_endpoint;
  if (metadata === undefined || endpoint === undefined) return;
  const isRefresh = refreshToken !== undefined;
  const form = new URLSearchParams({
    token: refreshToken ?? accessToken,
    token_type_hint: isRefresh ? 'refresh_token' : 'access_token',
  });
  const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' });
  const methods = metadata.token_endpoint_auth_methods_supported ?? [];
  const { client_id: id, client_secret: secret = '' } = client;
  if (selectClientAuthMethod(client, methods) === 'client_secret_basic') {
    headers.set('Authorization', `Basic ${btoa(`${id}:${secret}`)}`);
  } else {
    form.set('client_id', id);
    if (secret !== '') form.set('client_secret', secret);
  }
  await fetchFn(endpoint, { method: 'POST', headers, body: form });
}
