import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import { FixtureError, asText, objectOf, objectsOf } from '../fixture.ts';
import { fill, type Placeholders } from './placeholders.ts';

/** A request that the authorization server got; `body` is a form or JSON, by member. */
export interface SeenAuthRequest {
  readonly http: string;
  readonly path: string;
  readonly query: JsonObject;
  readonly body: JsonObject;
}

const members = new Set([
  'metadata',
  'metadataAt',
  'register',
  'token',
  'callback',
  'strictRedirectMatch',
  'rotateRefreshTokens',
]);

/** An authorization server whose pages need no person, and that does what a fixture says of it. */
export class FakeIssuer implements AsyncDisposable {
  readonly seen: SeenAuthRequest[] = [];
  /** The clients it knows. */
  readonly clients: JsonObject[] = [];
  readonly #rules: JsonObject;
  readonly #server: Server;
  /** Addresses, filled in whatever it answers. */
  placeholders: Placeholders = {};
  readonly #codes = new Map<string, string>();
  readonly #usedRefreshTokens = new Set<string>();
  #tokens = 0;

  private constructor(rules: JsonObject) {
    this.#rules = rules;
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () => {
        const url = new URL(incoming.url ?? '', 'http://issuer');
        const request: SeenAuthRequest = {
          http: incoming.method ?? '',
          path: url.pathname,
          query: Object.fromEntries(url.searchParams),
          body: bodyOf(Buffer.concat(chunks).toString('utf8')),
        };
        this.seen.push(request);
        this.#answer(request, response);
      });
    });
  }

  /** Throws a `FixtureError` when a rule is not known. */
  static async create(rules: JsonValue | undefined): Promise<FakeIssuer> {
    const issuer = objectOf(rules ?? {}, 'issuer');
    const foreign = Object.keys(issuer).filter((name) => !members.has(name));
    if (foreign.length > 0)
      throw new FixtureError(`"issuer" has unknown members: ${foreign.join(', ')}`);
    const server = new FakeIssuer(issuer);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #rule(name: string): JsonValue | undefined {
    return this.#rules[name] === undefined ? undefined : fill(this.#rules[name], this.placeholders);
  }

  #answer({ path, query, body }: SeenAuthRequest, response: ServerResponse): void {
    const places = this.#rule('metadataAt');
    const metadata = isJsonObject(places)
      ? places[path]
      : path === '/.well-known/oauth-authorization-server' && this.#rule('metadata');
    if (isJsonObject(metadata)) return json(response, 200, metadata);
    if (path === '/register') return this.#register(body, response);
    if (path === '/authorize') return this.#authorize(query, response);
    if (path === '/token') return this.#token(body, response);
    response.writeHead(404).end();
  }

  #register(body: JsonObject, response: ServerResponse): void {
    const rule = this.#rule('register');
    if (isJsonObject(rule)) return json(response, Number(rule['status']), rule['json'] ?? null);
    const client = { ...body, client_id: `dcr-${this.clients.length + 1}` };
    this.clients.push(client);
    json(response, 201, client);
  }

  #authorize(query: JsonObject, response: ServerResponse): void {
    const redirect = asText(query['redirect_uri']);
    if (this.#rule('strictRedirectMatch') === true && !this.isRegistered(query)) {
      response.writeHead(400).end('redirect_uri mismatch');
      return;
    }
    const callback = objectOf(this.#rule('callback') ?? {}, 'callback');
    const metadata = objectOf(this.#rule('metadata') ?? {}, 'metadata');
    const code = `code-${this.#codes.size + 1}`;
    this.#codes.set(code, redirect);
    const target = new URL(redirect);
    target.searchParams.set('code', code);
    target.searchParams.set('state', asText(callback['state'] ?? query['state']));
    const announces = metadata['authorization_response_iss_parameter_supported'] === true;
    const iss = callback['iss'] ?? (announces ? this.origin : undefined);
    if (iss !== undefined) target.searchParams.set('iss', asText(iss));
    response.writeHead(302, { Location: target.href }).end();
  }

  /** Whether the address the browser is to return to is one that the client has registered. */
  isRegistered(query: JsonObject): boolean {
    return this.clients.some(({ client_id: id, redirect_uris: addresses }) => {
      const isClient = id === query['client_id'];
      return (
        isClient && Array.isArray(addresses) && addresses.includes(query['redirect_uri'] ?? null)
      );
    });
  }

  #token(form: JsonObject, response: ServerResponse): void {
    const rules = objectsOf(this.#rule('token') ?? [], 'token');
    const rule = rules.find(({ when = {} }) =>
      Object.entries(objectOf(when, 'when')).every(([name, value]) => form[name] === value),
    );
    if (rule !== undefined) {
      const status = Number(rule['status']);
      if (rule['json'] !== undefined) return json(response, status, rule['json']);
      response.writeHead(status).end(asText(rule['text']));
      return;
    }
    const refreshToken = form['refresh_token'];
    if (form['grant_type'] === 'refresh_token') {
      const token = asText(refreshToken);
      const isUsed = this.#usedRefreshTokens.has(token);
      this.#usedRefreshTokens.add(token);
      if (this.#rule('rotateRefreshTokens') === true && isUsed) {
        return json(response, 400, { error: 'invalid_grant' });
      }
    } else if (this.#codes.get(asText(form['code'])) !== form['redirect_uri']) {
      return json(response, 400, { error: 'invalid_grant', error_description: 'code' });
    }
    this.#tokens += 1;
    json(response, 200, {
      access_token: `at${this.#tokens}`,
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: `rt${this.#tokens}`,
    });
  }
}

function bodyOf(text: string): JsonObject {
  if (!text.startsWith('{')) return Object.fromEntries(new URLSearchParams(text));
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}

function json(response: ServerResponse, status: number, value: JsonValue): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
