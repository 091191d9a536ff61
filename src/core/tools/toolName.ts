import { shortHash } from '../hash.ts';
import type { SettingsScope } from '../settings/serverConfiguration.ts';
import { agentHostBuiltins, copilotBuiltins, metaToolNames } from './reservedNames.ts';

/** Longest tool name every model API takes. */
export const maxNameLength = 64;
const hashDigits = 8;
const separator = '__';

/** The name in the characters every model API takes. */
export function cleanName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}

/** What names are made from: one configured server and the names of all its tools, filtered or not. */
export interface NamedServer {
  readonly id: string;
  readonly key: string;
  readonly scope: SettingsScope;
  /** As set by the user; `undefined` means the key, `""` none. */
  readonly prefix?: string | undefined;
  readonly tools: readonly string[];
  /** The server's own name of a tool → what stands after the prefix instead. */
  readonly rename?: ReadonlyMap<string, string>;
}

/** Exposed name by server id and the server's own tool name. */
export type ToolNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Names every tool `<prefix>__<tool>`: only `[A-Za-z0-9_-]`, at most 64 characters, all different. A name
 * that had to be cut, or that two tools would share, ends in a hash of its own server and tool; on a
 * collision every party gets one, also when a rename causes it. So a name never depends on the order of
 * servers, nor on which of them run. Prefixes are made distinct first: two servers only share names when both have `""`.
 */
export function assignToolNames(servers: readonly NamedServer[]): ToolNames {
  const prefixes = distinctPrefixes(servers);
  const entries = servers.flatMap((server) => {
    const prefix = prefixes.get(server.id) ?? '';
    return [...new Set(server.tools)].map((tool) => ({
      serverId: server.id,
      tool,
      hash: shortHash(`${server.id}\0${tool}`, hashDigits),
      ...plainName(prefix, server.rename?.get(tool) ?? tool),
    }));
  });
  const uses = countBy(
    entries.filter(({ needsHash }) => !needsHash),
    ({ name }) => name,
  );
  const named = entries.map((entry) => ({
    ...entry,
    exposed:
      entry.needsHash || (uses.get(entry.name) ?? 0) > 1
        ? withHash(entry.name, entry.hash)
        : entry.name,
  }));
  // Only a server that forges another tool's hash comes to this; both parties get the long one.
  const exposedUses = countBy(named, ({ exposed }) => exposed);
  const result = new Map<string, Map<string, string>>();
  for (const { serverId, tool, exposed, name } of named) {
    const isShared = (exposedUses.get(exposed) ?? 0) > 1;
    const tools = result.get(serverId) ?? new Map<string, string>();
    tools.set(tool, isShared ? withHash(name, shortHash(`${serverId}\0${tool}`, 32)) : exposed);
    result.set(serverId, tools);
  }
  return result;
}

/** The prefix of each server by id, made of allowed characters and different from every other non-empty one. */
export function distinctPrefixes(
  servers: readonly Omit<NamedServer, 'tools' | 'rename'>[],
): ReadonlyMap<string, string> {
  const parties = servers.map((server) => ({
    ...server,
    plain: cleanPrefix(server.prefix ?? server.key),
  }));
  const byPrefix = Map.groupBy(parties, ({ plain }) => plain);
  return new Map(
    parties.map(({ id, plain, scope }): [string, string] => {
      const rivals = byPrefix.get(plain) ?? [];
      const users = rivals.filter((rival) => rival.scope === 'user').length;
      // A workspace must not take over, nor change, the names of a server of the user's own.
      const keepsPlain = rivals.length === 1 || (scope === 'user' && users === 1);
      if (plain === '' || keepsPlain) return [id, plain];
      return [id, `${plain.slice(0, 24).replace(/_$/, '')}_${shortHash(id, 6)}`];
    }),
  );
}

/**
 * A prefix holds no `__` and does not end in `_`, so that the first `__` of a name always ends the
 * prefix: two servers with different prefixes can then never arrive at the same name.
 */
function cleanPrefix(prefix: string): string {
  const clean = cleanName(prefix).replace(/_{2,}/g, '_').replace(/_$/, '');
  if (clean === '' && prefix !== '') return `server_${shortHash(prefix, 6)}`;
  return reserved.test(`${clean}_`) ? `bridge_${clean}` : clean;
}

/** The editor keeps these beginnings to itself. */
const reserved = /^(copilot|vscode)_/i;

function plainName(prefix: string, tool: string): { name: string; needsHash: boolean } {
  const clean = cleanName(tool);
  const joined = prefix === '' ? clean : `${prefix}${separator}${clean}`;
  // The underscore counts too that would stand before a hash.
  const name = reserved.test(`${joined}_`) ? `bridge_${joined}` : joined;
  const looksPrefixed = prefix === '' && name.indexOf(separator) > 0;
  const isTaken = [agentHostBuiltins, copilotBuiltins, metaToolNames].some((names) =>
    names.has(name),
  );
  return { name, needsHash: name.length > maxNameLength || looksPrefixed || isTaken };
}

function withHash(name: string, hash: string): string {
  return `${name.slice(0, maxNameLength - hash.length - 1)}_${hash}`;
}

function countBy<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}
