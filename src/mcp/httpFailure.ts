import { SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { errorMessage } from '../base/errors.ts';
import { shortened } from '../core/boundedText.ts';
import { BridgeError } from '../core/failures.ts';
import type { Refusal } from '../core/network/egressRules.ts';
import { visibleLine } from '../core/visibleLine.ts';
import { BusyError } from './retryAfter.ts';

/** The HTTP status an error of the SDK stands for, if it stands for one. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError || error instanceof BusyError) return error.status;
  if (error instanceof SseError) return error.code;
  return undefined;
}

/**
 * Whether a server no longer knows the session a request belongs to (MCP specification, "Session
 * Management": HTTP 404; some servers answer 400 and say it in words).
 */
export function isSessionLost(error: unknown): boolean {
  const status = httpStatus(error);
  const text = error instanceof SdkHttpError ? error.message : '';
  return status === 404 || (status === 400 && /session/i.test(text));
}

/**
 * Says in words what went wrong between us and a remote server; `undefined` if the error is of another kind.
 * `credential`: the header of the settings that gives access.
 */
export function httpFailure(
  error: unknown,
  beginning: string,
  credential?: string,
): BridgeError | undefined {
  const busy = causes(error).find((cause) => cause instanceof BusyError);
  if (busy !== undefined) {
    return new BridgeError(
      'unreachable',
      `${beginning}: the server has too much to do (HTTP ${busy.status}) and asks to wait ${busy.seconds} s. Try again then.`,
      { cause: error, summary: `busy, asks to wait ${busy.seconds} s` },
    );
  }
  const status = httpStatus(error);
  if ((status === 401 || status === 403) && credential !== undefined) {
    return new BridgeError(
      'unauthorized',
      `${beginning}: the server rejected your header "${credential}" (HTTP ${status}). Correct it in "headers"; without it, you can sign in where the server offers that.`,
      { cause: error, summary: `rejected your header "${credential}"` },
    );
  }
  if (status === 401 || status === 403) {
    return new BridgeError(
      'unauthorized',
      `${beginning}: the server refused the request with HTTP ${status}. If "headers" holds a token, it was rejected; if not, the server wants one.`,
      { cause: error, summary: `refused with HTTP ${status}` },
    );
  }
  if (status !== undefined && status >= 300 && status < 400) {
    return new BridgeError(
      'unreachable',
      `${beginning}: the server answered with a redirect (HTTP ${status}) that is not followed, because it leads to another server or changes the request. Set "url" to the address it leads to.`,
      { cause: error, summary: 'answered with a redirect' },
    );
  }
  if (status !== undefined) {
    return new BridgeError(
      'unreachable',
      `${beginning}: the server answered HTTP ${status}. ${adviceOn(status)}`,
      { cause: error, summary: `answered HTTP ${status}` },
    );
  }
  const code = networkCode(error);
  if (code === undefined) return undefined;
  const [what, advice] = networkReasons.get(code) ?? [code];
  const sentence = advice === undefined ? `${what}.` : `${what}. ${advice}`;
  return new BridgeError('unreachable', `${beginning}: ${sentence}`, {
    cause: error,
    summary: what,
  });
}

/** Says why no connection is made to the server of an entry. */
export function connectionRefused(url: URL, { reason, advice }: Refusal): BridgeError {
  const address = shortened(visibleLine(`${url.protocol}//${url.host}`), 300);
  return new BridgeError(
    'addressRefused',
    `MCP Bridge does not connect to ${address}, because ${reason}.${advice === '' ? '' : ` ${advice}`}`,
    { summary: `address refused: ${reason}` },
  );
}

function adviceOn(status: number): string {
  if (status === 429) return 'It is asked too often: wait a while before trying again.';
  return status >= 500 ? 'The fault is on the side of the server.' : 'Check "url".';
}

/** Errors of requests that never left, by their codes. */
const unsent =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|UND_ERR_CONNECT_TIMEOUT|(DEPTH|CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS)_\w+)$/;

/** Whether the server may have carried out a request that failed so. */
export function mayHaveArrived(error: unknown): boolean {
  const status = httpStatus(error);
  if (status !== undefined) return status >= 500;
  return !unsent.test(networkCode(error) ?? '');
}

const trustIt =
  'If you trust it, add its issuer to the trusted certificates of this system, or name its file in NODE_EXTRA_CA_CERTS before the editor starts.';

const networkReasons: ReadonlyMap<string, readonly [what: string, advice?: string]> = new Map([
  [
    'ECONNREFUSED',
    ['connection refused', 'Nothing listens there: start the server, or check "url".'],
  ],
  ['ENOTFOUND', ['the host name is not known', 'Check "url" and the network.']],
  ['EAI_AGAIN', ['the host name could not be looked up', 'Check the network.']],
  ['ECONNRESET', ['the server closed the connection']],
  ['ETIMEDOUT', ['the server could not be reached in time']],
  ['UND_ERR_CONNECT_TIMEOUT', ['the server could not be reached in time']],
  ['UND_ERR_SOCKET', ['the server closed the connection']],
  ['UND_ERR_HEADERS_TIMEOUT', ['the server began no answer in time']],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', ['the certificate of the server is self-signed', trustIt]],
  ['SELF_SIGNED_CERT_IN_CHAIN', ['a certificate the server sent is self-signed', trustIt]],
  ['CERT_HAS_EXPIRED', ['the certificate of the server has expired']],
  ['ERR_TLS_CERT_ALTNAME_INVALID', ['the certificate of the server is for another host name']],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    ['the issuer of the certificate is not trusted here', trustIt],
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ['the certificate of the server could not be verified', trustIt],
  ],
] as const);

/** Codes of the system, of `fetch` (undici) and of TLS; not those of the SDK. */
const codes = /^(E[A-Z_]+|UND_ERR_\w+|(DEPTH|CERT|SELF_SIGNED|UNABLE_TO)_\w+)$/;

/** The code of the network error at the bottom of a chain of causes, which `fetch` wraps; else its words. */
function networkCode(error: unknown): string | undefined {
  for (const cause of causes(error)) {
    const { code } = cause as Error & { code?: unknown };
    if (typeof code === 'string' && codes.test(code)) return code;
  }
  if (!(error instanceof TypeError) || error.message !== 'fetch failed') return undefined;
  return `the request could not be sent (${errorMessage(error.cause)})`;
}

/** The error and what it was caused by, outermost first. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  let current: unknown = error;
  while (chain.length < 5 && current instanceof Error) {
    chain.push(current);
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
  return chain;
}
