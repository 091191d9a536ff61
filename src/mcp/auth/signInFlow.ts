import {
  auth,
  validateAuthorizationResponseIssuer,
  type AuthOptions,
} from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/errors.ts';
import type { KnownSecrets } from '../../core/redact.ts';
import type { Callback, SignInPorts } from '../../core/servers/signIn.ts';
import type { AuthSettings } from '../../core/settings/serverConfiguration.ts';
import { visibleLine } from '../../core/visibleLine.ts';
import type { Egress } from '../egress/egress.ts';
import { authFetch } from './authFetch.ts';
import type { CredentialStore } from './credentialStore.ts';
import { signInWithEditor } from './editorAccount.ts';
import { FlowProvider } from './flowProvider.ts';
import { loopbackCallback } from './loopbackCallback.ts';
import { addressRefused, signInFailed, toSignInFailure } from './signInFailure.ts';

export interface SignInOptions {
  /** The settings key of the server, and its address. */
  readonly server: string;
  readonly url: string;
  readonly auth: AuthSettings;
  readonly ports: Pick<SignInPorts, 'openBrowser' | 'remoteCallback' | 'editorToken'>;
  readonly store: CredentialStore;
  readonly rules: Egress;
  readonly masks: KnownSecrets;
  /** Separated by spaces; without it, what the server's metadata say. */
  readonly scope: string | undefined;
  readonly resourceMetadataUrl: URL | undefined;
  readonly isForCall: boolean;
  /** Bounds the whole, the person's part included. */
  readonly signal: AbortSignal;
}

/**
 * Signs in to a remote server with the person's help: authorization code with PKCE (MCP specification,
 * "Authorization Flow Steps"). Resolves when the tokens are stored; rejects with a `BridgeError`, or when the
 * signal aborts. A registered client that is not accepted any more is registered anew, once.
 */
export async function signIn(options: SignInOptions): Promise<void> {
  const { server, masks, signal } = options;
  try {
    if (await signInWithEditor(options)) return;
    if (!(await attempt(options, true))) await attempt(options, false);
  } catch (error: unknown) {
    signal.throwIfAborted();
    const failure = toSignInFailure(error, server);
    const { summary, cause } = failure;
    throw signInFailed(masks.mask(failure.message), masks.mask(summary), cause);
  }
}

/** `false`, where `mayRepeat`: the client was not accepted, and a new one may be. */
async function attempt(options: SignInOptions, mayRepeat: boolean): Promise<boolean> {
  const { server, url, ports, rules, scope, resourceMetadataUrl, signal } = options;
  const callback = await openCallback(options);
  const provider = new FlowProvider({ ...options, redirectUrl: callback.url });
  const request: AuthOptions = {
    serverUrl: url,
    fetchFn: authFetch(rules, signal),
    forceReauthorization: true,
    ...(scope !== undefined && { scope }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
  };
  try {
    await auth(provider, request);
    const page = provider.authorizationUrl;
    if (page === undefined) throw new Error('the SDK named no page to sign in at');
    const refusal = await rules.resolvedRefusal(page);
    if (refusal !== undefined) throw addressRefused(page, refusal);
    const scopes = page.searchParams.get('scope')?.split(' ') ?? [];
    const { isForCall } = options;
    if (!(await ports.openBrowser({ server, url: page.href, scopes, isForCall }))) {
      throw signInFailed(`You did not sign in to the MCP server "${server}".`, 'sign in needed');
    }
    const answer = await callback.answer(provider.sentState, signal);
    const code = codeIn(answer, provider);
    options.masks.add(code);
    const iss = answer.get('iss');
    await auth(provider, { ...request, authorizationCode: code, ...(iss !== null && { iss }) });
    return true;
  } catch (error: unknown) {
    if (mayRepeat && provider.isClientRejected && provider.isClientOurs) return false;
    throw error;
  } finally {
    callback.dispose();
  }
}

/** The authorization code, once the answer is known to be to our request (RFC 6749, 10.12; RFC 9207). */
function codeIn(answer: URLSearchParams, { sentState, metadata }: FlowProvider): string {
  if (answer.get('state') !== sentState) {
    throw new Error('the answer is not to this sign-in (its "state" differs)');
  }
  validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const code = answer.get('code');
  if (code !== null && code !== '') return code;
  const words = [answer.get('error') ?? 'no code came back', answer.get('error_description')];
  throw new Error(visibleLine(words.filter((word) => word !== null).join(': ')));
}

/** A listener at the address the client is registered with, where that can be had again. */
async function openCallback(options: SignInOptions): Promise<Callback> {
  const { auth: settings, ports, server, store } = options;
  const remote = await ports.remoteCallback();
  if (remote !== undefined) return remote;
  const { redirectPort } = settings;
  const { registrations } = await store.readAgain();
  const known =
    settings.clientId === undefined ? registrations.at(-1)?.redirect_uris[0] : undefined;
  try {
    return await loopbackCallback(redirectPort ?? known, redirectPort !== undefined);
  } catch (error: unknown) {
    throw signInFailed(
      `Signing in to the MCP server "${server}" needs a port of this machine for the browser's return, which could not be opened: ${errorMessage(error)}. ${redirectPort === undefined ? '' : 'It is set as "auth.redirectPort".'}`.trim(),
      'no port for the sign-in',
      error,
    );
  }
}
