/**
 * The API of MCP Bridge for other extensions, version 1. This file stands alone: copy it into your
 * extension for its types.
 *
 * ```ts
 * const bridge = await vscode.extensions
 *   .getExtension<McpBridgeApi>('mcp-bridge.mcp-bridge')
 *   ?.activate();
 * if (bridge?.version === 1) {
 *   context.subscriptions.push(
 *     await bridge.registerServer({
 *       extension: context.extension.id,
 *       key: 'weather',
 *       entry: { command: 'npx', args: ['-y', 'weather-mcp'], allow: ['get_*'] },
 *     }),
 *   );
 * }
 * ```
 *
 * The objects you get are frozen snapshots. Once the bridge is deactivated, every member except the events
 * throws (methods that give a promise reject) with an `Error` that says so.
 */
import type { CancellationToken, Disposable, Event } from 'vscode';

export interface McpBridgeApi {
  /** Changes when something here changes in an incompatible way. New members may come without it. */
  readonly version: 1;

  /**
   * Adds a server that the bridge starts or connects to, as if it stood in the settings, for as long as
   * the result is not disposed. Its tools get their names, filters, approvals and rows in the sidebar like
   * those of any other server.
   *
   * The person keeps the last word: an entry of the same key in the user settings, without `command`
   * and `url`, is laid over yours and may decide everything except how the server is launched; one in
   * workspace settings may tighten it.
   *
   * Resolves when the definition is taken over; it does not wait for the server. Rejects with an `Error`
   * whose message names the place and the reason when something in the definition is wrong.
   */
  registerServer(definition: ServerDefinition): Promise<Disposable>;

  /**
   * Adds a client that you connected yourself: anything with `listTools` and `callTool`, such as the `Client`
   * of the official TypeScript SDK (`@modelcontextprotocol/sdk` 1.x or `@modelcontextprotocol/client` 2.x). The bridge
   * never closes it. What it gives is checked and limited like what a server sends.
   *
   * Disposing the result takes its tools away and gives up calls that are running. Settings of the same
   * key are laid over it, and errors are reported, as with `registerServer`.
   */
  registerClient(options: ClientOptions): Promise<Disposable>;

  /** Every tool of every server, those left out included. */
  readonly tools: readonly BridgedTool[];

  /** Fires when `tools` has changed. */
  readonly onDidChangeTools: Event<void>;

  /** Every server and registered client. */
  readonly servers: readonly BridgedServer[];

  /** Fires when `servers` has changed. */
  readonly onDidChangeServers: Event<void>;

  /**
   * Calls a tool the way an agent's call goes: the arguments are checked against the tool's schema, and the
   * person is asked where their rules say so, in a dialog that shows the tool and the arguments.
   *
   * Whatever keeps the call from being answered (no such tool, wrong arguments, refused by the person,
   * server not available, timeout) is a result with `isError` and one sentence of text, as a model would
   * get it. Rejects with a `CancellationError` when the token is cancelled.
   *
   * @param name The `name` of one of `tools`.
   * @param args A JSON object; left out, it is `{}`.
   */
  callTool(name: string, args?: object, token?: CancellationToken): Promise<ToolCallResult>;
}

/** What servers and clients have in common. */
interface RegistrationOptions {
  /** Id of your extension: `context.extension.id`. People see it as the origin of the server. */
  readonly extension: string;
  /** What people call the server: its name in the sidebar and, unless `prefix` is set, the prefix of its tools. 1 to 64 characters. */
  readonly key: string;
}

export interface ServerDefinition extends RegistrationOptions {
  /** The same as an entry of the setting `mcpBridge.servers`. Variables such as `${env:NAME}` work. */
  readonly entry: ServerEntry;
}

/**
 * How the tools of a server are offered. Globs match the server's own tool names. What would ask the person
 * less often (`confirm`, `trustAnnotations`) or raise limits is for the user settings: here it is ignored
 * and reported.
 */
export interface ToolOptions {
  /** Put before tool names as `<prefix>__<tool>`; `''` for none. A server of the user's own keeps its prefix against yours. */
  readonly prefix?: string;
  /** Only tools that match one of these globs are offered. Default: all. */
  readonly allow?: readonly string[];
  /** Tools that match one of these globs are left out, also when they are allowed. */
  readonly deny?: readonly string[];
  /** When a call needs consent; from an extension only `'always'`, which is the default. */
  readonly confirm?: Confirm | { readonly [glob: string]: Confirm };
  /** `'search'`: agents reach the tools through the bridge's find and call tools only. */
  readonly expose?: 'tools' | 'search';
  /** The server's own name of a tool → the name that follows the prefix. */
  readonly rename?: { readonly [tool: string]: string };
  /** Where there is no room for all tools, servers of higher priority keep theirs. -1000 to 1000. */
  readonly priority?: number;
  /** Globs: these tools come before all that are not pinned. */
  readonly pin?: readonly string[];
  /** Seconds: `connect` for a start or one page of tools, `call` for silence during a call, `total` for a whole call. */
  readonly timeouts?: {
    readonly connect?: number;
    readonly call?: number;
    readonly total?: number;
    /** Globs on tool names → their own limits; an exact name wins, then the first pattern that matches. */
    readonly tools?: {
      readonly [glob: string]: { readonly call?: number; readonly total?: number };
    };
  };
}

/** When a call needs the person's consent: always, unless the server claims that the tool only reads, or never. */
export type Confirm = 'always' | 'writes' | 'never';

/** A program on this machine (`command`) or a remote server (`url`). */
export interface ServerEntry extends ToolOptions {
  readonly type?: 'stdio' | 'http' | 'sse';
  readonly command?: string;
  readonly args?: readonly string[];
  /** Default: the workspace folder. */
  readonly cwd?: string;
  /** Laid over a safe default environment; `null` removes a variable. */
  readonly env?: { readonly [name: string]: string | null };
  readonly envFile?: string;
  readonly url?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly enabled?: boolean;
  /** `'auto'` (default): at once; `'onUse'`: with the first call; `'manual'`: by hand. */
  readonly start?: 'auto' | 'onUse' | 'manual';
  /** Further members of an entry, as described at the setting `mcpBridge.servers`. */
  readonly [member: string]: unknown;
}

export interface ClientOptions extends RegistrationOptions, ToolOptions {
  readonly client: DuckTypedClient;
  /**
   * Subscribes to changes of the client's tools; the bridge then lists them again. A `vscode.Event<void>` fits.
   * What it returns, a disposable or a function, is called when the registration ends.
   */
  readonly onToolsChanged?: (
    listener: () => void,
  ) => { dispose(): unknown } | (() => unknown) | void;
  /**
   * Looks at each definition before the bridge uses it: `true` keeps it, `false` drops it, a definition
   * replaces it (its name must stay; use `rename` for names). One it throws at is left out, with the reason in the sidebar.
   */
  readonly filter?: (tool: ToolDefinition) => boolean | ToolDefinition;
  /**
   * Judges the arguments of a call after they fitted the schema: `undefined` lets it through, a text refuses it and is
   * told to the model. When it throws, the call is refused.
   */
  readonly validate?: (
    tool: ToolDefinition,
    args: { readonly [name: string]: unknown },
  ) => string | undefined | Promise<string | undefined>;
}

/** What `registerClient` bridges. Both methods are called on the object, with `this`. */
export interface DuckTypedClient {
  /**
   * One page of tools, `{ tools, nextCursor? }` as in the MCP specification, or all of them as a list.
   * `params` is undefined for the first page.
   */
  listTools(params?: { cursor?: string }, options?: RequestOptions): Promise<unknown>;
  /**
   * Calls a tool by its own name and gives a `CallToolResult` of the MCP specification. A rejection becomes an
   * error the model reads. (For a `Client` of SDK 1.x the options are its third argument; the bridge knows.)
   */
  callTool(
    params: { name: string; arguments?: { [name: string]: unknown } },
    // oxlint-disable-next-line typescript/no-explicit-any -- the options, or a result schema in SDK 1.x
    ...rest: any[]
  ): Promise<unknown>;
}

/** What the bridge passes with a request; a client may ignore it, the bridge keeps to its limits by itself. */
export interface RequestOptions {
  /** Aborts when the answer is no longer wanted. */
  readonly signal: AbortSignal;
  /** Milliseconds. */
  readonly timeout: number;
  /** Only for calls: each call of it shows that the tool is still at work, and starts the time of silence anew. */
  readonly onprogress?: (progress: unknown) => void;
}

/** A tool as its server described it (`Tool` of the MCP specification). */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: { readonly [keyword: string]: unknown };
  readonly outputSchema?: { readonly [keyword: string]: unknown };
  readonly annotations: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

export interface BridgedTool {
  /** The name agents and `callTool` use. */
  readonly name: string;
  /** Key of its server. Keys of different settings files may be equal; names of tools never are. */
  readonly server: string;
  /** The server's own name of it. */
  readonly originalName: string;
  readonly title?: string;
  /** As agents get it. */
  readonly description: string;
  /** The schema agents get: the server's own, repaired where models would refuse it. */
  readonly inputSchema: { readonly [keyword: string]: unknown };
  /** `'offered'` to agents, reached through `'search'`, or `'leftOut'`: then it cannot be called. */
  readonly availability: 'offered' | 'search' | 'leftOut';
  /** Why it is left out. */
  readonly reason?: string;
}

export interface BridgedServer {
  readonly key: string;
  /** The settings it comes from, or `'extension'`. */
  readonly scope: 'user' | 'workspace' | 'folder' | 'extension';
  /** Id of the extension that registered it. */
  readonly extension?: string;
  readonly state: 'stopped' | 'starting' | 'running' | 'error';
  /** What went wrong and what to do, with the state `'error'`. */
  readonly message?: string;
}

export interface ToolCallResult {
  /** The tool reported an error, or the call was not answered. */
  readonly isError: boolean;
  /** What a model would get, in order; at least one. */
  readonly content: readonly ToolResultContent[];
  /** What the server put beside its result for programs, as it sent it (MCP specification, `_meta`). Models do not get it. */
  readonly _meta?: { readonly [key: string]: unknown };
}

/** As in the MCP specification; `data` is base64. */
export type ToolResultContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mimeType: string; readonly data: string };
