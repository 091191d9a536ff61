import { ProtocolError, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { Emitter, type Event } from '../base/event.ts';
import type { JsonObject } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import { sessionLost } from '../core/failures.ts';
import { readPrompts, type ServerPrompts } from '../core/prompts/promptDefinition.ts';
import { readResources, readResourceTemplates } from '../core/resources/resourceDefinition.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import type { CompletionReference } from '../core/servers/serverRequests.ts';
import { defaultLimits } from '../core/settings/limits.ts';
import type { RunningCalls } from './callClock.ts';
import type { ClientHandlers } from './clientHandlers.ts';
import { isSessionLost } from './httpFailure.ts';
import { rawResult } from './lenientMessages.ts';
import { listTools, toolsPage, type ListLimits } from './listTools.ts';
import type { ListChanges } from './listChanges.ts';
import { requestFailure } from './requestFailure.ts';
import { SessionCalls, type ToolCallOptions } from './sessionCalls.ts';
import { SessionCheck, forgotten } from './sessionCheck.ts';
import { readList, type ListMethod, type ListOptions } from './sessionLists.ts';
import { newTrace, type TraceContext } from './traceContext.ts';

/** What a transport knows that the SDK client does not. */
export interface SessionTransport {
  readonly kind: 'stdio' | 'http' | 'sse';
  readonly pid?: number | undefined;
  /** Why the connection ended, in words. */
  endReason(): string;
  /** The end of what a local server wrote to stderr. */
  lastWords?(): string;
  /** Whether the server gave the session an id, which it may forget. */
  hasSession?(): boolean;
  /** Closes the connection; of a local server, stops the process tree. Never rejects. */
  close(): Promise<void>;
}

/** Of one request other than a tool call. */
export interface RequestOptions {
  /** The settings key of the server, for messages. */
  readonly server: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
  /** Default: a new one. */
  readonly trace?: TraceContext;
}

export interface SessionOptions {
  readonly client: Client;
  readonly calls: RunningCalls;
  readonly handlers: ClientHandlers;
  readonly transport: SessionTransport;
  readonly changes: ListChanges;
  readonly log: Logger;
}

/** Most characters of a server's instructions that are kept. */
const maxInstructions = 8192;

/** A session that has been initialised; there is none before the handshake succeeded. */
export class Session implements Disposable {
  readonly transport: SessionTransport;
  readonly onDidClose: Event<void>;
  /** What the server tells of changes of its lists. */
  readonly changes: ListChanges;
  readonly #client: Client;
  readonly #calls: SessionCalls;
  readonly #didClose: Emitter<void>;
  readonly #running: RunningCalls;
  readonly #check: SessionCheck;
  /** Why we gave the session up, if we did. */
  #lost: string | undefined;

  constructor({ client, calls, handlers, transport, changes, log }: SessionOptions) {
    this.#client = client;
    const listTools = (seconds: number, signal: AbortSignal) => this.listTools(seconds, signal);
    const endReason = (): string => this.endReason;
    this.#running = calls;
    this.#calls = new SessionCalls({ client, calls, handlers, transport, listTools, endReason });
    this.transport = transport;
    this.changes = changes;
    this.#didClose = new Emitter<void>((error) => log.error(String(error)));
    this.onDidClose = this.#didClose.event;
    const { onclose } = client;
    client.onclose = () => {
      onclose?.();
      changes.dispose();
      this.#didClose.fire();
    };
    this.#check = new SessionCheck({ client, calls, isLost: (error) => this.#isLost(error) });
    changes.start();
  }

  get protocolVersion(): string {
    return this.#client.getNegotiatedProtocolVersion() ?? 'unknown';
  }

  /** Whether it speaks 2026-07-28 or newer, without a handshake. */
  get isModern(): boolean {
    return this.#client.getProtocolEra() === 'modern';
  }

  /** What the server says of itself (MCP specification, `InitializeResult.instructions`), cut to a bearable length. */
  get instructions(): string | undefined {
    return this.#client.getInstructions()?.slice(0, maxInstructions).toWellFormed();
  }

  get serverInfo(): { name: string; version: string } | undefined {
    const info = this.#client.getServerVersion();
    return info === undefined ? undefined : { name: info.name, version: info.version };
  }

  /** Why the session ended, in words. */
  get endReason(): string {
    return this.#lost ?? this.transport.endReason();
  }

  /**
   * Asks a remote server whether it is still there; `onDidClose` tells when it is not. Never rejects. Within
   * 15 s; a local server is not asked, its process tells.
   */
  async verify(): Promise<void> {
    if (this.transport.kind === 'stdio') return;
    const reason = await this.#check.run();
    if (reason !== undefined) this.#lose(reason);
  }

  /** All pages of `tools/list`; a server that has no such method has no tools. */
  async listTools(
    timeoutSeconds: number,
    signal: AbortSignal,
    limits: ListLimits = defaultLimits,
  ): Promise<ServerTools> {
    const listed = await listTools(async (cursor) => {
      const params = cursor === undefined ? {} : { cursor };
      try {
        const options = { timeout: timeoutSeconds * 1000, signal };
        const result = await this.#client.request(
          { method: 'tools/list', params },
          z.unknown(),
          options,
        );
        return toolsPage.parse(rawResult(result));
      } catch (error: unknown) {
        if (error instanceof ProtocolError && error.code === methodNotFound) return { tools: [] };
        if (this.#isLost(error)) this.#lose(forgotten);
        throw error;
      }
    }, limits);
    return this.#calls.learn(listed);
  }

  /** All pages of `resources/list`; none when the server has no resources. */
  async listResources(options: ListOptions): Promise<ReturnType<typeof readResources>> {
    const { items, problems } = await this.#list('resources/list', options);
    const read = readResources(items);
    return { resources: read.resources, problems: [...problems, ...read.problems] };
  }

  /** All pages of `resources/templates/list`; none when the server has no resources. */
  async listResourceTemplates(
    options: ListOptions,
  ): Promise<ReturnType<typeof readResourceTemplates>> {
    const { items, problems } = await this.#list('resources/templates/list', options);
    const read = readResourceTemplates(items);
    return { templates: read.templates, problems: [...problems, ...read.problems] };
  }

  /** All pages of `prompts/list`; none when the server has no prompts. */
  async listPrompts(options: ListOptions): Promise<ServerPrompts> {
    const { items, problems } = await this.#list('prompts/list', options);
    const read = readPrompts(items);
    return { prompts: read.prompts, problems: [...problems, ...read.problems] };
  }

  /** `resources/read`. Gives the raw result; this and the next two fail as `callTool` does. */
  readResource(uri: string, options: RequestOptions): Promise<unknown> {
    const wish = `read the resource "${uri.slice(0, 500)}"`;
    return this.#request('resources/read', { uri }, { ...options, wish });
  }

  /** `prompts/get`. Gives the raw result. */
  getPrompt(
    name: string,
    args: ReadonlyMap<string, string>,
    options: RequestOptions,
  ): Promise<unknown> {
    const params = { name, arguments: Object.fromEntries(args) };
    return this.#request('prompts/get', params, { ...options, wish: `give the prompt "${name}"` });
  }

  /** `completion/complete`. Gives the raw result; an empty one when the server has no completions. */
  async complete(
    reference: CompletionReference,
    argument: { readonly name: string; readonly value: string },
    known: ReadonlyMap<string, string>,
    options: RequestOptions,
  ): Promise<unknown> {
    if (this.#client.getServerCapabilities()?.completions === undefined) return {};
    const context = known.size > 0 && { context: { arguments: Object.fromEntries(known) } };
    const params = { ref: { ...reference }, argument: { ...argument }, ...context };
    const wish = `complete the argument "${argument.name}"`;
    return this.#request('completion/complete', params, { ...options, wish });
  }

  /**
   * `tools/call`, followed to its end when it runs as a task. Gives the raw result. Cancel and timeout tell the
   * server (`notifications/cancelled`, `tasks/cancel`).
   * Throws a `BridgeError` with the sentence for the model, or the reason of the signal.
   */
  callTool(options: ToolCallOptions): Promise<unknown> {
    return this.#calls.call(options);
  }

  /** Whether a call runs, or the person has not yet answered a question of the server. */
  get isBusy(): boolean {
    return !this.#running.isEmpty || this.#running.isPersonAsked;
  }

  /** Ends the session and resolves when its process tree or connection is gone. */
  async close(): Promise<void> {
    this.dispose();
    await this.transport.close();
  }

  /** Nobody is told of the end any more. */
  dispose(): void {
    this.#check.dispose();
    this.changes.dispose();
    this.#didClose.dispose();
  }

  /** Tells the owner that the session is of no use any more. */
  #lose(reason: string): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    this.#didClose.fire();
  }

  /** Whether the server has forgotten the session. */
  #isLost(error: unknown): boolean {
    return this.transport.hasSession?.() === true && isSessionLost(error);
  }

  async #list(method: ListMethod, { seconds, maxPages, signal }: ListOptions) {
    const { resources, prompts } = this.#client.getServerCapabilities() ?? {};
    const capability = method === 'prompts/list' ? prompts : resources;
    if (capability === undefined) return { items: [], problems: [] };
    const options = { timeout: seconds * 1000, signal };
    return readList(method, maxPages, async (params) => {
      try {
        return rawResult(await this.#client.request({ method, params }, z.unknown(), options));
      } catch (error: unknown) {
        if (error instanceof ProtocolError && error.code === methodNotFound) return undefined;
        if (this.#isLost(error)) this.#lose(forgotten);
        throw error;
      }
    });
  }

  async #request(
    method: 'resources/read' | 'prompts/get' | 'completion/complete',
    params: JsonObject,
    {
      server,
      seconds,
      signal,
      wish,
      trace = newTrace(),
    }: RequestOptions & { readonly wish: string },
  ): Promise<unknown> {
    try {
      const options = { signal, timeout: seconds * 1000 };
      const traced = { ...params, _meta: { traceparent: trace.traceparent } };
      const request = { method, params: traced };
      return rawResult(await this.#client.request(request, z.unknown(), options));
    } catch (error: unknown) {
      signal.throwIfAborted();
      if (this.#isLost(error)) throw sessionLost(server, error);
      throw requestFailure(error, { server, wish, seconds, endReason: this.endReason });
    }
  }
}

/** JSON-RPC error code "Method not found". */
const methodNotFound = -32601;
