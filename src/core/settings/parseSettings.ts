import type { ZodError } from 'zod';
import { definedOnly, isJsonObject } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import { splitCommandLine } from './commandLine.ts';
import { toConfiguration } from './entryConfiguration.ts';
import { decide } from './decide.ts';
import { entrySchema, ignoredKeys, translateSpellings, type Entry } from './entrySchema.ts';
import { literalSecrets } from './literalSecrets.ts';
import { tighten } from './overlay.ts';
import { unknownKeyProblems } from './unknownKeys.ts';
import {
  serverId,
  type ClientLaunch,
  type ConfigurationOrigin,
  type ServerConfiguration,
  type ServerLaunch,
  type SettingsScope,
} from './serverConfiguration.ts';

/** The value of `mcpBridge.servers` in one settings file, or what an extension registered in the same form. */
export interface SettingsLayer {
  readonly origin: ConfigurationOrigin;
  readonly value: unknown;
  /** Settings of our section that are not ours, by name; people put their servers there. */
  readonly stray?: ReadonlyMap<string, unknown>;
  /** The launch of all entries, which have none of their own. */
  readonly launch?: ClientLaunch;
}

/** An entry that cannot be used, kept so that it can be shown. */
export interface InvalidServer {
  readonly id: string;
  readonly key: string;
  readonly origin: ConfigurationOrigin;
  readonly problems: readonly Problem[];
}

/** A problem with the settings file it is about. */
export interface SettingsProblem extends Problem {
  readonly origin: ConfigurationOrigin;
}

export interface ParsedSettings {
  readonly configurations: readonly ServerConfiguration[];
  readonly invalid: readonly InvalidServer[];
  /** What is worth saying although the entry works, and what is wrong with the setting as a whole. */
  readonly problems: readonly SettingsProblem[];
}

/** Most entries read; more are reported. */
export const maxServers = 256;

/**
 * Reads `mcpBridge.servers` of every settings file, broadest scope first. Never throws: each bad entry
 * costs itself only. An entry without `command` and `url` that has the key of a server from a broader
 * scope is laid over that server and can only tighten it; the user's may also decide about a server that
 * an extension registered. The servers of extensions come last.
 */
export function parseSettings(layers: readonly SettingsLayer[]): ParsedSettings {
  const configurations = new Map<string, ServerConfiguration>();
  const invalid: InvalidServer[] = [];
  const problems: SettingsProblem[] = [];
  for (const { origin, value, launch, stray } of layers) {
    const note = (found: readonly Problem[]): void => {
      problems.push(...found.map((problem) => ({ ...problem, origin })));
    };
    note([...(stray ?? [])].map(([name]) => strayProblem(name)));
    if (value === undefined || value === null) continue;
    if (!isJsonObject(value)) {
      note([
        {
          where: 'servers',
          message: `"mcpBridge.servers" must be an object whose keys are server names (${origin.scope} settings).`,
        },
      ]);
      continue;
    }
    for (const [key, entry] of Object.entries(value)) {
      const id = serverId(key, origin);
      const parsed = parseEntry(key, entry, launch);
      note(parsed.warnings);
      if (parsed.entry === undefined) {
        invalid.push({ id, key, origin, problems: parsed.problems });
        continue;
      }
      const base = [...configurations.values()].findLast(
        (candidate) => candidate.key === key && isBroader(candidate.origin.scope, origin.scope),
      );
      if (parsed.launch !== undefined && configurations.size >= maxServers) {
        note([tooMany(key)]);
      } else if (parsed.launch !== undefined) {
        const made = toConfiguration(id, key, origin, parsed.entry, parsed.launch);
        configurations.set(id, made.configuration);
        note(made.problems);
      } else if (base !== undefined) {
        const isDecision = base.origin.scope === 'extension' && origin.scope === 'user';
        const overlaid = (isDecision ? decide : tighten)(base, parsed.entry);
        configurations.set(base.id, overlaid.configuration);
        note(overlaid.problems);
      } else {
        invalid.push({ id, key, origin, problems: [missingLaunch(key, entry)] });
      }
    }
  }
  const all = [...configurations.values()];
  const isExtensions = ({ origin }: ServerConfiguration): boolean => origin.scope === 'extension';
  return {
    configurations: [...all.filter((one) => !isExtensions(one)), ...all.filter(isExtensions)],
    invalid,
    problems,
  };
}

interface ParsedEntry {
  readonly entry?: Entry;
  readonly launch?: ServerLaunch | ClientLaunch;
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
}

function parseEntry(key: string, value: unknown, given?: ClientLaunch): ParsedEntry {
  if (!isJsonObject(value)) {
    return fail({ where: key, message: `The entry "${key}" must be an object.` });
  }
  const parsed = entrySchema.safeParse(translateSpellings(value));
  if (!parsed.success) return { problems: describe(key, parsed.error), warnings: [] };
  const entry = parsed.data;
  if (given !== undefined) return { entry, launch: given, problems: [], warnings: [] };
  const launched = launchOf(key, entry);
  return {
    ...launched,
    warnings: [...launched.warnings, ...hints(key, value), ...unknownKeyProblems(key, value)],
  };
}

/** What is not done as the client does that an entry was pasted from. */
function hints(key: string, value: Readonly<Record<string, unknown>>): Problem[] {
  return ignoredKeys(value).map(({ name, instead }) => ({
    where: `${key}.${name}`,
    message: `"${name}" of "${key}" is a setting of another client and has no effect here. Write ${instead} instead.`,
  }));
}

function launchOf(key: string, entry: Entry): ParsedEntry {
  const wrong = transportProblem(key, entry);
  if (wrong !== undefined) return fail(wrong);
  const { type, command, url } = entry;
  const isLocal = command !== undefined && (type === undefined || type === 'stdio');
  const unused = command !== undefined && url !== undefined ? [ignored(key, isLocal)] : [];
  if (isLocal) {
    const made = stdioLaunch(key, entry, command);
    return { ...made, warnings: [...unused, ...made.warnings] };
  }
  if (url === undefined) return { entry, problems: [], warnings: [] };
  const launch: ServerLaunch = {
    type: type === 'sse' ? 'sse' : 'http',
    url,
    headers: entry.headers ?? {},
    ...(entry.auth !== undefined && {
      auth: entry.auth === false ? false : definedOnly(entry.auth),
    }),
  };
  return { entry, launch, problems: [], warnings: unused };
}

/** Said of an entry whose `type` decides between a program and an address. */
function ignored(key: string, isLocal: boolean): Problem {
  const [used, unused] = isLocal ? ['command', 'url'] : ['url', 'command'];
  return {
    where: `${key}.${unused}`,
    message: `"${unused}" of "${key}" is ignored, because its "type" asks for "${used}". Remove one of the two.`,
  };
}

/** What is wrong with the choice between a program and an address, if anything. */
function transportProblem(key: string, { type, command, url }: Entry): Problem | undefined {
  if (command !== undefined && url !== undefined && type === undefined) {
    return {
      where: key,
      message: `"${key}" has both "command" and "url". Keep one of them, or add "type" ("stdio" or "http").`,
    };
  }
  const needed = type === 'stdio' ? 'command' : 'url';
  if (type === undefined || (type === 'stdio' ? command : url) !== undefined) return undefined;
  return {
    where: `${key}.${needed}`,
    message: `"${key}" has type "${type}" but no "${needed}".`,
  };
}

function stdioLaunch(key: string, entry: Entry, command: string): ParsedEntry {
  const warnings: Problem[] = [];
  let program = command;
  let args = typeof entry.args === 'string' ? splitCommandLine(entry.args) : entry.args;
  if (entry.args !== undefined && args === undefined) {
    return fail({
      where: `${key}.args`,
      message: `"args" of "${key}" has an open quote. Write it as a list of strings.`,
    });
  }
  const isPath = /^([/\\~]|[A-Za-z]:[/\\]|\.{1,2}[/\\]|\$\{)/.test(command);
  if (/\s/.test(command) && !isPath && (args === undefined || args.length === 0)) {
    const words = splitCommandLine(command);
    const first = words?.[0];
    if (words !== undefined && first !== undefined) {
      program = first;
      args = words.slice(1);
      warnings.push({
        where: `${key}.command`,
        message: `"command" of "${key}" holds a whole command line; it is read as "command": ${JSON.stringify(program)}, "args": ${shownArgs(args)}.`,
      });
    }
  }
  const launch: ServerLaunch = {
    type: 'stdio',
    command: program,
    args: args ?? [],
    env: entry.env ?? {},
    ...(entry.cwd !== undefined && { cwd: entry.cwd }),
    ...(entry.envFile !== undefined && { envFile: entry.envFile }),
  };
  return { entry, launch, problems: [], warnings };
}

/** A secret among them is not repeated. */
function shownArgs(args: readonly string[]): string {
  const secrets = literalSecrets({ args }).map(({ value }) => value);
  return secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), JSON.stringify(args));
}

function describe(key: string, error: ZodError): Problem[] {
  return error.issues.slice(0, 10).map((issue) => {
    const path = [key, ...issue.path.map(String)].join('.');
    return { where: path, message: `"${path}": ${issue.message}.` };
  });
}

/** Folders of one workspace are peers: none says anything about the servers of another. */
function isBroader(scope: SettingsScope, than: SettingsScope): boolean {
  return scopes.indexOf(scope) < scopes.indexOf(than);
}

const scopes: readonly SettingsScope[] = ['extension', 'user', 'workspace', 'folder'];

function strayProblem(name: string): Problem {
  return {
    where: name,
    message: `"mcpBridge.${name}" is not a setting, so nothing in it is used. Move what is inside it into "mcpBridge.servers".`,
  };
}

/** Names that the list of servers has in the files of other clients. */
const fileKeys: ReadonlySet<string> = new Set([
  'mcpServers',
  'servers',
  'mcp',
  'mcp.servers',
  'context_servers',
]);

function tooMany(key: string): Problem {
  return {
    where: key,
    message: `Only the first ${maxServers} servers are used; "${key}" is not one of them.`,
  };
}

function missingLaunch(key: string, entry: unknown): Problem {
  const inner = fileKeys.has(key) && isJsonObject(entry) ? Object.values(entry) : [];
  if (isJsonObject(entry) && typeof entry['serverUrl'] === 'string') {
    return {
      where: `${key}.serverUrl`,
      message: `"serverUrl" of "${key}" is the spelling of another client. Write "url" instead.`,
    };
  }
  if (inner.some((one) => isJsonObject(one) && ('command' in one || 'url' in one))) {
    return {
      where: key,
      message: `"${key}" is not a server but a list of servers, as it stands in the files of other clients. Move what is inside "${key}" one level up, directly into "mcpBridge.servers".`,
    };
  }
  return {
    where: key,
    message: `"${key}" needs "command" (a program on this machine) or "url" (a remote server). Without them it only changes a server of that name from a broader scope or an extension, and there is none now.`,
  };
}

function fail(problem: Problem): ParsedEntry {
  return { problems: [problem], warnings: [] };
}
