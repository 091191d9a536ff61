import { SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { isJsonObject } from '../base/json.ts';
import { BridgeError } from '../core/failures.ts';

/** The HTTP status an error of the SDK stands for, if it stands for one. */
export function httpStatus(error: unknown): number | undefined {
  if (error instanceof SdkHttpError) return error.status;
  if (error instanceof SseError) return error.code;
  return undefined;
}

/** Says in words what went wrong between us and a remote server; `undefined` if the error is of another kind. */
export function httpFailure(error: unknown, beginning: string): BridgeError | undefined {
  const status = httpStatus(error);
  if (status === 401 || status === 403) {
    return new BridgeError(
      'unauthorized',
      `${beginning}: the server refused the request with HTTP ${status}. If "headers" holds a token, it was rejected; if not, the server wants one.`,
      { cause: error },
    );
  }
  if (status !== undefined) {
    const fault = status >= 500 ? 'The fault is on the side of the server.' : 'Check "url".';
    return new BridgeError(
      'unreachable',
      `${beginning}: the server answered HTTP ${status}. ${fault}`,
      {
        cause: error,
      },
    );
  }
  const code = networkCode(error);
  if (code === undefined) return undefined;
  return new BridgeError('unreachable', `${beginning}: ${networkReasons.get(code) ?? code}`, {
    cause: error,
  });
}

const networkReasons: ReadonlyMap<string, string> = new Map([
  [
    'ECONNREFUSED',
    'nothing listens at that address (connection refused). Start the server, or check "url".',
  ],
  ['ENOTFOUND', 'the host name is not known. Check "url" and the network.'],
  ['EAI_AGAIN', 'the host name could not be looked up. Check the network.'],
  ['ECONNRESET', 'the server closed the connection.'],
  ['ETIMEDOUT', 'the server could not be reached in time.'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the server could not be reached in time.'],
  ['UND_ERR_SOCKET', 'the server closed the connection.'],
  ['UND_ERR_HEADERS_TIMEOUT', 'the server began no answer in time.'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'the certificate of the server is self-signed.'],
  ['CERT_HAS_EXPIRED', 'the certificate of the server has expired.'],
]);

/** The code of the network error at the bottom of a chain of causes; `fetch` wraps it. */
function networkCode(error: unknown): string | undefined {
  let current: unknown = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    const { code } = current as Error & { code?: unknown };
    if (typeof code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+|DEPTH_\w+|CERT_\w+)$/.test(code)) {
      return code;
    }
    if (current instanceof AggregateError) current = current.errors[0];
    else current = current.cause;
  }
  if (isJsonObject(error) && typeof error['code'] === 'string') return undefined;
  return error instanceof TypeError && error.message === 'fetch failed'
    ? 'fetch failed'
    : undefined;
}
