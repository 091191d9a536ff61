/**
 * Built-in tools of the Agent Host runtime (seen in runtime 1.0.85). One external tool of the same
 * name breaks every Agent Host session of the window.
 */
export const agentHostBuiltins: ReadonlySet<string> = new Set([
  'addComment',
  'apply_patch',
  'ask_user',
  'bash',
  'create',
  'create_session',
  'edit',
  'fetch',
  'glob',
  'grep',
  'list_agents',
  'list_bash',
  'list_powershell',
  'list_sessions',
  'powershell',
  'read_agent',
  'read_bash',
  'read_powershell',
  'report_intent',
  'send_message',
  'skill',
  'sql',
  'stop_bash',
  'stop_powershell',
  'store_memory',
  'task',
  'tool_search',
  'update_todo',
  'view',
  'web_fetch',
  'web_search',
  'write_agent',
  'write_bash',
  'write_powershell',
]);

/** Our own tools, declared in package.json. */
export const metaToolNames: ReadonlySet<string> = new Set([
  'mcp_bridge_find_tools',
  'mcp_bridge_call_tool',
]);
