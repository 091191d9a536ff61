import type { IncomingHttpHeaders } from 'node:http';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { FixtureError, asText, objectOf, objectsOf } from '../fixture.ts';
import { isMatch } from '../report.ts';

/** What a fake HTTP server does with the requests that fit. The first route that fits counts. */
export interface Route {
  readonly match: JsonObject;
  readonly respond: JsonObject;
}

/** A request as routes look at it. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON-RPC message in it, if there is one. */
  readonly message: JsonObject | undefined;
}

const matchers = ['method', 'path', 'pathPrefix', 'rpc', 'rpcNotification', 'header'];
const responses = [
  'status',
  'headers',
  'text',
  'json',
  'result',
  'noContentType',
  'bom',
  'sse',
  'eol',
  'chunkBytes',
  'then',
  'legacySse',
];
const sseMembers = [
  'comment',
  'id',
  'retry',
  'event',
  'data',
  'notify',
  'result',
  'pendingResult',
  'splitDataLines',
];
const endings = new Set<JsonValue>(['close', 'hold', 'reset']);

/** Reads routes. Throws a `FixtureError` for whatever the server would have to pass over. */
export function parseRoutes(value: JsonValue | undefined): Route[] {
  return objectsOf(value ?? [], 'routes').map((route) => {
    rejectOthers(route, ['match', 'respond'], 'route');
    const match = objectOf(route['match'], 'match');
    const respond = objectOf(route['respond'], 'respond');
    rejectOthers(match, matchers, '"match"');
    rejectOthers(respond, responses, '"respond"');
    const { sse, then, legacySse } = respond;
    if (sse !== undefined) {
      for (const event of objectsOf(sse, 'sse')) rejectOthers(event, sseMembers, '"sse"');
    }
    if (then !== undefined && !endings.has(then)) unknown('"then"', then);
    if (legacySse !== undefined) {
      rejectOthers(objectOf(legacySse, 'legacySse'), ['endpoint'], '"legacySse"');
    }
    return { match, respond };
  });
}

export function fits({ match }: Route, request: HttpRequest): boolean {
  const { method, path, pathPrefix, rpc, rpcNotification, header = {} } = match;
  const { message } = request;
  const isRequest = message?.['id'] !== undefined;
  const names = (wanted: JsonValue): boolean =>
    typeof message?.['method'] === 'string' && (wanted === '*' || wanted === message['method']);
  return (
    (method === undefined || method === request.method) &&
    (path === undefined || path === request.path) &&
    (pathPrefix === undefined || request.path.startsWith(asText(pathPrefix))) &&
    (rpc === undefined || (isRequest && names(rpc))) &&
    (rpcNotification === undefined || (!isRequest && names(rpcNotification))) &&
    Object.entries(objectOf(header, 'header')).every(([name, value]) =>
      isMatch(value, request.headers[name.toLowerCase()]),
    )
  );
}

/** The JSON-RPC message in a body. */
export function messageIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function rejectOthers(value: JsonObject, known: readonly string[], what: string): void {
  const foreign = Object.keys(value).filter((name) => !known.includes(name));
  if (foreign.length > 0) unknown(`member of ${what}`, foreign.join(', '));
}

function unknown(what: string, value: JsonValue): never {
  throw new FixtureError(`a route has an unknown ${what}: ${JSON.stringify(value)}`);
}
