import type { ConnectionState } from '../../src/core/servers/connectionState.ts';
import type { McpServer } from '../../src/core/servers/mcpServers.ts';
import { toConfiguration } from '../../src/core/settings/entryConfiguration.ts';
import { serverId, type ServerConfiguration } from '../../src/core/settings/serverConfiguration.ts';
import type { ToolDefinition } from '../../src/core/tools/toolDefinition.ts';

/** A configuration as the settings reader would make it of `{ "<key>": { "command": "<key>" } }` in user settings. */
export function configurationOf(
  key: string,
  members: Partial<ServerConfiguration> = {},
): ServerConfiguration {
  const origin = members.origin ?? { scope: 'user' as const };
  const launch = { type: 'stdio', command: key, args: [], env: {} } as const;
  const { configuration } = toConfiguration(serverId(key, origin), key, origin, {}, launch);
  return { ...configuration, ...members };
}

export function toolOf(name: string, members: Partial<ToolDefinition> = {}): ToolDefinition {
  return {
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: {} },
    annotations: {},
    ...members,
  };
}

const stopped: ConnectionState = { kind: 'stopped' };

/** A configured server with the tools of the given names or definitions; `undefined`: not known yet. */
export function serverOf(
  configuration: ServerConfiguration | string,
  tools?: readonly (ToolDefinition | string)[],
  state: ConnectionState = stopped,
): McpServer {
  return {
    configuration:
      typeof configuration === 'string' ? configurationOf(configuration) : configuration,
    state,
    tools:
      tools === undefined
        ? undefined
        : {
            tools: tools.map((tool) => (typeof tool === 'string' ? toolOf(tool) : tool)),
            problems: [],
            isFromCache: false,
          },
  };
}

/** What `resolveLaunch` takes of a configuration that came from settings. */
export function resolvable({ key, launch }: ServerConfiguration) {
  if (launch.type === 'client') throw new Error(`${key} is no server from settings`);
  return { key, launch };
}
