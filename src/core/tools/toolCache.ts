import type { ServerLists } from '../servers/mcpServers.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { ToolDefinition } from './toolDefinition.ts';

/** Port: keeps what servers listed, so that their tools are known before they run. */
export interface ToolCache {
  /** What was written for this launch, unchecked; `undefined` if nothing was. */
  read(configuration: ServerConfiguration): unknown;
  write(configuration: ServerConfiguration, tools: readonly ToolDefinition[]): void;
  /** The same for the beginnings of its lists of resources and prompts: a tool is made from them. */
  readLists(configuration: ServerConfiguration): unknown;
  writeLists(configuration: ServerConfiguration, lists: ServerLists): void;
}
