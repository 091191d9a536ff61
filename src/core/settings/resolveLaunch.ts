import { definedOnly } from '../../base/json.ts';
import type { Problem } from '../problem.ts';
import type { AuthSettings, ServerLaunch } from './serverConfiguration.ts';
import { expandVariables, type VariableLookup } from './variables.ts';

export type ResolvedLaunch =
  { readonly launch: ServerLaunch } | { readonly problems: readonly Problem[] };

/**
 * Expands the variables in every string of the launch; relative paths become absolute from the
 * workspace folder, which is also the default working directory (the home directory without one). A variable without a value is a problem that
 * names server, field and variable; the server must not be started then. Values are never quoted in
 * problems, they may be secrets.
 */
export function resolveLaunch(
  { key, launch }: { readonly key: string; readonly launch: ServerLaunch },
  lookup: VariableLookup,
): ResolvedLaunch {
  const problems: Problem[] = [];
  const expand = (field: string, text: string): string => {
    const result = expandVariables(text, lookup);
    for (const variable of result.unresolved) {
      problems.push({
        where: `${key}.${field}`,
        message: `${variable} in "${field}" of "${key}" has no value here, so the server is not started. ${hint(variable)}`,
      });
    }
    return result.text;
  };
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
          command: expand('command', launch.command),
          args: launch.args.map((argument, index) => expand(`args[${index}]`, argument)),
          env: expandRecord('env', launch.env),
          ...directory(launch.cwd === undefined ? undefined : expand('cwd', launch.cwd), base),
          ...(launch.envFile !== undefined && {
            envFile: absolute(expand('envFile', launch.envFile), base),
          }),
        }
      : {
          type: launch.type,
          url: expand('url', launch.url),
          headers: expandRecord('headers', launch.headers),
          ...(launch.auth !== undefined && { auth: expandAuth(launch.auth) }),
        };
  if (problems.length > 0) return { problems };
  const wrong = resolved.type === 'stdio' ? undefined : urlProblem(key, resolved.url);
  return wrong === undefined ? { launch: resolved } : { problems: [wrong] };
}

function directory(cwd: string | undefined, base: string | undefined): { cwd?: string } {
  const path = cwd === undefined ? base : absolute(cwd, base);
  return path === undefined ? {} : { cwd: path };
}

function absolute(path: string, base: string | undefined): string {
  const isAbsolute = /^([/\\]|[A-Za-z]:[/\\])/.test(path);
  return isAbsolute || base === undefined ? path : `${base}/${path}`;
}

function hint(variable: string): string {
  if (variable.startsWith('${env:')) {
    return 'Set that environment variable and restart the editor, or give a default: ${env:NAME:-default}.';
  }
  if (variable.startsWith('${workspaceFolder')) return 'Open a folder, or write the path out.';
  return 'Known variables: ${workspaceFolder}, ${workspaceFolder:name}, ${workspaceFolderBasename}, ${userHome}, ${env:NAME}.';
}

function urlProblem(key: string, url: string): Problem | undefined {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'http:' || parsed?.protocol === 'https:') return undefined;
  return {
    where: `${key}.url`,
    message: `"url" of "${key}" must be an http:// or https:// address.`,
  };
}
