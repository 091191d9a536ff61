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

/**
 * Names Copilot's own tools have in a request (seen in Copilot Chat 0.67.0). Models refuse a request that
 * has one name twice; only a server without a prefix can come into this.
 */
export const copilotBuiltins: ReadonlySet<string> = new Set([
  'apply_patch',
  'create_and_run_task',
  'create_directory',
  'create_file',
  'create_new_jupyter_notebook',
  'create_new_workspace',
  'edit_files',
  'edit_notebook_file',
  'execution_subagent',
  'explore_subagent',
  'fetch_webpage',
  'file_search',
  'get_changed_files',
  'get_errors',
  'get_task_output',
  'get_terminal_output',
  'get_vscode_api',
  'github_repo',
  'github_text_search',
  'grep_search',
  'inline_chat_exit',
  'insert_edit_into_file',
  'install_extension',
  'kill_terminal',
  'list_code_usages',
  'list_dir',
  'manage_todo_list',
  'memory',
  'multi_replace_string_in_file',
  'read_file',
  'read_notebook_cell_output',
  'read_project_structure',
  'renderMermaidDiagram',
  'replace_string_in_file',
  'resolve_memory_file_uri',
  'runSubagent',
  'runTests',
  'run_in_terminal',
  'run_notebook_cell',
  'run_task',
  'run_vscode_command',
  'search_subagent',
  'search_workspace_symbols',
  'semantic_search',
  'send_to_terminal',
  'session_store_sql',
  'setup_tools_createNewWorkspace',
  'skill',
  'switch_agent',
  'task_complete',
  'terminal_last_command',
  'terminal_selection',
  'testFailure',
  'test_search',
  'tool_search',
  'view_image',
]);

/** Whether a tool that the editor lists is one of its own or of Copilot. */
export function isEditorTool(name: string): boolean {
  return /^(copilot|vscode)_/.test(name) || copilotBuiltins.has(name);
}
