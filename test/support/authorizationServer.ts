import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import type { Certificate } from './tlsFront.ts';

/** Seconds that an access token is good for. */
export const tokenSeconds = 4;

/** A request to the authorization server that a test counts. */
export interface TokenRequest {
  readonly path: string;
  readonly form: URLSearchParams;
}

/** An authorization server as people run them, and an MCP server that asks for its tokens; both on this machine. */
export class ProtectedServer implements AsyncDisposable {
  readonly issuer: string;
  readonly url: string;
  /** Requests for tokens and their revocation, in order. */
  readonly seen: TokenRequest[] = [];
  /** Names of the tools that were called. */
  readonly calls: string[] = [];
  readonly #servers: readonly Server[];
  readonly #provider: Provider;

  private constructor(issuerServer: Server, mcpServer: Server, isSecure: boolean) {
    this.#servers = [issuerServer, mcpServer];
    this.issuer = isSecure ? originOf(issuerServer, 'https') : originOf(issuerServer);
    this.url = `${originOf(mcpServer)}/mcp`;
    const { url } = this;
    this.#provider = new Provider(this.issuer, {
      cookies: { keys: ['a key for the tests'] },
      findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
      scopes: ['openid', 'offline_access', 'read', 'write'],
      rotateRefreshToken: true,
      ttl: {
        AccessToken: tokenSeconds,
        Grant: 600,
        Interaction: 600,
        RefreshToken: 600,
        Session: 600,
      },
      issueRefreshToken: () => true,
      features: {
        devInteractions: { enabled: true },
        registration: { enabled: true },
        revocation: { enabled: true },
        resourceIndicators: {
          enabled: true,
          defaultResource: () => url,
          useGrantedResource: () => true,
          getResourceServerInfo: () => ({
            scope: 'read write',
            audience: url,
            accessTokenTTL: tokenSeconds,
            accessTokenFormat: 'opaque',
          }),
        },
      },
    });
    const answer = this.#provider.callback();
    issuerServer.on('request', (request, response) => {
      this.#note(request);
      void answer(request, response);
    });
    mcpServer.on('request', (request, response) => {
      this.#serve(request, response).catch((error: unknown) => {
        response.writeHead(500).end(String(error));
      });
    });
  }

  /** `certificate`: the authorization server is at `https://127.0.0.2` then, which no web editor takes for its own machine. */
  static async create(certificate?: Certificate): Promise<ProtectedServer> {
    const issuer = certificate === undefined ? createServer() : createSecureServer(certificate);
    const servers = [issuer, createServer()] as const;
    const hosts = [certificate === undefined ? '127.0.0.1' : '127.0.0.2', '127.0.0.1'];
    for (const [index, server] of servers.entries()) {
      await new Promise<void>((resolve) => server.listen(0, hosts[index], resolve));
    }
    return new ProtectedServer(...servers, certificate !== undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }

  /** Keeps the form of a request while the provider reads it too. */
  #note(request: IncomingMessage): void {
    const path = request.url ?? '';
    if (request.method !== 'POST' || !/^\/token(?:\/revocation)?$/.test(path)) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.seen.push({ path, form: new URLSearchParams(Buffer.concat(chunks).toString('utf8')) });
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const metadata = '/.well-known/oauth-protected-resource/mcp';
    if (request.url === metadata) {
      const { issuer, url } = this;
      json(response, 200, {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ['read'],
      });
      return;
    }
    const body = await bodyOf(request);
    const refuse = (status: number, parameters: string): void => {
      const where = `resource_metadata="${new URL(metadata, this.url).href}"`;
      response.setHeader('WWW-Authenticate', `Bearer ${parameters}, ${where}`);
      json(response, status, {});
    };
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? [];
    const found = token === '' ? undefined : await this.#provider.AccessToken.find(token);
    if (found === undefined || !found.isValid) return refuse(401, 'scope="read"');
    if (request.method !== 'POST') return json(response, 405, {});
    const scopes = new Set(found.scope?.split(' '));
    this.#answer(body, scopes, response, refuse);
  }

  #answer(
    body: string,
    scopes: ReadonlySet<string>,
    response: ServerResponse,
    refuse: (status: number, parameters: string) => void,
  ): void {
    const { id, method, params } = JSON.parse(body) as {
      id?: number;
      method: string;
      params?: { name?: string; protocolVersion?: string };
    };
    if (id === undefined) return void response.writeHead(202).end();
    if (method === 'tools/call' && params?.name === 'write' && !scopes.has('write')) {
      return refuse(403, 'error="insufficient_scope", scope="write"');
    }
    if (method === 'tools/call') this.calls.push(params?.name ?? '');
    json(response, 200, { jsonrpc: '2.0', id, ...answerTo(method, params) });
  }
}

function answerTo(
  method: string,
  params: { name?: string; protocolVersion?: string } = {},
): object {
  const tool = (name: string): object => ({ name, inputSchema: { type: 'object' } });
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'protected', version: '1' },
        },
      };
    case 'tools/list':
      return { result: { tools: [tool('read'), tool('write')] } };
    case 'tools/call':
      return { result: { content: [{ type: 'text', text: `did ${params.name}` }] } };
    default:
      return { error: { code: -32_601, message: `No method ${method}` } };
  }
}

function originOf(server: Server, scheme = 'http'): string {
  const { address, port } = server.address() as AddressInfo;
  return `${scheme}://${address}:${port}`;
}

function json(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
