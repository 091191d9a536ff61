import type * as vscode from 'vscode';
import { canonicalJson, isJsonObject } from '../base/json.ts';
import { shortHash } from '../core/hash.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import type { ToolCache } from '../core/tools/toolCache.ts';
import type { ToolDefinition } from '../core/tools/toolDefinition.ts';

const keyPrefix = 'mcpBridge.tools/';

/** Keeps tool lists where the entry lives: user servers in global state, the others in workspace state. */
export class MementoToolCache implements ToolCache {
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
    const stored = this.#memento(configuration).get<unknown>(keyPrefix + configuration.id);
    if (!isJsonObject(stored) || stored['launch'] !== launchHash(configuration)) return undefined;
    return stored['tools'];
  }

  write(configuration: ServerConfiguration, tools: readonly ToolDefinition[]): void {
    this.#memento(configuration)
      .update(keyPrefix + configuration.id, { launch: launchHash(configuration), tools })
      .then(undefined, this.#onError);
  }

  /** Forgets servers that are no longer configured. */
  retain(ids: ReadonlySet<string>): void {
    for (const memento of [this.#global, this.#workspace]) {
      for (const key of memento.keys()) {
        if (key.startsWith(keyPrefix) && !ids.has(key.slice(keyPrefix.length))) {
          memento.update(key, undefined).then(undefined, this.#onError);
        }
      }
    }
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
