import { canonicalJson, isJsonObject, type JsonObject } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { CatalogServer, CatalogTool } from '../tools/toolCatalog.ts';

/** Publisher of every generated extension; nothing else may use it. */
export const manifestPublisher = 'mcp-bridge-tools';

const contextKeyPrefix = 'mcpBridge.tool.';

/**
 * A tool manifest: an extension without code that declares the tools of one server, because the editor
 * takes the definition of a language-model tool only from an extension's `package.json`.
 */
export interface ToolManifest {
  /** `<publisher>.<name>` */
  readonly extensionId: string;
  readonly packageJson: JsonObject;
  /** Equal for manifests that declare the same. */
  readonly digest: string;
  /** Fingerprint of each declared tool, by exposed name. */
  readonly tools: ReadonlyMap<string, string>;
  /** Names of tools that wait for a review: they are not declared, but an older declaration of them may stay. */
  readonly pending: ReadonlySet<string>;
}

/**
 * The context key that switches a declared tool on. It is bound to the definition: a window that has
 * another definition under the same name never switches this one on.
 */
export function toolContextKey(fingerprint: string): string {
  return contextKeyPrefix + fingerprint;
}

/** The manifest of each list of tools that is in use; a catalog keeps the list of a server that did not change. */
const manifests = new WeakMap<CatalogServer['tools'], { workspace: string; made: ToolManifest }>();

/**
 * The manifest of a server, or `undefined` when it has no tool to declare. Left-out tools are declared
 * too: a key switches them; only those that wait for a review are not, because nobody has accepted their words. `workspace` names
 * the workspace of this window.
 */
export function toolManifest(server: CatalogServer, workspace: string): ToolManifest | undefined {
  const { tools } = server;
  if (tools.every(isPending)) return undefined;
  const known = manifests.get(tools);
  if (known?.workspace === workspace) return known.made;
  const made = makeManifest(server, workspace);
  manifests.set(tools, { workspace, made });
  return made;
}

function makeManifest({ server, prefix, tools }: CatalogServer, workspace: string): ToolManifest {
  const { key } = server.configuration;
  const owner = manifestOwner(server.configuration, workspace);
  const declared = tools
    .filter((tool) => !isPending(tool))
    .toSorted((left, right) => compare(left.exposedName, right.exposedName));
  const contributes = { languageModelTools: declared.map((tool) => declaration(tool, key)) };
  const digest = shortHash(canonicalJson({ key, contributes }), 16);
  const name = manifestName(prefix, server.configuration, workspace);
  return {
    extensionId: `${manifestPublisher}.${name}`,
    digest,
    tools: new Map(declared.map(({ exposedName, fingerprint }) => [exposedName, fingerprint])),
    pending: new Set(tools.filter(isPending).map(({ exposedName }) => exposedName)),
    packageJson: {
      name,
      publisher: manifestPublisher,
      displayName: `${key} (MCP Bridge)`,
      description: `Tools of the MCP server "${key}", declared by MCP Bridge. Made automatically; remove it with MCP Bridge.`,
      version: '1.0.0',
      license: 'MIT',
      engines: { vscode: '^1.106.0' },
      categories: ['Other'],
      extensionKind: ['workspace', 'ui'],
      capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
      contributes,
      mcpBridge: { digest, owner },
    },
  };
}

function isPending({ availability }: CatalogTool): boolean {
  return availability.kind === 'leftOut' && availability.review !== undefined;
}

function declaration(
  { exposedName, definition, modelDescription, modelSchema, fingerprint }: CatalogTool,
  server: string,
): JsonObject {
  return {
    name: exposedName,
    // Agent Host sessions resolve calls by the reference name, so both are the same.
    toolReferenceName: exposedName,
    canBeReferencedInPrompt: true,
    displayName: definition.title ?? definition.annotations.title ?? definition.name,
    userDescription: firstLine(definition.description) || `Tool of the MCP server ${server}`,
    modelDescription,
    inputSchema: modelSchema,
    when: toolContextKey(fingerprint),
  };
}

/**
 * Who may remove a manifest: every window for servers of the user settings, else the windows of one
 * workspace. Extensions are installed for all windows at once, so each must know its own.
 */
export function manifestOwner({ origin }: ServerConfiguration, workspace: string): string {
  return origin.scope === 'user' ? userOwner : workspaceOwner(workspace);
}

export const userOwner = 'user';

export function workspaceOwner(workspace: string): string {
  return `workspace-${shortHash(workspace, 16)}`;
}

/** The extension id a server's manifest has, whether or not its tools are known yet. */
export function manifestId({ server, prefix }: CatalogServer, workspace: string): string {
  return `${manifestPublisher}.${manifestName(prefix, server.configuration, workspace)}`;
}

/** Stable for a server, so that what a person chose for its tools in the editor stays. */
function manifestName(
  prefix: string,
  configuration: ServerConfiguration,
  workspace: string,
): string {
  const readable = prefix
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  const identity = `${configuration.id}\0${manifestOwner(configuration, workspace)}`;
  return `${readable || 'server'}-${shortHash(identity, 8)}`;
}

/** Whether an extension id or folder name (`publisher.name-version`) is one of a tool manifest. */
export function isManifestName(name: string): boolean {
  return name.toLowerCase().startsWith(`${manifestPublisher}.`);
}

/** What an installed manifest says of itself. */
export interface InstalledManifest {
  readonly extensionId: string;
  readonly digest: string;
  readonly owner: string;
  readonly tools: ReadonlyMap<string, string>;
}

/** Reads the `package.json` of an installed extension; `undefined` if it is no tool manifest. */
export function readInstalledManifest(
  extensionId: string,
  packageJson: unknown,
): InstalledManifest | undefined {
  if (!isManifestName(extensionId) || !isJsonObject(packageJson)) {
    return undefined;
  }
  const { mcpBridge: own, contributes } = packageJson;
  const declared = isJsonObject(contributes) ? contributes['languageModelTools'] : undefined;
  const tools = new Map<string, string>();
  for (const tool of Array.isArray(declared) ? declared : []) {
    if (!isJsonObject(tool)) continue;
    const { name, when } = tool;
    if (typeof name !== 'string' || typeof when !== 'string') continue;
    tools.set(name, when.slice(contextKeyPrefix.length));
  }
  const text = (name: string): string => {
    const value = isJsonObject(own) ? own[name] : undefined;
    return typeof value === 'string' ? value : '';
  };
  return { extensionId, digest: text('digest'), owner: text('owner'), tools };
}

function firstLine(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 200);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
