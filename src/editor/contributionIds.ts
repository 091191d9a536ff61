/** Every id that also stands in package.json; a test compares the two. */
export const configurationSection = 'mcpBridge';
export const serversSetting = 'servers';
export const toolBudgetSetting = 'toolBudget';

export const viewId = 'mcpBridge.servers';

export const commandIds = {
  addServer: 'mcpBridge.addServer',
  copyToolName: 'mcpBridge.copyToolName',
  openServerSettings: 'mcpBridge.openServerSettings',
  openSettings: 'mcpBridge.openSettings',
  refresh: 'mcpBridge.refresh',
  removeManifests: 'mcpBridge.removeManifests',
  restartServer: 'mcpBridge.restartServer',
  showLog: 'mcpBridge.showLog',
  startServer: 'mcpBridge.startServer',
  stopServer: 'mcpBridge.stopServer',
} as const;

export const metaToolIds = {
  findTools: 'mcp_bridge_find_tools',
  callTool: 'mcp_bridge_call_tool',
} as const;

/** Context key: no server is configured, so the view shows its welcome text. */
export const isEmptyContextKey = 'mcpBridge.isEmpty';
