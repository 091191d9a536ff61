import type * as vscode from 'vscode';
import { canonicalJson, isJsonObject, type JsonObject } from '../base/json.ts';
import { shortHash } from '../core/hash.ts';
import type { EraCache, EraVerdict } from '../core/servers/eraCache.ts';
import type { ServerLists } from '../core/servers/mcpServers.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import type { ToolCache } from '../core/tools/toolCache.ts';
import type { ToolDefinition } from '../core/tools/toolDefinition.ts';

const keyPrefix = 'mcpBridge.tools/';
const listsPrefix = 'mcpBridge.lists/';
const eraPrefix = 'mcpBridge.era/';
/** Most entries of a list of resources or prompts that are kept. */
const maxKept = 50;

/** Keeps what servers list, and what they speak, where the entry lives: user servers in global state, the others in workspace state. */
export class MementoToolCache implements ToolCache, EraCache {
  readonly #global: vscode.Memento;
  readonly #workspace: vscode.Memento;
  readonly #onError: (error: unknown) => void;

  constructor(
    { globalState, workspaceState }: vscode.ExtensionContext,
    onError: (error: unknown) => void,
  ) {
    this.#global = globalState;
    this.#workspace = workspaceState;
    this.#onError = onError;
  }

  read(configuration: ServerConfiguration): unknown {
    return this.#read(configuration, keyPrefix)?.['tools'];
  }

  write(configuration: ServerConfiguration, tools: readonly ToolDefinition[]): void {
    this.#write(configuration, keyPrefix, { tools });
  }

  readLists(configuration: ServerConfiguration): unknown {
    return this.#read(configuration, listsPrefix)?.['lists'];
  }

  writeLists(configuration: ServerConfiguration, { resources, prompts }: ServerLists): void {
    const lists = {
      resources: {
        resources: resources?.resources.slice(0, maxKept) ?? [],
        templates: resources?.templates.slice(0, maxKept) ?? [],
      },
      prompts: { prompts: prompts?.prompts.slice(0, maxKept) ?? [] },
    };
    this.#write(configuration, listsPrefix, { lists });
  }

  readEra(configuration: ServerConfiguration): unknown {
    return this.#read(configuration, eraPrefix);
  }

  writeEra(configuration: ServerConfiguration, verdict: EraVerdict | undefined): void {
    if (verdict !== undefined) this.#write(configuration, eraPrefix, verdict);
    else if (this.readEra(configuration) !== undefined) {
      const key = eraPrefix + configuration.id;
      this.#memento(configuration).update(key, undefined).then(undefined, this.#onError);
    }
  }

  /** Forgets servers that are no longer configured. */
  retain(ids: ReadonlySet<string>): void {
    for (const memento of [this.#global, this.#workspace]) {
      for (const key of memento.keys()) {
        const prefix = [keyPrefix, listsPrefix, eraPrefix].find((known) => key.startsWith(known));
        if (prefix !== undefined && !ids.has(key.slice(prefix.length))) {
          memento.update(key, undefined).then(undefined, this.#onError);
        }
      }
    }
  }

  #read(configuration: ServerConfiguration, prefix: string): JsonObject | undefined {
    const stored = this.#memento(configuration).get<unknown>(prefix + configuration.id);
    if (!isJsonObject(stored) || stored['launch'] !== launchHash(configuration)) return undefined;
    return stored;
  }

  #write(configuration: ServerConfiguration, prefix: string, value: object): void {
    this.#memento(configuration)
      .update(prefix + configuration.id, { launch: launchHash(configuration), ...value })
      .then(undefined, this.#onError);
  }

  #memento({ origin }: ServerConfiguration): vscode.Memento {
    return origin.scope === 'user' ? this.#global : this.#workspace;
  }
}

/** Of the launch as written, with the names but not the values of variables and headers: those may be secrets. */
function launchHash({ launch }: ServerConfiguration): string {
  if (launch.type === 'client') return launch.type;
  const names =
    launch.type === 'stdio'
      ? { ...launch, env: Object.keys(launch.env) }
      : { ...launch, headers: Object.keys(launch.headers) };
  return shortHash(canonicalJson(names), 16);
}
