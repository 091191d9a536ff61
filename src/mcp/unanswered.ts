/** Marks errors that we made because the server gave no answer; what became of the request is unknown. */
export const unansweredCode = -32_098;

export type RequestId = string | number;

/** A JSON-RPC error in place of the answer that did not come. */
export function unanswered(id: RequestId, message: string) {
  return { jsonrpc: '2.0', id, error: { code: unansweredCode, message } } as const;
}
