/** Every id that also stands in package.json; a test compares the two. */
export const configurationSection = 'mcpBridge';
export const serversSetting = 'servers';
export const inputsSetting = 'inputs';
export const toolBudgetSetting = 'toolBudget';
export const hostsSetting = 'network.allowedHosts';

export const viewId = 'mcpBridge.servers';

export const commandIds = {
  addServer: 'mcpBridge.addServer',
  copyResourceUri: 'mcpBridge.copyResourceUri',
  copyToolName: 'mcpBridge.copyToolName',
  deleteSecret: 'mcpBridge.deleteSecret',
  forgetInputs: 'mcpBridge.forgetInputs',
  manageSecrets: 'mcpBridge.manageSecrets',
  moveSecret: 'mcpBridge.moveSecret',
  openResource: 'mcpBridge.openResource',
  openServerSettings: 'mcpBridge.openServerSettings',
  openSettings: 'mcpBridge.openSettings',
  refresh: 'mcpBridge.refresh',
  removeManifests: 'mcpBridge.removeManifests',
  restartServer: 'mcpBridge.restartServer',
  runPrompt: 'mcpBridge.runPrompt',
  runPromptInEditor: 'mcpBridge.runPromptInEditor',
  setSecret: 'mcpBridge.setSecret',
  showLog: 'mcpBridge.showLog',
  signIn: 'mcpBridge.signIn',
  signOut: 'mcpBridge.signOut',
  startServer: 'mcpBridge.startServer',
  stopServer: 'mcpBridge.stopServer',
} as const;

export const metaToolIds = {
  findTools: 'mcp_bridge_find_tools',
  callTool: 'mcp_bridge_call_tool',
} as const;

/** Scheme of the addresses of resources in the editor. */
export const resourceScheme = 'mcp-bridge-resource';

/** Context key: no server is configured, so the view shows its welcome text. */
export const isEmptyContextKey = 'mcpBridge.isEmpty';
