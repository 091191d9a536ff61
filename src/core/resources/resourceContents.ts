import { isJsonObject } from '../../base/json.ts';
import { boundedText } from '../boundedText.ts';
import { decodeBase64 } from '../results/base64.ts';

/** Largest resource shown in the editor, in bytes. */
const maxBytes = 10 * 1024 * 1024;
/** Most contents of one result that are looked at. */
const maxContents = 200;

/** A `ReadResourceResult` as the result of a tool call: each content is an embedded resource. */
export function asToolResult(result: unknown): unknown {
  return { content: contentsOf(result).map((resource) => ({ type: 'resource', resource })) };
}

/** What a resource holds, as a file. */
export interface ResourceFile {
  readonly bytes: Uint8Array;
  readonly mimeType?: string;
}

/**
 * A `ReadResourceResult` as one file (MCP specification, "Resource Contents"). Several contents become one text,
 * each under its URI. Gives the reason as a sentence when there is nothing to show.
 */
export function resourceFile(result: unknown): ResourceFile | string {
  const contents = contentsOf(result).filter(isJsonObject);
  const [first] = contents;
  if (first === undefined) return 'The server answered with no content.';
  const length = contents.reduce(
    (sum, { text, blob }) => sum + textLength(text) + textLength(blob),
    0,
  );
  if (length > maxBytes) {
    return `Its content is larger than ${maxBytes / 1024 / 1024} MB, which is too large to be shown.`;
  }
  if (contents.length > 1) {
    return { bytes: utf8(contents.map(section).join('\n\n')), mimeType: 'text/plain' };
  }
  const mimeType = boundedText(first['mimeType'], 100);
  const { text, blob } = first;
  const bytes =
    typeof text === 'string' ? utf8(text) : typeof blob === 'string' ? decode(blob) : undefined;
  if (bytes === undefined) return 'Its content is neither text nor valid base64.';
  return { bytes, ...(mimeType !== undefined && { mimeType }) };
}

function contentsOf(result: unknown): unknown[] {
  const contents = isJsonObject(result) ? result['contents'] : undefined;
  return Array.isArray(contents) ? contents.slice(0, maxContents) : [];
}

function section({ uri, mimeType, text }: Readonly<Record<string, unknown>>): string {
  const title = `==== ${boundedText(uri, 2048) ?? '(no URI)'} ====`;
  const type = boundedText(mimeType, 100) ?? 'unknown type';
  return `${title}\n${typeof text === 'string' ? text : `[binary, ${type}]`}`;
}

function textLength(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(base64: string): Uint8Array | undefined {
  try {
    return decodeBase64(base64);
  } catch {
    return undefined;
  }
}
