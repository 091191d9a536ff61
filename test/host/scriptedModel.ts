/** One part of a scripted answer. */
type AnswerPart =
  | { readonly text: string }
  | { readonly toolCall: { readonly name: string; readonly input: unknown } };

/** What the model answers to one request. */
export type Answer = readonly AnswerPart[];

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: Record<string, unknown>;
}

export interface ToolResult {
  readonly callId: string;
  /** The text parts, joined with newlines. */
  readonly text: string;
  readonly data: readonly { readonly mimeType: string; readonly bytes: number }[];
}

interface ModelMessage {
  readonly role: 'user' | 'assistant' | 'system';
  readonly text: string;
  readonly toolCalls: readonly {
    readonly callId: string;
    readonly name: string;
    readonly input: unknown;
  }[];
  readonly toolResults: readonly ToolResult[];
  /** Data parts of the message itself, e.g. images the editor moved out of a tool result. */
  readonly data: readonly { readonly mimeType: string; readonly bytes: number }[];
}

/** One request the editor made of the model. */
export interface ModelRequest {
  /** True for requests that are no turn of an agent (titles, summaries): they offer no tools and use up no scripted answer. */
  readonly side: boolean;
  readonly tools: readonly OfferedTool[];
  readonly messages: readonly ModelMessage[];
  /** What the model answered. */
  readonly answer: Answer;
}

/** The scripted language model of one window. It appears in the model picker as "Scripted". */
export interface ScriptedModel {
  /** Adds answers for the next agent requests, one per request. With none left, the model says "done". */
  queue(...answers: readonly Answer[]): Promise<void>;
  /** Every request since the window loaded or the last `clear`, oldest first. */
  requests(): Promise<ModelRequest[]>;
  /** Forgets requests and queued answers. */
  clear(): Promise<void>;
}

/** Returns every tool result the model was shown in a request, oldest first. */
export function toolResultsIn(request: ModelRequest): ToolResult[] {
  return request.messages.flatMap((message) => [...message.toolResults]);
}
