/** Requests to one server besides tool calls; each names its server by id. */
interface ServerRequest {
  readonly serverId: string;
  readonly signal: AbortSignal;
}

/** `resources/read` */
export interface ReadResourceRequest extends ServerRequest {
  readonly uri: string;
}

/** `prompts/get` */
export interface GetPromptRequest extends ServerRequest {
  readonly prompt: string;
  readonly arguments: ReadonlyMap<string, string>;
}

/** What an argument belongs to (MCP specification, "Completion"). */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** `completion/complete` */
export interface CompletionRequest extends ServerRequest {
  readonly reference: CompletionReference;
  readonly argument: string;
  /** What was typed so far. */
  readonly value: string;
  /** Values of arguments that are known already. */
  readonly known: ReadonlyMap<string, string>;
}
