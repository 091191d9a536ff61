import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import {
  BridgeError,
  callTimedOut,
  connectionLost,
  notCarriedOut,
  outcomeUnknown,
  serverUnavailable,
  toBridgeError,
} from '../core/failures.ts';
import { errorAnswer } from '../core/results/errorAnswer.ts';
import { timeoutSetting, type CallTimeouts } from '../core/tools/callTimeouts.ts';
import type { CallClock } from './callClock.ts';
import { httpFailure, mayHaveArrived } from './httpFailure.ts';
import { unansweredCode } from './unanswered.ts';

export interface FailedCall {
  /** The settings key of the server. */
  readonly server: string;
  readonly tool: string;
  readonly timeouts: CallTimeouts;
  /** Which of its timeouts ended the call, if one did. */
  readonly expired: CallClock['expired'];
  /** How the connection ended, without and with what the server said last; of use only when it did. */
  readonly ended: { readonly reason: string; readonly details: string };
}

/** Why a tool call was not answered, in words for the model: whether it may have been carried out stands in them. */
export function callFailure(error: unknown, call: FailedCall): BridgeError {
  const { server, tool, timeouts, expired, ended } = call;
  if (error instanceof BridgeError) {
    return error.code === 'addressRefused' ? notCarriedOut(error) : error;
  }
  if (expired !== undefined) {
    return callTimedOut(server, tool, timeouts[expired], timeoutSetting(timeouts, expired));
  }
  if (error instanceof ProtocolError && error.code === unansweredCode) {
    return connectionLost(server, tool, error.message);
  }
  if (error instanceof ProtocolError) return errorAnswer(server, tool, error);
  if (error instanceof SdkError && error.code === SdkErrorCode.NotConnected) {
    return serverUnavailable(server, `${ended.reason}.`);
  }
  if (error instanceof SdkError && error.code === SdkErrorCode.ConnectionClosed) {
    return connectionLost(server, tool, ended.details);
  }
  const beginning = `The call of "${tool}" on the MCP server "${server}" failed`;
  const failure = httpFailure(error, beginning);
  if (failure === undefined) return outcomeUnknown(toBridgeError(error, 'protocol', beginning));
  return mayHaveArrived(error) ? outcomeUnknown(failure) : notCarriedOut(failure);
}
