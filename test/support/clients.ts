import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { ServerAnswer } from '../../src/core/tools/toolCall.ts';
import type { JsonObject } from '../../src/base/json.ts';
import type { McpServer } from '../../src/core/servers/mcpServers.ts';
import { Registrations, readClientOptions } from '../../src/core/servers/registrations.ts';
import { parseSettings } from '../../src/core/settings/parseSettings.ts';
import { RegisteredClients } from '../../src/mcp/registeredClients.ts';
import { eventually } from './eventually.ts';
import { RecordingLogger } from './recordingLogger.ts';

/** Registered clients as the bridge drives them; options are those of `registerClient`, each under its key. */
export class TestClients implements Disposable {
  readonly log = new RecordingLogger();
  readonly host: RegisteredClients;
  readonly #registrations = new Registrations();

  constructor() {
    this.host = new RegisteredClients({
      log: this.log,
      mayLaunch: ({ enabled }) => (enabled ? undefined : 'It is switched off.'),
    });
  }

  /** Registers a client and gives what ends that; the bridge takes both over with `update`. */
  async register(key: string, options: object): Promise<() => void> {
    const given = { extension: 'pub.ext', key, ...options };
    const registration = readClientOptions(given, (id) => id);
    await this.#registrations.add(registration);
    return () => this.#registrations.delete(registration);
  }

  /** Takes over what is registered, with `mcpBridge.servers` of the user laid over it. */
  update(userSettings: object = {}): void {
    const { configurations } = parseSettings([
      ...this.#registrations.layers,
      { origin: { scope: 'user' }, value: userSettings },
    ]);
    this.host.update(
      configurations.flatMap((configuration) => {
        const client = this.#registrations.client(configuration.id);
        return client === undefined ? [] : [{ configuration, client }];
      }),
    );
  }

  /** Registers one client, `it`, and waits until it runs or is in error. */
  static async of(options: object, settings: object = {}): Promise<TestClients> {
    const clients = new TestClients();
    await clients.register('it', options);
    clients.update({ it: settings });
    await clients.settled();
    return clients;
  }

  view(key = 'it'): McpServer | undefined {
    return this.host.servers.find(({ configuration }) => configuration.key === key);
  }

  async settled(key = 'it'): Promise<void> {
    await turn();
    await eventually(`${key} has started`, () => this.view(key)?.state.kind !== 'starting');
  }

  toolNames(key = 'it'): string[] {
    return (this.view(key)?.tools?.tools ?? []).map(({ name }) => name);
  }

  /** What the person reads about its tools, as `where: message`. */
  problems(key = 'it'): string[] {
    return (this.view(key)?.tools?.problems ?? []).map(
      ({ where, message }) => `${where}: ${message}`,
    );
  }

  call(
    tool: string,
    args: JsonObject = {},
    signal: AbortSignal = new AbortController().signal,
  ): Promise<ServerAnswer> {
    return this.host.callTool({
      serverId: 'extension:pub.ext/it',
      tool,
      arguments: args,
      signal,
    });
  }

  [Symbol.dispose](): void {
    this.host.dispose();
  }
}

/** The failure a call ended with. */
export function failureOf(answer: ServerAnswer): { code: string; message: string } {
  assert.ok(answer.kind === 'failure', JSON.stringify(answer));
  return { code: answer.code, message: answer.message };
}

const schema = { type: 'object', properties: {} };
/** A definition as a server lists it. */
export const tool = (name: string) => ({ name, description: name, inputSchema: schema });

/** A client with these tools that answers each call with what it was called with. */
export function duckOf(...tools: unknown[]) {
  const calls: unknown[] = [];
  return {
    calls,
    listTools: (): unknown => ({ tools }),
    callTool(params: unknown): unknown {
      calls.push(params);
      return { content: [] };
    },
  };
}
