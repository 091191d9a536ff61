/** Names below `mcpBridge` that are no settings, where people put servers from the files of other clients. */
export const strayNames: readonly string[] = ['mcpServers', 'mcp', 'context_servers'];
