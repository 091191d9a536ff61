import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { CatalogTool, ToolCatalog } from './toolCatalog.ts';

/** Most names kept; the oldest go first. */
const maxPast = 2000;
/** Longest server id and tool name taken from storage. */
const maxText = 4096;

/** A tool as its server knows it, whatever it is called for agents. */
interface ToolIdentity {
  readonly serverId: string;
  readonly tool: string;
}

/**
 * The names tools had before: a chat that saw one may still use it after the settings gave the tool another.
 * A name that is in use now always means its present tool: agents get that tool's definition with each request,
 * and the question before a call names server and tool.
 *
 * This serves `mcp_bridge_call_tool`, calls under way and other extensions. Copilot itself refuses a name that is
 * not in its present request ("does not exist", "currently disabled by the user"), whatever is registered or
 * declared (0.67.0); so old names are not kept declared.
 */
export class PastNames {
  /** In the order in which they went out of use. */
  readonly #past = new Map<string, ToolIdentity>();
  #current = new Map<string, ToolIdentity>();

  /** `stored` is what `toJSON` gave, unchecked. */
  constructor(stored?: unknown) {
    for (const entry of Array.isArray(stored) ? stored.slice(-maxPast) : []) {
      const { name, serverId, tool } = isJsonObject(entry) ? entry : {};
      if (isText(name) && isText(serverId) && isText(tool))
        this.#past.set(name, { serverId, tool });
    }
  }

  /** Takes over the names of a new catalog. Says whether what has to be stored changed. */
  update(catalog: ToolCatalog): boolean {
    const current = new Map(
      [...catalog.tools].map(([name, { configuration, definition }]) => [
        name,
        { serverId: configuration.id, tool: definition.name },
      ]),
    );
    let isChanged = false;
    for (const [name, identity] of this.#current) {
      if (current.has(name)) continue;
      this.#past.delete(name);
      this.#past.set(name, identity);
      isChanged = true;
    }
    for (const name of current.keys()) isChanged = this.#past.delete(name) || isChanged;
    for (const name of this.#past.keys()) {
      if (this.#past.size <= maxPast) break;
      this.#past.delete(name);
    }
    this.#current = current;
    return isChanged;
  }

  /** The tool of the catalog that has this name now or, when none has, had it before. */
  find(catalog: ToolCatalog, name: string): CatalogTool | undefined {
    const current = catalog.tools.get(name);
    if (current !== undefined) return current;
    const past = this.#past.get(name) ?? this.#current.get(name);
    const owner = catalog.servers.find(({ server }) => server.configuration.id === past?.serverId);
    return owner?.tools.find(({ definition }) => definition.name === past?.tool);
  }

  /** Names that are no longer in use, oldest first. */
  toJSON(): JsonValue {
    return [...this.#past].map(([name, { serverId, tool }]) => ({ name, serverId, tool }));
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxText;
}
