import { isDeeperThan, isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import { compactJson } from '../core/results/jsonText.ts';

const rawKey = 'mcp-bridge/raw';

/** An empty result of each method whose answers we read ourselves, in a form every protocol revision takes. */
const shells: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['tools/list', { tools: [], ttlMs: 0, cacheScope: 'private' }],
  ['tools/call', { content: [] }],
  ['resources/list', { resources: [], ttlMs: 0, cacheScope: 'private' }],
  ['resources/templates/list', { resourceTemplates: [], ttlMs: 0, cacheScope: 'private' }],
  ['resources/read', { contents: [], ttlMs: 0, cacheScope: 'private' }],
  ['prompts/list', { prompts: [], ttlMs: 0, cacheScope: 'private' }],
  ['prompts/get', { messages: [] }],
  ['completion/complete', { completion: { values: [] } }],
  ['tasks/get', {}],
  ['tasks/result', {}],
  ['tasks/update', {}],
  ['tasks/cancel', {}],
]);

/**
 * A result the SDK accepts, with the one the server sent inside: strict reading would refuse a list for one
 * bad member, or a call for one unknown content block. Questions to the user (`input_required`) stay
 * as they are, the SDK answers them.
 */
export function shellOf(method: string, result: JsonValue | undefined): JsonValue {
  const shell = shells.get(method);
  const resultType = isJsonObject(result) ? result['resultType'] : undefined;
  if (shell === undefined || resultType === 'input_required') return result ?? {};
  return { ...shell, resultType: 'complete', _meta: { [rawKey]: rawResult(result ?? null) } };
}

/** What the server sent, out of what the SDK gave us. */
export function rawResult<T>(result: T): T | JsonValue {
  const meta = isJsonObject(result) ? result['_meta'] : undefined;
  return isJsonObject(meta) && rawKey in meta ? (meta[rawKey] ?? null) : result;
}

/** Corrects the form of a JSON-RPC answer in place; says whether there was something to correct. */
export function makeSound(answer: JsonObject): boolean {
  const { result, error } = answer;
  if (error !== undefined && error !== null) {
    answer['error'] = normalizeError(error);
    delete answer['result'];
    return true;
  }
  if (result === undefined || isJsonObject(result)) return false;
  answer['result'] = { _meta: { [rawKey]: notTooDeep(result) } };
  return true;
}

/** JSON-RPC demands a code and a message; some servers send a text, or leave one out. */
export function normalizeError(error: JsonValue | undefined): JsonObject {
  if (!isJsonObject(error)) return { code: -32_603, message: asText(error) };
  const { code, message, data } = error;
  return {
    ...(data !== undefined && { data: notTooDeep(data) }),
    code: typeof code === 'number' && Number.isInteger(code) ? code : -32_603,
    message: typeof message === 'string' ? message : asText(message ?? error),
  };
}

/**
 * An `InitializeResult` whose less important members may be missing or of a wrong form. Every list is taken to
 * change: servers that announce it and those that just do it are heard alike.
 */
export function normalizeHandshake(result: JsonValue | undefined): JsonValue {
  if (!isJsonObject(result)) return result ?? {};
  const { capabilities, serverInfo } = result;
  const info = isJsonObject(serverInfo) ? serverInfo : {};
  return {
    ...result,
    capabilities: isJsonObject(capabilities)
      ? Object.fromEntries(
          Object.entries(capabilities)
            .filter(([, value]) => value !== false && value !== null)
            .map(([name, value]) => [
              name,
              {
                ...(isJsonObject(value) ? value : {}),
                ...(changing.has(name) && { listChanged: true }),
              },
            ]),
        )
      : {},
    serverInfo: {
      ...info,
      name: typeof info['name'] === 'string' ? info['name'] : 'unknown',
      version: typeof info['version'] === 'string' ? info['version'] : 'unknown',
    },
    ...('instructions' in result &&
      typeof result['instructions'] !== 'string' && { instructions: '' }),
  };
}

const changing = new Set(['tools', 'resources', 'prompts']);

function asText(value: JsonValue | undefined): string {
  if (value === undefined) return 'no reason given';
  return typeof value === 'string' ? value : compactJson(value).slice(0, 2000);
}

/** What is nested deeper than this is not shown anyway, and cannot be written as JSON again. */
const maxDepth = 500;

function notTooDeep(value: JsonValue): JsonValue {
  return isDeeperThan(value, maxDepth) ? compactJson(value) : value;
}
