import { isDeeperThan, isJsonObject, jsonLength, type JsonObject } from '../../base/json.ts';
import { asToolResult } from '../resources/resourceContents.ts';
import { outputWarning } from '../results/outputSchema.ts';
import type { ResultFiles } from '../results/resultFiles.ts';
import type { TokenBudget } from '../results/tokenRoom.ts';
import { toolResult } from '../results/toolResult.ts';
import type { ArgumentCheck } from '../schemas/argumentCheck.ts';
import { maxArgumentDepth, readArguments } from '../schemas/coerceArguments.ts';
import { toServerArguments } from '../schemas/propertyAliases.ts';
import type { McpServers } from '../servers/mcpServers.ts';
import { PastNames } from './pastNames.ts';
import type { CatalogTool, ToolCatalog } from './toolCatalog.ts';
import type { CallProgress, ServerAnswer, ToolCallOutcome } from './toolCall.ts';

/** What a caller works with besides servers and catalog. */
export interface CallerPorts {
  /** Names that tools had before. */
  readonly pastNames?: PastNames;
  /** Keeps texts that are too long for the model. */
  readonly files?: ResultFiles;
  /** Takes what is wrong with a result and no matter for the model. */
  readonly warn?: (message: string) => void;
}

export interface CallOptions {
  /** How much text the caller has room for. */
  readonly tokens?: TokenBudget | undefined;
  /** Told whatever the server says while it works; must not throw. */
  readonly onProgress?: ((progress: CallProgress) => void) | undefined;
}

/** The one way a call takes, whether an agent uses a registered tool or `mcp_bridge_call_tool`. */
export class ToolCaller {
  readonly #servers: McpServers;
  readonly #catalog: () => ToolCatalog;
  readonly #pastNames: PastNames;
  readonly #ports: CallerPorts;
  /** Loaded with the first call: the validator is large and most sessions start without one. */
  #check: Promise<ArgumentCheck> | undefined;

  constructor(servers: McpServers, catalog: () => ToolCatalog, ports: CallerPorts = {}) {
    this.#servers = servers;
    this.#catalog = catalog;
    this.#pastNames = ports.pastNames ?? new PastNames();
    this.#ports = ports;
  }

  /** The tool that has or had that exposed name if it may be called now, else the sentence that says why not. */
  find(exposedName: string): CatalogTool | string {
    const tool = this.lookUp(exposedName);
    if (tool === undefined) {
      return `There is no tool "${exposedName.slice(0, 100)}" now. Its server may have been removed or have other tools. Use mcp_bridge_find_tools to see what there is.`;
    }
    if (tool.availability.kind === 'leftOut') {
      return `The tool "${exposedName}" may not be called: ${tool.availability.reason} (settings of the MCP server "${tool.configuration.key}"). Do not try again; the user decides this.`;
    }
    return tool;
  }

  /**
   * Gives the arguments the server's own property names, checks them against its own schema and calls the
   * tool. Whatever goes wrong is a `failure` outcome whose message tells the model what to do; rejects
   * only when the signal aborts. The result is shaped to the limits of the server and, if given, to the
   * budget of the caller.
   */
  async call(
    exposedName: string,
    input: unknown,
    signal: AbortSignal,
    options: CallOptions = {},
  ): Promise<ToolCallOutcome> {
    const tool = this.find(exposedName);
    if (typeof tool === 'string') {
      const code = this.lookUp(exposedName) === undefined ? 'toolUnknown' : 'notAllowed';
      return { kind: 'failure', code, message: tool };
    }
    const given = readGiven(tool, input);
    if (typeof given === 'string') return invalid(exposedName, given);
    const check = await this.#argumentCheck();
    signal.throwIfAborted();
    const args = toServerArguments(tool.aliases, given);
    const verdict = check.check(tool.definition.inputSchema, args, tool.aliases);
    if (!verdict.isValid) return invalid(exposedName, verdict.message);
    // The settings may have changed while the validator was loaded.
    if (this.lookUp(exposedName) !== tool) return this.call(exposedName, given, signal, options);
    const answer = await this.#request(tool, verdict.args, signal, options.onProgress);
    if (answer.kind === 'failure') return answer;
    const shaped = await this.#shape(tool, answer.result, options.tokens);
    signal.throwIfAborted();
    const warning = outputWarning(tool.definition.outputSchema, answer.result, check);
    if (warning !== undefined) this.#ports.warn?.(`The tool "${exposedName}": ${warning}`);
    const warnings = warning === undefined ? [] : [warning];
    const meta = metaOf(answer.result);
    return { kind: 'result', ...shaped, warnings, ...(meta !== undefined && { meta }) };
  }

  #shape(
    { exposedName, configuration }: CatalogTool,
    result: unknown,
    tokens: TokenBudget | undefined,
  ) {
    const { key: server, limits } = configuration;
    const { files } = this.#ports;
    return toolResult(result, { server, tool: exposedName, limits, files, tokens });
  }

  /** The tool that has or had that exposed name, whether or not it may be called. */
  lookUp(exposedName: string): CatalogTool | undefined {
    return this.#pastNames.find(this.#catalog(), exposedName);
  }

  async #request(
    { configuration: { id: serverId }, definition }: CatalogTool,
    args: JsonObject,
    signal: AbortSignal,
    onProgress: CallOptions['onProgress'],
  ): Promise<ServerAnswer> {
    if (definition.target !== 'resource') {
      const call = { serverId, tool: definition.name, arguments: args, signal };
      return this.#servers.callTool({ ...call, ...(onProgress && { onProgress }) });
    }
    // The schema of the tool made sure that it is a text.
    const uri = args['uri'] as string;
    const answer = await this.#servers.readResource({ serverId, uri, signal });
    return answer.kind === 'failure'
      ? answer
      : { kind: 'answer', result: asToolResult(answer.result) };
  }

  #argumentCheck(): Promise<ArgumentCheck> {
    this.#check ??= import('../schemas/argumentCheck.ts').then(
      (module) => new module.ArgumentCheck(),
    );
    return this.#check;
  }
}

/** The arguments as an object of bearable size, or the line that says why they cannot be used. */
function readGiven({ configuration }: CatalogTool, input: unknown): JsonObject | string {
  const args = readArguments(input);
  if (args === undefined) return '- the arguments must be a JSON object';
  if (isDeeperThan(args, maxArgumentDepth)) {
    return `- the arguments are nested deeper than ${maxArgumentDepth} levels: send less at a time`;
  }
  const size = JSON.stringify(args).length;
  const { argumentChars } = configuration.limits;
  if (size <= argumentChars) return args;
  return `- the arguments are ${size} characters long as JSON, and at most ${argumentChars} are allowed: send less at a time`;
}

/** Most characters of a `_meta`, as JSON, that is handed on. */
const maxMeta = 100_000;

/** What the server put beside its result, unless it is of unbearable size. */
function metaOf(result: unknown): JsonObject | undefined {
  const meta = isJsonObject(result) ? result['_meta'] : undefined;
  if (!isJsonObject(meta) || isDeeperThan(meta, maxArgumentDepth)) return undefined;
  return jsonLength(meta, maxMeta) > maxMeta ? undefined : meta;
}

function invalid(tool: string, details: string): ToolCallOutcome {
  return {
    kind: 'failure',
    code: 'invalidArguments',
    message: `The arguments for "${tool}" do not fit its input schema, so it was not called:\n${details}\nCorrect these and call it again.`,
  };
}
