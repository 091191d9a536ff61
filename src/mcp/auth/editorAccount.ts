import {
  checkResourceAllowed,
  discoverOAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { editorAccountOf } from '../../core/servers/editorAccounts.ts';
import { authFetch } from './authFetch.ts';
import { signInFailed } from './signInFailure.ts';
import type { SignInOptions } from './signInFlow.ts';

/** Marks tokens of the editor's accounts among others: they are not ours to renew or to revoke. */
const clientId = 'account of the editor';

export function isOfEditor(client: { readonly client_id: string }): boolean {
  return client.client_id === clientId;
}

/**
 * Signs in with an account of the editor, where the server trusts that account's authorization server and the person agrees
 * that this server gets a token of it. `false`: there is no such account, and the person signs in the usual way.
 */
export async function signInWithEditor(options: SignInOptions): Promise<boolean> {
  const { server, url, auth, ports, store, masks, scope, signal } = options;
  if (ports.editorToken === undefined || auth.clientId !== undefined) return false;
  const metadata = await metadataOf(options);
  const { authorization_servers: issuers = [], resource, scopes_supported: all } = metadata ?? {};
  const issuer = issuers.find((one) => editorAccountOf(one) !== undefined);
  const account = issuer === undefined ? undefined : editorAccountOf(issuer);
  if (issuer === undefined || account === undefined || resource === undefined) return false;
  const fits = checkResourceAllowed({ requestedResource: url, configuredResource: resource });
  if (!fits) return false;
  const asked = scope?.split(' ').filter(Boolean) ?? all ?? [];
  const { tokens } = await store.readAgain();
  const token = await ports.editorToken({
    ...{ server, host: new URL(url).host, account, scopes: asked },
    isForCall: options.isForCall,
    refused: tokens !== undefined && isOfEditor(tokens.client) ? tokens.access_token : undefined,
  });
  signal.throwIfAborted();
  if (token === undefined) {
    throw signInFailed(`You did not sign in to the MCP server "${server}".`, 'sign in needed');
  }
  masks.add(token);
  await store.update(() => ({
    tokens: {
      ...{ access_token: token, issuer, resource, client: { client_id: clientId } },
      ...(asked.length > 0 && { scope: asked.join(' ') }),
    },
  }));
  return true;
}

/** What the server says of the access to it; nothing where it says nothing: the usual way finds out why. */
async function metadataOf({ url, rules, signal, resourceMetadataUrl }: SignInOptions) {
  const found = resourceMetadataUrl && { resourceMetadataUrl };
  const fetchFn = authFetch(rules, signal);
  try {
    return await discoverOAuthProtectedResourceMetadata(url, found, fetchFn);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}
