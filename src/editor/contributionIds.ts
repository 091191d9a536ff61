/** Every id that also stands in package.json; a test compares the two. */
export const configurationSection = 'mcpBridge';
export const serversSetting = 'servers';
export const inputsSetting = 'inputs';
export const toolBudgetSetting = 'toolBudget';
export const hostsSetting = 'network.allowedHosts';

export const extensionId = 'mcp-bridge.mcp-bridge';
export const walkthroughId = 'mcpBridge.start';
export const auditSettings = { enabled: 'audit.enabled', values: 'audit.values' } as const;

export const viewId = 'mcpBridge.servers';
export const activityViewId = 'mcpBridge.activity';

export const commandIds = {
  acceptAllTools: 'mcpBridge.acceptAllTools',
  acceptTool: 'mcpBridge.acceptTool',
  addSampleServer: 'mcpBridge.addSampleServer',
  addServer: 'mcpBridge.addServer',
  askAgent: 'mcpBridge.askAgent',
  copyResourceUri: 'mcpBridge.copyResourceUri',
  clearFilter: 'mcpBridge.clearFilter',
  copyToolName: 'mcpBridge.copyToolName',
  deleteSecret: 'mcpBridge.deleteSecret',
  explainTool: 'mcpBridge.explainTool',
  exportAudit: 'mcpBridge.exportAudit',
  filterTools: 'mcpBridge.filterTools',
  forgetInputs: 'mcpBridge.forgetInputs',
  manageSecrets: 'mcpBridge.manageSecrets',
  moveSecret: 'mcpBridge.moveSecret',
  openAudit: 'mcpBridge.openAudit',
  openResource: 'mcpBridge.openResource',
  openTool: 'mcpBridge.openTool',
  openServerSettings: 'mcpBridge.openServerSettings',
  openSettings: 'mcpBridge.openSettings',
  refresh: 'mcpBridge.refresh',
  openWalkthrough: 'mcpBridge.openWalkthrough',
  refuseTool: 'mcpBridge.refuseTool',
  removeManifests: 'mcpBridge.removeManifests',
  removeSampleServer: 'mcpBridge.removeSampleServer',
  report: 'mcpBridge.report',
  restartServer: 'mcpBridge.restartServer',
  reviewInstructions: 'mcpBridge.reviewInstructions',
  reviewLaunches: 'mcpBridge.reviewLaunches',
  revokeLaunch: 'mcpBridge.revokeLaunch',
  reviewTool: 'mcpBridge.reviewTool',
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

/** Scheme of the documents that show the definition of a tool. */
export const definitionScheme = 'mcp-bridge-definition';

/** Scheme of the addresses of resources in the editor. */
export const resourceScheme = 'mcp-bridge-resource';

/** Context key: the view shows only what fits a text. */
export const isFilteredContextKey = 'mcpBridge.isFiltered';

/** Context key: no server is configured, so the view shows its welcome text. */
export const isEmptyContextKey = 'mcpBridge.isEmpty';
