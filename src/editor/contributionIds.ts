/** Every id that also stands in package.json; a test compares the two. */
export const configurationSection = 'mcpBridge';
export const serversSetting = 'servers';
export const inputsSetting = 'inputs';
export const toolBudgetSetting = 'toolBudget';

export const extensionId = 'mcp-bridge.mcp-bridge';
export const walkthroughId = 'mcpBridge.start';
export const viewId = 'mcpBridge.servers';

export const commandIds = {
  addSampleServer: 'mcpBridge.addSampleServer',
  addServer: 'mcpBridge.addServer',
  askAgent: 'mcpBridge.askAgent',
  copyResourceUri: 'mcpBridge.copyResourceUri',
  clearFilter: 'mcpBridge.clearFilter',
  copyToolName: 'mcpBridge.copyToolName',
  deleteSecret: 'mcpBridge.deleteSecret',
  explainTool: 'mcpBridge.explainTool',
  filterTools: 'mcpBridge.filterTools',
  forgetInputs: 'mcpBridge.forgetInputs',
  manageSecrets: 'mcpBridge.manageSecrets',
  moveSecret: 'mcpBridge.moveSecret',
  openResource: 'mcpBridge.openResource',
  openTool: 'mcpBridge.openTool',
  openServerSettings: 'mcpBridge.openServerSettings',
  openSettings: 'mcpBridge.openSettings',
  refresh: 'mcpBridge.refresh',
  openWalkthrough: 'mcpBridge.openWalkthrough',
  removeManifests: 'mcpBridge.removeManifests',
  removeSampleServer: 'mcpBridge.removeSampleServer',
  report: 'mcpBridge.report',
  restartServer: 'mcpBridge.restartServer',
  runPrompt: 'mcpBridge.runPrompt',
  runPromptInEditor: 'mcpBridge.runPromptInEditor',
  setSecret: 'mcpBridge.setSecret',
  showMenu: 'mcpBridge.showMenu',
  showServer: 'mcpBridge.showServer',
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

/** Context key: the view shows only what fits a text. */
export const isFilteredContextKey = 'mcpBridge.isFiltered';

/** Context key: no server is configured, so the view shows its welcome text. */
export const isEmptyContextKey = 'mcpBridge.isEmpty';
