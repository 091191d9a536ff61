import type { JsonObject } from '../../base/json.ts';
import type { FailureCode } from '../failures.ts';

export interface ToolCallRequest {
  readonly serverId: string;
  /** The server's own name of the tool. */
  readonly tool: string;
  readonly arguments: JsonObject;
  readonly signal: AbortSignal;
}

/** What the model gets, in order. */
export type ToolResultPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly base64: string };

export type ToolCallOutcome =
  | {
      readonly kind: 'result';
      readonly isError: boolean;
      readonly parts: readonly ToolResultPart[];
    }
  | { readonly kind: 'failure'; readonly code: FailureCode; readonly message: string };

/** A failure as something the model reads: one sentence that starts with what it is. */
export function failureParts(message: string): readonly ToolResultPart[] {
  return [{ kind: 'text', text: `Error: ${message}` }];
}
