import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { outputWarning } from '../results/outputSchema.ts';
import type { ResultFiles } from '../results/resultFiles.ts';
import type { TokenBudget } from '../results/tokenRoom.ts';
import { toolResult } from '../results/toolResult.ts';
import type { McpServers } from '../servers/mcpServers.ts';
import type { ArgumentCheck } from './argumentCheck.ts';
import { isCallable, type CatalogTool, type ToolCatalog } from './toolCatalog.ts';
import type { ToolCallOutcome } from './toolCall.ts';

/** What a caller hands results to. */
export interface ResultPorts {
  /** Keeps texts that are too long for the model. */
  readonly files?: ResultFiles;
  /** Takes what is wrong with a result and no matter for the model. */
  readonly warn?: (message: string) => void;
}

/** The one way a call takes, whether an agent uses a registered tool or `mcp_bridge_call_tool`. */
export class ToolCaller {
  readonly #servers: McpServers;
  readonly #catalog: () => ToolCatalog;
  readonly #ports: ResultPorts;
  /** Loaded with the first call: the validator is large and most sessions start without one. */
  #check: Promise<ArgumentCheck> | undefined;

  constructor(servers: McpServers, catalog: () => ToolCatalog, ports: ResultPorts = {}) {
    this.#servers = servers;
    this.#catalog = catalog;
    this.#ports = ports;
  }

  /** The tool of that exposed name if it may be called now, else the sentence that says why not. */
  find(exposedName: string): CatalogTool | string {
    const tool = this.#catalog().tools.get(exposedName);
    if (tool === undefined) {
      return `There is no tool "${exposedName.slice(0, 100)}" now. Its server may have been removed or have other tools. Use mcp_bridge_find_tools to see what there is.`;
    }
    if (tool.availability.kind === 'leftOut') {
      return `The tool "${exposedName}" may not be called: ${tool.availability.reason} (settings of the MCP server "${tool.configuration.key}"). Do not try again; the user decides this.`;
    }
    return tool;
  }

  /**
   * Checks the arguments against the server's own schema and calls the tool. Whatever goes wrong is a
   * `failure` outcome whose message tells the model what to do; rejects only when the signal aborts. The
   * result is shaped to the limits of the server and, if given, to the budget of the caller.
   */
  async call(
    exposedName: string,
    input: unknown,
    signal: AbortSignal,
    tokens?: TokenBudget,
  ): Promise<ToolCallOutcome> {
    const tool = this.find(exposedName);
    if (typeof tool === 'string') {
      const code = this.#catalog().tools.has(exposedName) ? 'notAllowed' : 'toolUnknown';
      return { kind: 'failure', code, message: tool };
    }
    const args: JsonObject | undefined =
      input === undefined || input === null ? {} : asObject(input);
    if (args === undefined) {
      return invalid(exposedName, '- the arguments must be a JSON object');
    }
    const check = await this.#argumentCheck();
    signal.throwIfAborted();
    const verdict = check.check(tool.definition.inputSchema, args);
    if (!verdict.isValid) return invalid(exposedName, verdict.message);
    // The settings may have changed while the validator was loaded.
    const still = this.#catalog().tools.get(exposedName);
    if (still === undefined || !isCallable(still))
      return this.call(exposedName, args, signal, tokens);
    const answer = await this.#servers.callTool({
      serverId: tool.configuration.id,
      tool: tool.definition.name,
      arguments: args,
      signal,
    });
    if (answer.kind === 'failure') return answer;
    const shaped = await this.#shape(tool, answer.result, tokens);
    signal.throwIfAborted();
    const warning = outputWarning(tool.definition.outputSchema, answer.result, check);
    if (warning !== undefined) this.#ports.warn?.(`The tool "${exposedName}": ${warning}`);
    return { kind: 'result', ...shaped, warnings: warning === undefined ? [] : [warning] };
  }

  #shape({ exposedName, configuration }: CatalogTool, result: unknown, tokens?: TokenBudget) {
    const { key: server, limits } = configuration;
    const { files } = this.#ports;
    return toolResult(result, { server, tool: exposedName, limits, files, tokens });
  }

  #argumentCheck(): Promise<ArgumentCheck> {
    this.#check ??= import('./argumentCheck.ts').then((module) => new module.ArgumentCheck());
    return this.#check;
  }
}

function asObject(input: unknown): JsonObject | undefined {
  return isJsonObject(input) ? input : undefined;
}

function invalid(tool: string, details: string): ToolCallOutcome {
  return {
    kind: 'failure',
    code: 'invalidArguments',
    message: `The arguments for "${tool}" do not fit its input schema, so it was not called:\n${details}\nCorrect these and call it again.`,
  };
}
