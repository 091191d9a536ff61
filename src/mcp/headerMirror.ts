import { ProtocolError } from '@modelcontextprotocol/client';
import { jsonEqual, type JsonObject } from '../base/json.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import type { Problem } from '../core/problem.ts';
import {
  parameterHeaders,
  readHeaderParameters,
  type HeaderParameter,
} from '../core/tools/headerParameters.ts';

/** JSON-RPC error code `HeaderMismatch`: the call was not carried out. */
const headerMismatch = -32_020;

/** Repeats arguments in HTTP headers for the tools of one session that ask for it (MCP specification, "Custom Headers"). */
export class HeaderMirror {
  #parameters: ReadonlyMap<string, readonly HeaderParameter[]> = new Map();

  /** Takes a list that was read; what it gives back lacks the tools that the specification forbids to use. */
  learn({ tools, problems, ...list }: ServerTools): ServerTools {
    const parameters = new Map<string, readonly HeaderParameter[]>();
    const refused: Problem[] = [];
    const usable = tools.filter(({ name, inputSchema }) => {
      const read = readHeaderParameters(inputSchema);
      if (typeof read === 'string') {
        refused.push({ where: name, message: `"${name.slice(0, 64)}" is left out: ${read}.` });
        return false;
      }
      if (read.length > 0) parameters.set(name, read);
      return true;
    });
    this.#parameters = parameters;
    return { ...list, tools: usable, problems: [...problems, ...refused] };
  }

  /**
   * Sends a call with its headers. When the server misses some, the list they are made from was never read or
   * has changed: it is read, and the call sent once more if its headers are others then.
   */
  async call<T>(
    tool: string,
    args: JsonObject,
    send: (headers: Record<string, string>) => Promise<T>,
    readList: () => Promise<unknown>,
  ): Promise<T> {
    const headers = this.#headers(tool, args);
    try {
      return await send(headers);
    } catch (error: unknown) {
      if (!(error instanceof ProtocolError) || error.code !== headerMismatch) throw error;
      await readList();
      const corrected = this.#headers(tool, args);
      if (jsonEqual(headers, corrected)) throw error;
      return send(corrected);
    }
  }

  #headers(tool: string, args: JsonObject): Record<string, string> {
    return parameterHeaders(this.#parameters.get(tool) ?? [], args);
  }
}
