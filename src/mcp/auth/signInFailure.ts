import {
  AuthorizationServerMismatchError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { errorMessage } from '../../base/errors.ts';
import { isJsonObject } from '../../base/json.ts';
import { shortened } from '../../core/boundedText.ts';
import { BridgeError } from '../../core/failures.ts';
import type { Refusal } from '../../core/network/egressRules.ts';
import { visibleLine } from '../../core/visibleLine.ts';
import { httpFailure } from '../httpFailure.ts';

/** A failure that a sign-in, another one perhaps, can end. */
export function signInFailed(message: string, summary: string, cause?: unknown): BridgeError {
  return new BridgeError('unauthorized', message, { summary, remedy: 'signIn', cause });
}

/** The server wants a sign-in, and the person has not been asked for it. `why` is a sentence. */
export function signInNeeded(server: string, why: string): BridgeError {
  return signInFailed(
    `The MCP server "${server}" wants you to sign in. ${why} Run "MCP Bridge: Sign In to Server…", or press the key symbol beside the server in the MCP Bridge view.`,
    'sign in needed',
  );
}

/** A server named an address for the sign-in that the rules do not allow. */
export function addressRefused(address: string | URL, { reason, advice }: Refusal): BridgeError {
  const url = URL.parse(address);
  const name = url === null ? 'an address' : `${url.protocol}//${url.host}${url.pathname}`;
  return signInFailed(
    `Signing in is not possible: the server names ${shortened(visibleLine(name), 300)}, which is not used because ${reason}.${advice === '' ? '' : ` ${advice}`}`,
    'names an address that is not allowed',
  );
}

/** What to do when an authorization server takes no new clients. */
export function clientIdMissing(why: string, cause?: unknown): BridgeError {
  return signInFailed(
    `${why} Ask its operator for a client ID and write it into the settings of the server: "auth": { "clientId": "…" }.`,
    'needs a client ID',
    cause,
  );
}

/** Says in words why a sign-in did not come about. Texts of servers in it are bounded and made visible. */
export function toSignInFailure(error: unknown, server: string): BridgeError {
  const known = bridgeErrorIn(error);
  if (known !== undefined) return known;
  const beginning = `Signing in to the MCP server "${server}" did not work`;
  if (error instanceof IssuerMismatchError) {
    const message =
      error.kind === 'metadata'
        ? `the authorization server says of itself that it is another one (${quote(error.received)} instead of ${quote(error.expected)})`
        : 'the answer did not come from the authorization server that was asked';
    return signInFailed(`${beginning}: ${message}.`, 'sign-in failed', error);
  }
  if (error instanceof AuthorizationServerMismatchError) {
    const message = 'the server named another authorization server meanwhile';
    return signInFailed(`${beginning}: ${message}.`, 'sign-in failed', error);
  }
  if (error instanceof RegistrationRejectedError) {
    const why = `Its authorization server did not register MCP Bridge as a client (HTTP ${error.status}: ${quote(reasonIn(error.body))}).`;
    return clientIdMissing(`${beginning}. ${why}`, error);
  }
  if (error instanceof OAuthError) {
    const { code, message } = error;
    const words = code === message ? code : `${code}: ${message}`;
    return signInFailed(`${beginning}: ${quote(words)}.`, 'sign-in failed', error);
  }
  const network = httpFailure(error, beginning);
  const message = network?.message ?? `${beginning}: ${quote(errorMessage(error))}.`;
  return signInFailed(message, 'sign-in failed', error);
}

/** The failure of ours that an error of the SDK or of `fetch` wraps, if any. */
export function bridgeErrorIn(error: unknown): BridgeError | undefined {
  let current = error;
  for (let depth = 0; depth < 8 && current instanceof Error; depth++) {
    if (current instanceof BridgeError) return current;
    current = current.cause;
  }
  return undefined;
}

/** `error_description` of the JSON body of an error (RFC 6749, 5.2), else the body. */
function reasonIn(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    if (!isJsonObject(value)) return body;
    const { error_description: description, error } = value;
    const reason = description ?? error;
    return typeof reason === 'string' ? reason : body;
  } catch {
    return body;
  }
}

function quote(text: string | undefined): string {
  return shortened(visibleLine((text ?? 'nothing').slice(0, 1000)), 300).replace(/[.\s]+$/, '');
}
