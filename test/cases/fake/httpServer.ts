import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { asText, expand } from '../fixture.ts';
import { defaultAnswer } from './defaults.ts';
import { fill, type Placeholders } from './placeholders.ts';
import { fits, messageIn, parseRoutes, type HttpRequest, type Route } from './routes.ts';
import { eventText } from './serverSentEvents.ts';

/** A request that arrived. */
export interface SeenRequest {
  readonly at: 'server' | 'other';
  readonly http: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly message: JsonObject | undefined;
  /** Status of the answer, once there is one. */
  status?: number;
}

/** An MCP server over HTTP that does what routes say, and the usual elsewhere; beside it a second origin. */
export class FakeHttpServer implements AsyncDisposable {
  readonly seen: SeenRequest[] = [];
  readonly #routes: readonly Route[];
  /** Addresses of what stands beside it. */
  readonly #others: Placeholders;
  readonly #counts = new Map<string, number>();
  readonly #server: Server;
  readonly #other: Server;
  /** The open stream of the older transport, and where its messages are posted. */
  #legacy: { readonly response: ServerResponse; readonly endpoint: string } | undefined;
  /** The call that waits for its answer on another stream. */
  #pendingCall: JsonValue = null;

  private constructor(routes: readonly Route[], others: Placeholders) {
    this.#routes = routes;
    this.#others = others;
    this.#server = this.#listen('server', (request, response, note) =>
      this.#answer(request, response, note),
    );
    this.#other = this.#listen('other', async (request, response) =>
      answerUsual(request, response),
    );
  }

  /** Throws a `FixtureError` when a route cannot be carried out. */
  static async create(
    routes: JsonValue | undefined,
    others: Placeholders = {},
  ): Promise<FakeHttpServer> {
    const server = new FakeHttpServer(parseRoutes(expand(routes ?? [])), others);
    await Promise.all([server.#server, server.#other].map(opened));
    return server;
  }

  get base(): string {
    return originOf(this.#server);
  }

  /** Fills in the addresses. */
  addressed(value: JsonValue): JsonValue {
    return fill(value, this.#addresses());
  }

  /** Requests by JSON-RPC method, HTTP method or path, in the order of arrival. */
  requests(name: string): SeenRequest[] {
    return this.seen.filter(
      ({ at, http, path, message }) =>
        at === 'server' && [http, path, message?.['method']].includes(name),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(
      [this.#server, this.#other].map(async (server) => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }),
    );
  }

  #listen(
    at: SeenRequest['at'],
    answer: (request: HttpRequest, response: ServerResponse, note: SeenRequest) => Promise<void>,
  ): Server {
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const { method = '', url = '', headers } = incoming;
        const message = messageIn(text);
        const [path = ''] = url.split('?');
        const note: SeenRequest = { at, http: method, path: url, headers, text, message };
        this.seen.push(note);
        response.on('close', () => (note.status = response.statusCode));
        answer({ method, path, headers, text, message }, response, note).catch(() =>
          response.destroy(),
        );
      });
    });
    server.listen(0, '127.0.0.1');
    return server;
  }

  async #answer(request: HttpRequest, response: ServerResponse, note: SeenRequest): Promise<void> {
    const { message } = request;
    const name = asText(message?.['method'] ?? request.method);
    const n = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, n);
    if (name === 'tools/call') this.#pendingCall = message?.['id'] ?? null;
    const route = this.#routes.find((candidate) => fits(candidate, request));
    const values = this.#values(message ?? {}, n);
    if (route !== undefined) return this.#respond(route.respond, response, values, message);
    const legacy = this.#legacy;
    if (request.method === 'POST' && legacy !== undefined && note.path === legacy.endpoint) {
      response.writeHead(202).end();
      if (message?.['id'] !== undefined) {
        legacy.response.write(eventText({ event: 'message', data: usualBody(message) }, '\n'));
      }
      return undefined;
    }
    return answerUsual(request, response);
  }

  async #respond(
    respond: JsonObject,
    response: ServerResponse,
    values: Placeholders,
    message: JsonObject | undefined,
  ): Promise<void> {
    const { legacySse, sse, status = 200, noContentType, bom } = respond;
    const filled = (name: string): JsonValue => fill(respond[name] ?? null, values);
    const headers = { ...(filled('headers') as Record<string, string> | null) };
    if (legacySse !== undefined) {
      const endpoint = asText((filled('legacySse') as JsonObject)['endpoint']);
      this.#legacy = { response, endpoint };
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      response.write(eventText({ event: 'endpoint', data: endpoint }, '\n'));
      return;
    }
    if (Array.isArray(sse)) {
      response.writeHead(Number(status), headers).flushHeaders();
      const eol = asText(respond['eol'] ?? '\n');
      const events = (filled('sse') as JsonObject[]).map((event) =>
        eventText(this.#event(event, message), eol),
      );
      await writePieces(response, events.join(''), respond['chunkBytes']);
      return finish(response, respond['then']);
    }
    let text = respond['text'] === undefined ? '' : asText(filled('text'));
    let isJson = false;
    if (respond['json'] !== undefined) {
      text = JSON.stringify(filled('json'));
      isJson = true;
    } else if (respond['result'] !== undefined) {
      // The default answer may be an error, which is no result.
      const isUsual = respond['result'] === '{{DEFAULT}}';
      const body = { jsonrpc: '2.0', id: message?.['id'] ?? null, result: filled('result') };
      text = isUsual ? usualBody(message ?? {}) : JSON.stringify(body);
      isJson = noContentType !== true;
    }
    if (isJson) headers['Content-Type'] ??= 'application/json';
    response.writeHead(Number(status), headers).flushHeaders();
    await writePieces(response, `${bom === true ? '\uFEFF' : ''}${text}`, respond['chunkBytes']);
    await finish(response, respond['then']);
  }

  /** An event with the JSON-RPC message that it stands for as its data. */
  #event(event: JsonObject, message: JsonObject | undefined): JsonObject {
    const { notify, result, pendingResult, splitDataLines, ...plain } = event;
    let body: JsonObject | undefined;
    if (notify !== undefined) body = { jsonrpc: '2.0', ...(notify as JsonObject) };
    else if (result !== undefined) body = { jsonrpc: '2.0', id: message?.['id'] ?? null, result };
    else if (pendingResult !== undefined) {
      body = { jsonrpc: '2.0', id: this.#pendingCall, result: pendingResult };
    }
    if (body === undefined) return plain;
    return { ...plain, data: JSON.stringify(body, null, splitDataLines === true ? 1 : undefined) };
  }

  #values(message: JsonObject, n: number): Placeholders {
    return {
      ...this.#addresses(),
      N: () => String(n),
      ID: () => message['id'] ?? null,
      RPC_RESULT: () => usualBody(message),
      DEFAULT: () => {
        const answer = usualAnswer(message);
        return 'result' in answer ? answer.result : answer.error;
      },
    };
  }

  #addresses(): Placeholders {
    return { ...this.#others, BASE: () => this.base, OTHER_ORIGIN: () => originOf(this.#other) };
  }
}

/** What any path answers without a route. */
async function answerUsual(
  { method, path, message }: HttpRequest,
  response: ServerResponse,
): Promise<void> {
  const isMessage = method === 'POST' && typeof message?.['method'] === 'string';
  if (isMessage && message?.['id'] !== undefined) {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(usualBody(message));
  } else if (isMessage) response.writeHead(202).end();
  else if (method === 'DELETE') response.writeHead(200).end();
  else response.writeHead(method === 'GET' && !path.startsWith('/.well-known/') ? 405 : 404).end();
}

function usualAnswer({ method, params = {} }: JsonObject) {
  return defaultAnswer(asText(method), params as JsonObject);
}

function usualBody(message: JsonObject): string {
  return JSON.stringify({ jsonrpc: '2.0', id: message['id'] ?? null, ...usualAnswer(message) });
}

async function writePieces(
  response: ServerResponse,
  text: string,
  chunkBytes: JsonValue | undefined,
): Promise<void> {
  const bytes = Buffer.from(text, 'utf8');
  const size = typeof chunkBytes === 'number' ? chunkBytes : Math.max(1, bytes.length);
  for (let start = 0; start < bytes.length; start += size) {
    response.write(bytes.subarray(start, start + size));
    await turn();
  }
}

async function finish(response: ServerResponse, then: JsonValue | undefined): Promise<void> {
  if (then === 'hold') return;
  if (then === 'reset') {
    // What was written should arrive before.
    await pause(20);
    response.destroy();
  } else response.end();
}

async function opened(server: Server): Promise<void> {
  if (!server.listening) await new Promise((resolve) => server.once('listening', resolve));
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
