import { definedOnly } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import type { AuthSettings, ServerLaunch } from './serverConfiguration.ts';
import {
  expandVariables,
  givenVariable,
  type GivenVariable,
  type VariableLookup,
} from './variables.ts';

export type ResolvedLaunch =
  | {
      readonly launch: ServerLaunch;
      /** Values in it that a person gave as `${secret:…}` or `${input:…}`; never to be shown. */
      readonly secrets?: readonly string[];
    }
  | {
      readonly problems: readonly Problem[];
      /** Variables that a person can be asked for; when they have values, the problems are gone. */
      readonly waitsFor?: readonly GivenVariable[];
    };

/** What a `${input:…}` or `${secret:…}` without a value needs: `ask` the person, or a `definition` in `mcpBridge.inputs`. */
export type Needed = (variable: GivenVariable) => 'ask' | 'definition';

/**
 * Expands the variables in every string of the launch; relative paths become absolute from the
 * workspace folder, which is also the default working directory (the home directory without one). A variable without a value is a problem that
 * names server, field and variable; the server must not be started then. Values are never quoted in
 * problems, they may be secrets.
 */
export function resolveLaunch(
  { key, launch }: { readonly key: string; readonly launch: ServerLaunch },
  lookup: VariableLookup,
  needed: Needed = () => 'definition',
): ResolvedLaunch {
  const problems: Problem[] = [];
  const waitsFor = new Map<string, GivenVariable>();
  const secrets = new Set<string>();
  let isStuck = false;
  const noting: VariableLookup = (name, argument) => {
    const value = lookup(name, argument);
    if (value !== undefined && (name === 'secret' || name === 'input')) secrets.add(value);
    return value;
  };
  const expand = (field: string, text: string): string => {
    const result = expandVariables(text, noting);
    for (const variable of result.unresolved) {
      const given = givenVariable(variable);
      const isAsked = given !== undefined && needed(given) === 'ask';
      if (isAsked) waitsFor.set(variable, given);
      else isStuck = true;
      problems.push({
        where: `${key}.${field}`,
        message: `${variable} in "${field}" of "${key}" has no value here, so the server is not started. ${isAsked ? 'Start the server to be asked for it.' : hint(variable)}`,
      });
    }
    return result.text;
  };
  const expandPath = (field: string, path: string): string => atHome(expand(field, path), lookup);
  const expandRecord = <T extends string | null>(
    field: string,
    record: Readonly<Record<string, T>>,
  ) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        typeof value === 'string' ? expand(`${field}.${name}`, value) : value,
      ]),
    ) as Record<string, T>;

  const expandAuth = (auth: AuthSettings | false): AuthSettings | false => {
    if (auth === false) return auth;
    const { redirectPort, scopes, ...texts } = auth;
    return {
      ...expandRecord('auth', definedOnly(texts)),
      ...(scopes && { scopes: scopes.map((scope) => expand('auth.scopes', scope)) }),
      ...(redirectPort !== undefined && { redirectPort }),
    };
  };

  const base = lookup('workspaceFolder', undefined) ?? lookup('userHome', undefined);
  const resolved: ServerLaunch =
    launch.type === 'stdio'
      ? {
          type: 'stdio',
          command: expandPath('command', launch.command),
          args: launch.args.map((argument, index) => expand(`args[${index}]`, argument)),
          env: expandRecord('env', launch.env),
          ...directory(launch.cwd === undefined ? undefined : expandPath('cwd', launch.cwd), base),
          ...(launch.envFile !== undefined && {
            envFile: absolute(expandPath('envFile', launch.envFile), base),
          }),
        }
      : {
          type: launch.type,
          url: expand('url', launch.url),
          headers: expandRecord('headers', launch.headers),
          ...(launch.auth !== undefined && { auth: expandAuth(launch.auth) }),
        };
  if (problems.length > 0) {
    // Asking for the rest would not help as long as one of them cannot be given.
    return { problems, ...(!isStuck && { waitsFor: [...waitsFor.values()] }) };
  }
  const wrong = resolved.type === 'stdio' ? undefined : urlProblem(key, resolved.url);
  if (wrong !== undefined) return { problems: [wrong] };
  return { launch: resolved, ...(secrets.size > 0 && { secrets: [...secrets] }) };
}

/** No shell stands between the settings and the process, so a `~` is ours to expand. */
function atHome(path: string, lookup: VariableLookup): string {
  if (!/^~(?:[/\\]|$)/.test(path)) return path;
  const home = lookup('userHome', undefined);
  return home === undefined ? path : home + path.slice(1);
}

function directory(cwd: string | undefined, base: string | undefined): { cwd?: string } {
  const path = cwd === undefined ? base : absolute(cwd, base);
  return path === undefined ? {} : { cwd: path };
}

function absolute(path: string, base: string | undefined): string {
  const isAbsolute = /^([/\\]|[A-Za-z]:[/\\])/.test(path);
  if (isAbsolute || base === undefined) return path;
  const separator = /^(?:[A-Za-z]:)?\\|^[A-Za-z]:/.test(base) ? '\\' : '/';
  return `${base.replace(/[/\\]$/, '')}${separator}${path}`;
}

function hint(variable: string): string {
  if (variable.startsWith('${env:')) {
    return 'Set that environment variable and restart the editor, or give a default: ${env:NAME:-default}.';
  }
  if (variable.startsWith('${workspaceFolder')) return 'Open a folder, or write the path out.';
  if (variable.startsWith('${input:')) {
    return 'Define an input with that "id" in "mcpBridge.inputs".';
  }
  return 'Known variables: ${workspaceFolder}, ${workspaceFolder:name}, ${workspaceFolderBasename}, ${userHome}, ${env:NAME}, ${env:NAME:-default}, ${input:id}, ${secret:id}.';
}

function urlProblem(key: string, url: string): Problem | undefined {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return undefined;
  return {
    where: `${key}.url`,
    message: `"url" of "${key}" must be an http:// or https:// address.`,
  };
}
