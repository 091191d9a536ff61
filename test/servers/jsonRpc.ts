import process from 'node:process';
import { createInterface } from 'node:readline';

export type Params = Readonly<Record<string, unknown>>;

export interface CallContext {
  readonly id: number | string;
  /** As the client sent it; `undefined` when it does not want progress. */
  readonly progressToken: unknown;
}

export type Handler = (params: Params, context: CallContext) => unknown;

export interface Options {
  /** By method. A handler that gives `noAnswer` leaves the request open. */
  readonly requests?: Readonly<Record<string, Handler>>;
  /** By method. */
  readonly notifications?: Readonly<Record<string, (params: Params) => void>>;
  /** Takes the result of a request that the server has made. */
  readonly answers?: (id: number | string, result: unknown) => void;
  /** Members of `capabilities`. */
  readonly capabilities?: Params;
  /** Writes one message; default: one line on stdout. */
  readonly write?: (message: string) => void;
}

export const noAnswer = Symbol('no answer');

/** Thrown by a handler to answer with a JSON-RPC error. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A server over stdio that does as its handlers say, right or wrong. Speaks any revision with `initialize`,
 * ends when its input does. Gives a function that sends a notification.
 */
export function serve({
  requests = {},
  notifications = {},
  answers = () => undefined,
  capabilities = { tools: {} },
  write = (message) => process.stdout.write(`${message}\n`),
}: Options): (method: string, params?: Params) => void {
  const send = (message: Params): void => write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const handlers: Readonly<Record<string, Handler>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities,
      serverInfo: { name: 'test server', version: '1.2.3' },
    }),
    ping: () => ({}),
    ...requests,
  };
  const receive = async (line: string): Promise<void> => {
    const {
      id,
      method,
      params = {},
      result: given,
    } = JSON.parse(line) as {
      id?: number | string;
      method?: string;
      result?: unknown;
      params?: Params;
    };
    if (method === undefined) {
      if (id !== undefined) answers(id, given);
      return;
    }
    if (id === undefined) {
      notifications[method]?.(params);
      return;
    }
    const handler = handlers[method];
    if (handler === undefined) {
      send({ id, error: { code: -32_601, message: `No method ${method}` } });
      return;
    }
    const meta = params['_meta'] as Params | undefined;
    try {
      const result = await handler(params, { id, progressToken: meta?.['progressToken'] });
      if (result !== noAnswer) send({ id, result });
    } catch (error: unknown) {
      const code = error instanceof RpcError ? error.code : -32_603;
      send({ id, error: { code, message: error instanceof Error ? error.message : 'bug' } });
    }
  };
  createInterface({ input: process.stdin }).on('line', (line) => void receive(line));
  return (method, params = {}) => send({ method, params });
}

/** A tool that takes any arguments. */
export function anyTool(name: string): Params {
  return { name, description: `Tool ${name}.`, inputSchema: { type: 'object' } };
}

export function textResult(text: string): Params {
  return { content: [{ type: 'text', text }] };
}
