/** One MCP server from npm, pinned, and how people start it. Keys are dummies: nothing here may reach an account. */
export interface RealServer {
  /** Key in `mcpBridge.servers`. */
  readonly key: string;
  readonly package: string;
  readonly version: string;
  /** Which of the package's programs; needed only when it has several. */
  readonly bin?: string;
  /** `${workspaceFolder}` is an empty folder of the server's own. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A call that works offline and harms nothing. */
  readonly call?: RealCall;
}

interface RealCall {
  readonly tool: string;
  readonly arguments: object;
  /** What the text given to the model must show. */
  readonly answer: RegExp;
  /** The tool itself reports an error, for want of an account or a network. */
  readonly isError?: true;
}

const reference = '@modelcontextprotocol';

/** The reference servers that are development dependencies of this repository, in the same versions. */
export const referenceServers: readonly RealServer[] = [
  {
    key: 'everything',
    package: `${reference}/server-everything`,
    version: '2026.8.31',
    args: ['stdio'],
    call: { tool: 'echo', arguments: { message: 'hello' }, answer: /^Echo: hello$/ },
  },
  {
    key: 'filesystem',
    package: `${reference}/server-filesystem`,
    version: '2026.8.31',
    args: ['${workspaceFolder}'],
    call: { tool: 'list_allowed_directories', arguments: {}, answer: /filesystem/ },
  },
  {
    key: 'memory',
    package: `${reference}/server-memory`,
    version: '2026.8.31',
    env: { MEMORY_FILE_PATH: '${workspaceFolder}/memory.jsonl' },
    call: { tool: 'read_graph', arguments: {}, answer: /"entities"/ },
  },
  {
    key: 'thinking',
    package: `${reference}/server-sequential-thinking`,
    version: '2026.8.31',
    call: {
      tool: 'sequentialthinking',
      arguments: { thought: 'hm', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
      answer: /"thoughtNumber"/,
    },
  },
];

export const realServers: readonly RealServer[] = [
  ...referenceServers,
  {
    key: 'github',
    package: `${reference}/server-github`,
    version: '2025.4.8',
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: 'dummy' },
  },
  {
    key: 'postgres',
    package: `${reference}/server-postgres`,
    version: '0.6.2',
    args: ['postgresql://localhost:1/none'],
  },
  {
    key: 'slack',
    package: `${reference}/server-slack`,
    version: '2025.4.25',
    env: { SLACK_BOT_TOKEN: 'dummy', SLACK_TEAM_ID: 'T0' },
  },
  {
    key: 'google-maps',
    package: `${reference}/server-google-maps`,
    version: '0.6.2',
    env: { GOOGLE_MAPS_API_KEY: 'dummy' },
  },
  {
    key: 'budget-allocator',
    package: `${reference}/server-budget-allocator`,
    version: '2.0.3',
    args: ['--stdio'],
    call: { tool: 'get-budget-data', arguments: {}, answer: /budget/i },
  },
  {
    key: 'pdf',
    package: `${reference}/server-pdf`,
    version: '2.0.4',
    args: ['--stdio'],
    call: { tool: 'list_pdfs', arguments: {}, answer: /pdf/i },
  },
  {
    key: 'threejs',
    package: `${reference}/server-threejs`,
    version: '2.0.3',
    args: ['--stdio'],
    call: { tool: 'learn_threejs', arguments: {}, answer: /three/i },
  },
  { key: 'playwright', package: '@playwright/mcp', version: '0.0.83' },
  {
    key: 'playwright-all',
    package: '@playwright/mcp',
    version: '0.0.83',
    args: ['--caps=vision,pdf,devtools,network,storage,testing'],
  },
  {
    key: 'chrome-devtools',
    package: 'chrome-devtools-mcp',
    version: '1.11.0',
    bin: 'chrome-devtools-mcp',
    args: ['--no-usage-statistics'],
  },
  { key: 'context7', package: '@upstash/context7-mcp', version: '4.1.1' },
  {
    key: 'desktop-commander',
    package: '@wonderwhy-er/desktop-commander',
    version: '0.2.52',
    call: { tool: 'get_config', arguments: {}, answer: /"blockedCommands"/ },
  },
  { key: 'eslint', package: '@eslint/mcp', version: '0.3.13' },
  {
    key: 'dbhub',
    package: '@bytebase/dbhub',
    version: '1.4.0',
    args: ['--transport', 'stdio', '--demo'],
    call: { tool: 'execute_sql', arguments: { sql: 'SELECT 40 + 2 AS answer' }, answer: /42/ },
  },
  {
    key: 'mongodb',
    package: 'mongodb-mcp-server',
    version: '3.0.4',
    env: { MDB_MCP_TELEMETRY: 'disabled', DO_NOT_TRACK: '1' },
    call: {
      tool: 'disconnect',
      arguments: { connectionId: 'none' },
      answer: /none/,
      isError: true,
    },
  },
  {
    key: 'notion',
    package: '@notionhq/notion-mcp-server',
    version: '2.5.2',
    env: { NOTION_TOKEN: 'dummy' },
  },
  {
    key: 'supabase',
    package: '@supabase/mcp-server-supabase',
    version: '0.13.0',
    args: ['--access-token=dummy'],
  },
  {
    key: 'firecrawl',
    package: 'firecrawl-mcp',
    version: '3.26.0',
    env: { FIRECRAWL_API_KEY: 'dummy' },
  },
  { key: 'tavily', package: 'tavily-mcp', version: '0.2.22', env: { TAVILY_API_KEY: 'dummy' } },
  {
    key: 'figma',
    package: 'figma-developer-mcp',
    version: '0.13.2',
    args: ['--stdio', '--figma-api-key=dummy'],
  },
  { key: 'chart', package: '@antv/mcp-server-chart', version: '0.9.10' },
  {
    key: 'drawio',
    package: '@drawio/mcp',
    version: '1.6.1',
  },
  {
    key: 'code-runner',
    package: 'mcp-server-code-runner',
    version: '0.1.8',
    call: {
      tool: 'run-code',
      arguments: { languageId: 'javascript', code: 'console.log(6 * 7)' },
      answer: /42/,
    },
  },
  {
    key: 'gitlab',
    package: '@zereight/mcp-gitlab',
    version: '2.1.64',
    env: {
      GITLAB_PERSONAL_ACCESS_TOKEN: 'dummy',
      GITLAB_API_URL: 'http://127.0.0.1:1/api/v4',
      GITLAB_TOOLSETS: 'all',
    },
  },
  {
    key: 'next-devtools',
    package: 'next-devtools-mcp',
    version: '0.4.0',
    env: { NEXT_TELEMETRY_DISABLED: '1' },
    call: { tool: 'nextjs_index', arguments: {}, answer: /server/i },
  },
  {
    key: '1password',
    package: '@takescake/1password-mcp',
    version: '4.0.2',
    call: { tool: 'password_generate', arguments: {}, answer: /\S/ },
  },
  {
    key: 'n8n',
    package: 'n8n-mcp',
    version: '2.87.0',
    env: { N8N_MCP_TELEMETRY_DISABLED: 'true', MCP_MODE: 'stdio', LOG_LEVEL: 'error' },
    call: { tool: 'search_nodes', arguments: { query: 'webhook' }, answer: /webhook/i },
  },
  {
    key: 'brave-search',
    package: '@brave/brave-search-mcp-server',
    version: '2.1.4',
    env: { BRAVE_API_KEY: 'dummy' },
  },
  { key: 'exa', package: 'exa-mcp-server', version: '3.4.1', env: { EXA_API_KEY: 'dummy' } },
  {
    key: 'kubernetes',
    package: 'mcp-server-kubernetes',
    version: '4.1.7',
    call: { tool: 'ping', arguments: {}, answer: /./ },
  },
  {
    key: 'browserbase',
    package: '@browserbasehq/mcp-server-browserbase',
    version: '2.4.3',
    env: { BROWSERBASE_API_KEY: 'dummy', BROWSERBASE_PROJECT_ID: 'dummy', GEMINI_API_KEY: 'dummy' },
  },
];
