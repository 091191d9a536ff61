import * as vscode from 'vscode';
import type { McpBridgeApi, ToolCallResult } from '../api.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Event } from '../base/event.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import {
  readClientOptions,
  readServerDefinition,
  type Registration,
  type Registrations,
} from '../core/servers/registrations.ts';
import type { ToolCatalog } from '../core/tools/toolCatalog.ts';
import type { ToolCallOutcome } from '../core/tools/toolCall.ts';
import { apiDigests, bridgedServers, bridgedTools, toToolCallResult } from './apiSnapshots.ts';
import { withCancellation } from './cancellation.ts';
import type { MetaToolSource } from './metaTools.ts';

export interface BridgeApiOptions {
  readonly registrations: Registrations;
  /** Takes over what is registered now. */
  readonly reload: () => Promise<void>;
  readonly source: () => MetaToolSource | undefined;
  readonly onDidChangeCatalog: Event<void>;
  readonly onError: (error: unknown) => void;
}

/** Serves `McpBridgeApi` to other extensions until it is disposed. */
export class BridgeApi implements Disposable {
  /** What `activate` returns. */
  readonly api: McpBridgeApi;
  readonly #options: BridgeApiOptions;
  readonly #didChangeTools = new vscode.EventEmitter<void>();
  readonly #didChangeServers = new vscode.EventEmitter<void>();
  readonly #subscription: Disposable;
  #digests = apiDigests(emptyCatalog);
  /** Made when somebody asks. */
  #tools: McpBridgeApi['tools'] | undefined;
  #servers: McpBridgeApi['servers'] | undefined;
  #isDisposed = false;

  constructor(options: BridgeApiOptions) {
    this.#options = options;
    this.#subscription = options.onDidChangeCatalog(() => this.#update());
    const tools = (): McpBridgeApi['tools'] => (this.#tools ??= bridgedTools(this.#catalog()));
    const servers = (): McpBridgeApi['servers'] =>
      (this.#servers ??= bridgedServers(this.#catalog()));
    this.api = Object.freeze<McpBridgeApi>({
      version: 1,
      registerServer: async (definition) =>
        this.#register(() => readServerDefinition(definition, installedId)),
      registerClient: async (client) =>
        this.#register(() => readClientOptions(client, installedId)),
      get tools() {
        return tools();
      },
      onDidChangeTools: this.#didChangeTools.event,
      get servers() {
        return servers();
      },
      onDidChangeServers: this.#didChangeServers.event,
      callTool: async (name, args, token) => this.#callTool(name, args, token),
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#tools = undefined;
    this.#servers = undefined;
    this.#subscription.dispose();
    this.#didChangeTools.dispose();
    this.#didChangeServers.dispose();
  }

  #catalog(): ToolCatalog {
    this.#assertAlive();
    return this.#options.source()?.catalog ?? emptyCatalog;
  }

  #update(): void {
    const before = this.#digests;
    this.#digests = apiDigests(this.#catalog());
    if (before.tools !== this.#digests.tools) {
      this.#tools = undefined;
      this.#didChangeTools.fire();
    }
    if (before.servers !== this.#digests.servers) {
      this.#servers = undefined;
      this.#didChangeServers.fire();
    }
  }

  async #register(read: () => Registration): Promise<vscode.Disposable> {
    this.#assertAlive();
    const { registrations, reload, onError } = this.#options;
    const registration = read();
    await registrations.add(registration);
    let isRegistered = true;
    const remove = (): void => {
      if (!isRegistered) return;
      isRegistered = false;
      registrations.delete(registration);
      if (!this.#isDisposed) reload().catch(onError);
    };
    try {
      this.#assertAlive();
      await reload();
      this.#assertAlive();
    } catch (error: unknown) {
      remove();
      throw error;
    }
    return new vscode.Disposable(remove);
  }

  async #callTool(
    name: unknown,
    input: unknown,
    token: vscode.CancellationToken | undefined,
  ): Promise<ToolCallResult> {
    this.#assertAlive();
    const caller = this.#options.source()?.caller;
    if (typeof name !== 'string' || caller === undefined) {
      return failure(`There is no tool "${String(name).slice(0, 100)}": no server has tools now.`);
    }
    const args = argumentsOf(input);
    if (args === undefined) {
      return failure(`The arguments for "${name}" must be a JSON object, so it was not called.`);
    }
    const source = new vscode.CancellationTokenSource();
    try {
      return await withCancellation(token ?? source.token, async (signal) => {
        return toToolCallResult(await caller.call(name, args, { signal }));
      });
    } finally {
      source.dispose();
    }
  }

  #assertAlive(): void {
    if (!this.#isDisposed) return;
    throw new Error(
      'MCP Bridge was deactivated. Get its API anew: await vscode.extensions.getExtension("mcp-bridge.mcp-bridge")?.activate().',
    );
  }
}

const emptyCatalog: ToolCatalog = { servers: [], tools: new Map() };

function installedId(id: string): string | undefined {
  return vscode.extensions.getExtension(id)?.id;
}

/** A copy, so that what was approved is what is called. `undefined` if it is no JSON object. */
function argumentsOf(input: unknown): JsonObject | undefined {
  if (input === undefined) return {};
  try {
    const copy: unknown = JSON.parse(JSON.stringify(input));
    return isJsonObject(copy) ? copy : undefined;
  } catch {
    return undefined;
  }
}

function failure(message: string): ToolCallResult {
  const outcome: ToolCallOutcome = { kind: 'failure', code: 'notAllowed', message };
  return toToolCallResult(outcome);
}
