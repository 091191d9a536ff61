import type { Disposable } from '../../base/disposable.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { McpServers } from './mcpServers.ts';
import type { ServerHostPorts } from './serverHost.ts';

/** What another extension handed over. All of it is foreign code: it may throw, never answer, or answer anything. */
export interface ForeignClient {
  readonly client: {
    listTools(params: unknown, options: unknown): unknown;
    callTool(...args: readonly unknown[]): unknown;
  };
  readonly onToolsChanged?: (listener: () => void) => unknown;
  readonly filter?: (tool: unknown) => unknown;
  readonly validate?: (tool: unknown, args: unknown) => unknown;
}

/** A registered client together with the settings that apply to it now. */
export interface WantedClient {
  readonly configuration: ServerConfiguration;
  readonly client: ForeignClient;
}

/** Port: the clients that other extensions connected, driven like servers. */
export interface ClientHost extends McpServers, Disposable {
  /** Takes over what is registered now: gives up what is gone, lists the tools of what is new. Returns at once. */
  update(wanted: readonly WantedClient[]): void;
}

export interface ClientHostPorts extends Pick<ServerHostPorts, 'log'> {
  /** Asked before every use; a text is the reason why the client may not be used. */
  mayLaunch(configuration: ServerConfiguration): string | undefined;
}
