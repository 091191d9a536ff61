import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { BridgeError, toBridgeError } from '../core/failures.ts';
import { httpFailure } from './httpFailure.ts';

export interface FailedRequest {
  /** The settings key of the server. */
  readonly server: string;
  /** What was asked of it, as in "did not <wish>". */
  readonly wish: string;
  readonly seconds: number;
  /** How the connection ended; of use only when it did. */
  readonly endReason: string;
}

/** Why a request other than a tool call was not answered, in words for a person or a model. It can be made again. */
export function requestFailure(error: unknown, request: FailedRequest): BridgeError {
  const { server, wish, seconds, endReason } = request;
  const beginning = `The MCP server "${server}" did not ${wish}`;
  if (error instanceof ProtocolError) {
    return new BridgeError('protocol', `${beginning}: ${error.message}`, { cause: error });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout) {
    return new BridgeError('timedOut', `${beginning} within ${seconds} s.`, { cause: error });
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
    const message = `${beginning}: the connection was lost (${endReason}).`;
    return new BridgeError('connectionLost', message, { cause: error });
  }
  return httpFailure(error, beginning) ?? toBridgeError(error, 'protocol', beginning);
}
