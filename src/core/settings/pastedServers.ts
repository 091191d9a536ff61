import { parse } from 'jsonc-parser';
import { isJsonObject, type JsonObject } from '../../base/json.ts';

/** Names that the list of servers has in the files of clients, ours first. */
const listNames = ['mcpBridge.servers', 'servers', 'mcpServers', 'mcp.servers', 'context_servers'];
/** Names below which some clients keep that list. */
const outerNames = ['mcpBridge', 'mcp'];

const maxLength = 1024 * 1024;

export interface PastedServers {
  /** Entries by name, not checked. */
  readonly servers: JsonObject;
  /** The `inputs` that stood beside them. */
  readonly inputs: readonly unknown[];
}

/**
 * The servers in a text in the form of an `mcp.json`, `.mcp.json`, `settings.json` or the file of another client: JSON with
 * comments, trailing commas and a byte order mark. A part of such a file will do: `"name": {…}`, or one entry's members, which then
 * get the name `server`. `undefined` when there is no server in it.
 */
export function serversInText(text: string): PastedServers | undefined {
  if (text.length > maxLength) return undefined;
  const bare = text.replace(/^\uFEFF/, '').trim();
  // A part copied out of a file has no braces around it.
  const value = lenient(bare) ?? lenient(`{${bare}}`);
  if (value === undefined) return undefined;
  const inputs = value['inputs'] ?? own(value['mcp'], 'inputs');
  const servers = listIn(value) ?? (isEntry(value) ? { server: value } : value);
  if (!Object.values(servers).some(isJsonObject)) return undefined;
  return { servers, inputs: Array.isArray(inputs) ? inputs : [] };
}

function lenient(text: string): JsonObject | undefined {
  const value: unknown = parse(text, [], { allowTrailingComma: true });
  return isJsonObject(value) && Object.keys(value).length > 0 ? value : undefined;
}

function listIn(value: JsonObject): JsonObject | undefined {
  const places = [value, ...outerNames.map((name) => own(value, name))].filter(isJsonObject);
  for (const place of places) {
    for (const name of listNames) {
      const list = own(place, name);
      // A server of that name is no list.
      if (isJsonObject(list) && !isEntry(list)) return list;
    }
  }
  return undefined;
}

function own(value: unknown, name: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function isEntry(value: JsonObject): boolean {
  return ['command', 'url', 'serverUrl', 'httpUrl'].some(
    (name) => typeof own(value, name) === 'string',
  );
}
