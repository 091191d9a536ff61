import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SdkErrorCode, SdkHttpError, SseError } from '@modelcontextprotocol/client';
import { httpFailure, httpStatus } from '../../src/mcp/httpFailure.ts';

const coded = (code: string): Error => Object.assign(new Error(`x ${code}`), { code });
const fetchFailed = (cause: unknown): Error => new TypeError('fetch failed', { cause });

const network: readonly (readonly [error: unknown, says: string | undefined])[] = [
  [fetchFailed(coded('ECONNREFUSED')), 'connection refused'],
  [fetchFailed(new AggregateError([coded('ECONNREFUSED')], '')), 'connection refused'],
  [fetchFailed(new Error('x', { cause: coded('ENOTFOUND') })), 'host name is not known'],
  [fetchFailed(coded('EAI_AGAIN')), 'could not be looked up'],
  [fetchFailed(coded('UND_ERR_SOCKET')), 'closed the connection'],
  [fetchFailed(coded('UND_ERR_HEADERS_TIMEOUT')), 'began no answer in time'],
  [fetchFailed(coded('CERT_HAS_EXPIRED')), 'has expired'],
  [fetchFailed(coded('DEPTH_ZERO_SELF_SIGNED_CERT')), 'self-signed'],
  [fetchFailed(coded('SELF_SIGNED_CERT_IN_CHAIN')), 'self-signed'],
  [fetchFailed(coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')), 'certificate'],
  [fetchFailed(coded('ERR_TLS_CERT_ALTNAME_INVALID')), 'certificate'],
  [fetchFailed(coded('EWHATEVER')), 'EWHATEVER'],
  [fetchFailed(undefined), 'could not be sent'],
  [new Error('plain'), undefined],
  ['text', undefined],
  [undefined, undefined],
];

test('network errors are told in words, wherever in the chain of causes they are', () => {
  assert.deepEqual(
    network.map(([error, says]) => {
      const failure = httpFailure(error, 'No session');
      if (says === undefined || failure === undefined) return failure;
      return [
        failure.code,
        failure.message.startsWith('No session: '),
        failure.message.includes(says),
      ];
    }),
    network.map(([, says]) => (says === undefined ? undefined : ['unreachable', true, true])),
  );
});

test('statuses are taken from both transports', () => {
  const http = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, 'x', { status: 502 });
  const sse = new SseError(401, 'x', {} as never);
  assert.deepEqual(
    [http, sse].map((error) => [httpStatus(error), httpFailure(error, 'It failed')?.code]),
    [
      [502, 'unreachable'],
      [401, 'unauthorized'],
    ],
  );
});
