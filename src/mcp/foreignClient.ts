import { abortOf, withTimeout } from '../base/async.ts';
import { errorMessage } from '../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { BridgeError, callTimedOut, outcomeUnknown } from '../core/failures.ts';
import type { Problem } from '../core/problem.ts';
import type { ForeignClient } from '../core/servers/clientHost.ts';
import type { ServerTools } from '../core/servers/mcpServers.ts';
import { maxLimits } from '../core/settings/limits.ts';
import { timeoutSetting } from '../core/tools/callTimeouts.ts';
import type { CallProgress } from '../core/tools/toolCall.ts';
import { readTool, type ToolDefinition } from '../core/tools/toolDefinition.ts';
import { CallClock } from './callClock.ts';
import { listTools, type ListLimits, type ToolsPage } from './listTools.ts';
import type { ToolCallOptions } from './sessionCalls.ts';

/** Milliseconds a client gets beyond our own limits, so that ours end the call and say why. */
const grace = 1000;
/** Most names of dropped tools told in one sentence. */
const maxNamed = 20;

/** All pages of the client's tools, read as leniently as a server's, then passed through its filter. */
export async function listClientTools(
  foreign: ForeignClient,
  timeoutSeconds: number,
  signal: AbortSignal,
  limits: ListLimits,
): Promise<ServerTools> {
  const timeout = timeoutSeconds * 1000;
  const listed = await listTools(async (cursor) => {
    const params = cursor === undefined ? undefined : { cursor };
    const cancel = new AbortController();
    const options = {
      signal: AbortSignal.any([signal, cancel.signal]),
      timeout: timeout + grace,
      // The second generation of the SDK would answer from its cache.
      cacheMode: 'refresh',
    };
    try {
      return readPage(
        await withTimeout(
          settled(() => foreign.client.listTools(params, options)),
          timeout,
        ),
      );
    } catch (error: unknown) {
      cancel.abort(error);
      throw error;
    }
  }, limits);
  return filterTools(foreign, listed);
}

/** `tools/call` through the client, within the limits of a call. Gives a JSON copy of the answer, or throws a `BridgeError`. */
export async function callClientTool(
  { client }: ForeignClient,
  { server, tool, arguments: args, timeouts, signal, onProgress }: ToolCallOptions,
): Promise<JsonValue> {
  const clock = new CallClock(timeouts);
  const end = AbortSignal.any([signal, clock.signal]);
  const options = {
    signal: end,
    timeout: timeouts.call * 1000 + grace,
    maxTotalTimeout: timeouts.total * 1000 + grace,
    resetTimeoutOnProgress: true,
    onprogress: (progress: unknown) => {
      clock.progress();
      onProgress?.(readProgress(progress));
    },
  };
  const params = { name: tool, arguments: args };
  try {
    const calling = settled(() =>
      isFirstGeneration(client)
        ? client.callTool(params, undefined, options)
        : client.callTool(params, options),
    );
    return readAnswer(await Promise.race([calling, abortOf(end)]), server, tool);
  } catch (error: unknown) {
    signal.throwIfAborted();
    const { expired } = clock;
    if (expired === undefined) throw callFailure(error, server, tool);
    throw callTimedOut(server, tool, timeouts[expired], timeoutSetting(timeouts, expired));
  } finally {
    clock.dispose();
  }
}

function readProgress(value: unknown): CallProgress {
  const { message, progress, total } = isJsonObject(value) ? value : {};
  return {
    ...(typeof message === 'string' && { message: message.slice(0, 2000) }),
    ...(typeof progress === 'number' && { progress }),
    ...(typeof total === 'number' && { total }),
  };
}

/** Why the client's validator refuses the arguments, as the sentence for the model; `undefined` if it does not. */
export async function refusalOf(
  { validate }: ForeignClient,
  server: string,
  definition: ToolDefinition,
  args: JsonObject,
  timeoutSeconds: number,
): Promise<string | undefined> {
  if (validate === undefined) return undefined;
  let verdict: unknown;
  try {
    // Copies: what it does to them must not change what is called.
    const judging = settled(() => validate(structuredClone(definition), structuredClone(args)));
    verdict = await withTimeout(judging, timeoutSeconds * 1000);
  } catch (error: unknown) {
    return `The check of the arguments that belongs to "${server}" failed (${errorMessage(error).slice(0, 500)}), so "${definition.name}" was not called. Tell the user; trying again will not help until this is fixed.`;
  }
  if (verdict === undefined) return undefined;
  const said = typeof verdict === 'string' && verdict.trim() !== '' ? verdict : 'no reason given';
  return `The arguments for "${definition.name}" were refused by "${server}", so it was not called: ${said.slice(0, 4000).toWellFormed()}\nCorrect these and call it again.`;
}

/** Runs foreign code so that a throw and a rejection are the same. */
async function settled(run: () => unknown): Promise<unknown> {
  return run();
}

/** `callTool` of the SDK's first generation takes the options third, after a schema for the result. */
function isFirstGeneration(client: object): boolean {
  return 'getServerVersion' in client && !('getNegotiatedProtocolVersion' in client);
}

function readPage(answer: unknown): ToolsPage {
  const { tools, nextCursor } = Array.isArray(answer)
    ? { tools: answer as unknown[] }
    : isJsonObject(answer)
      ? (answer as { tools?: unknown; nextCursor?: unknown })
      : {};
  if (!Array.isArray(tools)) {
    throw new Error('"listTools" gave neither a list of tools nor an object with "tools"');
  }
  return {
    // One more than is used shows that there are more.
    tools: tools.slice(0, maxLimits.tools + 1).map(jsonCopy),
    ...(typeof nextCursor === 'string' && { nextCursor: nextCursor.slice(0, 4096) }),
  };
}

/** `undefined` for what is no JSON. */
function jsonCopy(value: unknown): JsonValue | undefined {
  try {
    return JSON.parse(JSON.stringify(value)) as JsonValue;
  } catch {
    return undefined;
  }
}

function filterTools({ filter }: ForeignClient, listed: ServerTools): ServerTools {
  if (filter === undefined) return listed;
  const tools: ToolDefinition[] = [];
  const problems: Problem[] = [...listed.problems];
  const dropped: string[] = [];
  for (const tool of listed.tools) {
    let verdict: unknown;
    try {
      verdict = filter(structuredClone(tool));
    } catch (error: unknown) {
      const message = `Left out: the filter of its extension failed: ${errorMessage(error).slice(0, 500)}`;
      problems.push({ where: tool.name, message });
      continue;
    }
    if (verdict === true) tools.push(tool);
    else if (verdict === false) dropped.push(tool.name);
    else {
      const altered = readAltered(tool, verdict);
      if ('message' in altered) problems.push(altered);
      else {
        tools.push(altered.tool);
        problems.push(...altered.problems);
      }
    }
  }
  if (dropped.length > 0) {
    const more = dropped.length > maxNamed ? ` and ${dropped.length - maxNamed} more` : '';
    const names = dropped.slice(0, maxNamed).join(', ') + more;
    problems.push({
      where: 'filter',
      message: `Left out by the filter of its extension: ${names}.`,
    });
  }
  return { ...listed, tools, problems };
}

function readAltered(tool: ToolDefinition, verdict: unknown): ReturnType<typeof readTool> {
  const copy = jsonCopy(verdict);
  if (isJsonObject(copy) && copy['name'] === tool.name) return readTool(copy);
  return {
    where: tool.name,
    message:
      'Left out: the filter of its extension gave neither true, false nor a definition of the same name.',
  };
}

function readAnswer(answer: unknown, server: string, tool: string): JsonValue {
  const copy = jsonCopy(answer ?? null);
  if (copy !== undefined) return copy;
  throw new BridgeError(
    'protocol',
    `The client of "${server}" answered the call of "${tool}" with something that is no JSON. The call was made; check what it did before calling it again.`,
  );
}

/** A JSON-RPC error is an answer of the server. After any other the outcome is unknown. */
function callFailure(error: unknown, server: string, tool: string): BridgeError {
  if (error instanceof BridgeError) return error;
  const code = typeof error === 'object' && error !== null && 'code' in error && error.code;
  // The SDK's own "connection closed" and "timed out" of its first generation.
  if (typeof code !== 'number' || code === -32000 || code === -32001) {
    const message = `The call of "${tool}" on "${server}" failed: ${errorMessage(error).slice(0, 2000)}`;
    return outcomeUnknown(new BridgeError('connectionLost', message, { cause: error }));
  }
  return new BridgeError(
    'protocol',
    `The MCP server "${server}" answered the call of "${tool}" with an error: ${errorMessage(error).slice(0, 4000)}`,
    { cause: error },
  );
}
