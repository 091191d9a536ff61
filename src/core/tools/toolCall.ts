import type { JsonObject } from '../../base/json.ts';
import type { FailureCode } from '../failures.ts';

/** How far a call has come, in the words and numbers of its server. */
export interface CallProgress {
  readonly message?: string | undefined;
  readonly progress?: number | undefined;
  readonly total?: number | undefined;
}

export interface ToolCallRequest {
  readonly serverId: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
  /** Told whatever the server says while it works; must not throw. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** What the model gets, in order. */
export type ToolResultPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly base64: string };

interface ToolCallFailure {
  readonly kind: 'failure';
  readonly code: FailureCode;
  /** The whole sentence for the model. */
  readonly message: string;
}

/** What came of a request to the server: its result (a `CallToolResult`, …) as it was sent, unchecked, or why there is none. */
export type ServerAnswer = { readonly kind: 'answer'; readonly result: unknown } | ToolCallFailure;

/** What came of a call, shaped for the model. */
export type ToolCallOutcome =
  | {
      readonly kind: 'result';
      readonly isError: boolean;
      readonly parts: readonly ToolResultPart[];
      /** What is wrong with the result, for the log; never for the model. */
      readonly warnings: readonly string[];
      /** The `_meta` of the result, for programs; never for the model. */
      readonly meta?: JsonObject;
    }
  | ToolCallFailure;

/** A failure as something the model reads: one sentence that starts with what it is. */
export function failureParts(message: string): readonly ToolResultPart[] {
  return [{ kind: 'text', text: `Error: ${message}` }];
}
