import assert from 'node:assert/strict';
import type { McpServers } from '../../src/core/servers/mcpServers.ts';

/** Servers that only do what is given; whatever else is asked of them fails the test. */
export function stubServers(members: Partial<McpServers>): McpServers {
  return {
    servers: [],
    onDidChangeServers: () => ({ dispose: () => undefined }),
    start: () => assert.fail(),
    stop: () => assert.fail(),
    restart: () => assert.fail(),
    refresh: () => assert.fail(),
    readResource: () => assert.fail(),
    getPrompt: () => assert.fail(),
    complete: () => assert.fail(),
    callTool: () => assert.fail(),
    ...members,
  };
}
