import { isJsonObject } from '../../base/json.ts';
import { visibleText } from '../visibleText.ts';

const maxRequests = 10;
const maxMessage = 500;

/**
 * What to tell the model when a server answers a call with questions (MCP specification 2026-07-28,
 * `InputRequiredResult`): nothing was carried out, and what it wants to know; `undefined` for any other result.
 */
export function inputRequired(
  result: Readonly<Record<string, unknown>>,
  server: string,
): string | undefined {
  const { resultType, inputRequests, content, structuredContent } = result;
  // On sessions of older revisions the SDK takes `resultType` away.
  const isUnnamed =
    content === undefined && structuredContent === undefined && isJsonObject(inputRequests);
  if (resultType !== 'input_required' && !isUnnamed) return undefined;
  const requests = isJsonObject(inputRequests) ? Object.entries(inputRequests) : [];
  const wanted = requests.slice(0, maxRequests).map(([key, request]) => describe(key, request));
  if (requests.length > maxRequests) wanted.push(`- and ${requests.length - maxRequests} more`);
  return [
    `The tool was not carried out: the MCP server "${server}" requires input first, and it cannot be asked for here.`,
    ...(wanted.length > 0 ? ['It wants:', ...wanted] : []),
    'If the tool takes this as an argument, get it from the user and call it again; otherwise tell the user.',
  ].join('\n');
}

function describe(key: string, request: unknown): string {
  const { method, params } = isJsonObject(request) ? request : {};
  const { message, url, requestedSchema } = isJsonObject(params) ? params : {};
  const { properties } = isJsonObject(requestedSchema) ? requestedSchema : {};
  const fields = isJsonObject(properties) ? Object.keys(properties).join(', ') : '';
  const parts = [
    message,
    typeof url === 'string' ? `to be answered at ${url}` : undefined,
    fields === '' ? undefined : `fields: ${fields}`,
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  const kind = typeof method === 'string' ? ` (${short(method)})` : '';
  return `- ${short(key)}${kind}${parts.map((part) => ` ${short(part)}`).join(';')}`;
}

/** One line of bounded length. */
function short(text: string): string {
  const line = visibleText(text.slice(0, maxMessage)).replace(/\s+/g, ' ');
  return text.length > maxMessage ? `${line}…` : line;
}
