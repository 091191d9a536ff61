import type { Problem } from '../problem.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';

/** Whether an entry comes from files that whoever made the workspace has written. */
export function isWorkspaces({ origin: { scope } }: Pick<ServerConfiguration, 'origin'>): boolean {
  return scope === 'workspace' || scope === 'folder';
}

/**
 * Why an entry of a workspace cannot be used as it is: a variable of the person's environment in its address would be sent to
 * wherever the address leads, before anything else is known of the server.
 */
export function workspaceVariableProblems(configuration: ServerConfiguration): Problem[] {
  const { key, launch } = configuration;
  if (!isWorkspaces(configuration) || launch.type === 'stdio' || launch.type === 'client')
    return [];
  const [variable] =
    /\$\{(?!workspaceFolder|userHome|pathSeparator|\/|input:)[^}]*\}/.exec(launch.url) ?? [];
  if (variable === undefined) return [];
  return [
    {
      where: `${key}.url`,
      message: `"url" of "${key}" holds ${variable}: the settings of a workspace may not put values of your environment or secrets into an address. Put it into "headers", or move the entry into your user settings.`,
    },
  ];
}
