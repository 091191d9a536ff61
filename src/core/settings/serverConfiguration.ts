import type { Limits } from './limits.ts';

/**
 * The settings file an entry stands in. `folder` is the settings file of one folder of a multi-root workspace;
 * `extension` is none: another extension registered the entry through our API.
 */
export type SettingsScope = 'extension' | 'user' | 'workspace' | 'folder';

export interface WorkspaceFolder {
  readonly name: string;
  readonly uri: string;
  /** Path in the file system of the extension host. */
  readonly path: string;
}

export interface ConfigurationOrigin {
  readonly scope: SettingsScope;
  /** The folder whose settings define the server; with scope `workspace`, the first folder of the workspace. */
  readonly folder?: WorkspaceFolder;
  /** With scope `extension`: the id of the extension, as it gave it. */
  readonly extension?: string;
}

/** How a local server is started (MCP specification, "Transports", stdio). Strings may hold `${…}` variables. */
export interface StdioLaunch {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** Laid over the safe default environment; `null` removes a variable. */
  readonly env: Readonly<Record<string, string | null>>;
  /** File of `KEY=VALUE` lines, read before `env`. */
  readonly envFile?: string;
}

/** Where a remote server is: Streamable HTTP (`http`, falls back to HTTP+SSE) or HTTP+SSE only (`sse`). */
export interface HttpLaunch {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How to sign in where the server wants that; missing: with what the server offers. */
  readonly auth?: AuthSettings | false;
}

/** A client that was registered by hand, and wishes for the sign-in (MCP specification, "Authorization"). */
export interface AuthSettings {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** Asked for in addition to what the server asks for. */
  readonly scopes?: readonly string[];
  /** Port of `http://127.0.0.1:<port>/callback`, where the client is registered with a fixed one. */
  readonly redirectPort?: number;
  /** HTTPS address of a client ID metadata document. */
  readonly clientMetadataUrl?: string;
}

export type ServerLaunch = StdioLaunch | HttpLaunch;

/** Not launched by us: an extension connected the client and registered it. */
export interface ClientLaunch {
  readonly type: 'client';
}

/** When a call needs the person's consent; what the server claims of a tool bears on it, see `confirmVerdict`. */
export type ConfirmRule = 'always' | 'writes' | 'never';

/** One rule for all tools, or glob patterns on tool names in the order written: an exact name wins, then the first that matches. */
export type Confirm = ConfirmRule | readonly (readonly [pattern: string, rule: ConfirmRule])[];

/** Which revisions are spoken: `legacy` those with `initialize` (to 2025-11-25), `modern` 2026-07-28, `auto` what fits. */
export type Protocol = 'auto' | 'modern' | 'legacy';

type StartMode = 'auto' | 'onUse' | 'manual';

/** All in seconds. */
export interface Timeouts {
  /** From the start to the end of the handshake. */
  readonly connect: number;
  /** Silence during a call; progress notifications start it anew. */
  readonly call: number;
  /** A whole call, progress or not. */
  readonly total: number;
  /** Other limits for the calls of some tools: glob patterns on tool names in the order written, chosen as in `Confirm`. */
  readonly tools?: readonly (readonly [
    pattern: string,
    limits: { readonly call?: number; readonly total?: number },
  ])[];
}

export const defaultTimeouts: Timeouts = { connect: 30, call: 60, total: 600 };

/** One entry of `mcpBridge.servers`, as written (variables not yet expanded) with defaults filled in. */
export interface ServerConfiguration {
  /** Unique among all entries of a window: scope, folder and key. */
  readonly id: string;
  /** The settings key: what people call the server. */
  readonly key: string;
  readonly origin: ConfigurationOrigin;
  readonly launch: ServerLaunch | ClientLaunch;
  readonly enabled: boolean;
  readonly start: StartMode;
  /** Minutes without a call after which a running server is stopped until the next call; 0: never. */
  readonly idleStop: number;
  readonly protocol: Protocol;
  /** Put before tool names; `undefined` means the key. */
  readonly prefix?: string;
  /** Globs on the server's own tool names. */
  readonly allow: readonly string[];
  /** Further allowlists from narrower scopes: a tool must pass each of them too. */
  readonly narrowed?: readonly (readonly string[])[];
  readonly deny: readonly string[];
  readonly confirm: Confirm;
  /** Whether `readOnlyHint` of this server spares a call its question; only the user's own settings can say so. */
  readonly trustAnnotations: boolean;
  readonly expose: 'tools' | 'search';
  /** What becomes of a tool that was not there when the server was first accepted: it is offered, or waits for the person. */
  readonly newTools: 'allow' | 'ask';
  /** What becomes of a tool whose definition has changed; only the user's own settings can let it pass. */
  readonly changedTools: 'block' | 'allow';
  /** The server's own name of a tool → the name that follows the prefix. */
  readonly rename: ReadonlyMap<string, string>;
  /** Where room for tools is short, servers of higher priority keep theirs. */
  readonly priority: number;
  /** Globs on the server's own tool names: these come before all that are not pinned. */
  readonly pin: readonly string[];
  /** Whether agents may read the server's resources through a tool. */
  readonly resources: boolean;
  /** Whether the server may ask the person something during a call. */
  readonly elicitation: boolean;
  /** Whether the server may ask to use one of the editor's language models during a call. */
  readonly sampling: boolean;
  /** Whether the server's prompts are listed. */
  readonly prompts: boolean;
  readonly limits: Limits;
  readonly timeouts: Timeouts;
}

/** The id of the entry `key` of the given settings file. */
export function serverId(key: string, origin: ConfigurationOrigin): string {
  // Encoded, because addresses and keys may both hold the slash that stands between them.
  switch (origin.scope) {
    case 'folder':
      return `folder:${encodeURIComponent(origin.folder?.uri ?? '')}/${key}`;
    case 'extension':
      return `extension:${encodeURIComponent(origin.extension ?? '')}/${key}`;
    case 'user':
    case 'workspace':
      return `${origin.scope}/${key}`;
  }
}

/** Where a server comes from, as a sentence without its full stop. */
export function definedIn({ scope, extension = '' }: ConfigurationOrigin): string {
  if (scope === 'extension') return `The server was registered by the extension ${extension}`;
  return `The server is defined in your ${scope} settings`;
}
