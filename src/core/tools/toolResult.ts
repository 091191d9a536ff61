import { isDeeperThan, isJsonObject, jsonEqual, type JsonObject } from '../../base/json.ts';
import type { ToolCallOutcome, ToolResultPart } from './toolCall.ts';

/** Most characters of text and most images one result gives to the model. */
export const maxResultText = 50_000;
export const maxImages = 10;
/** Most base64 characters of all images together: 5 MiB of data. */
export const maxImageCharacters = Math.ceil((5 * 1024 * 1024 * 4) / 3);

/** Image types every model API takes; what a server writes on the left is read as the right. */
const imageTypes: ReadonlyMap<string, string> = new Map([
  ['image/png', 'image/png'],
  ['image/jpeg', 'image/jpeg'],
  ['image/jpg', 'image/jpeg'],
  ['image/gif', 'image/gif'],
  ['image/webp', 'image/webp'],
]);

/**
 * Turns a `CallToolResult` (MCP specification, "Tool Result") into what the model reads. Takes anything:
 * parts of unknown or broken form become text, never an error. `structuredContent` is added as JSON unless
 * a text part says the same. The result always has at least one part.
 */
export function toolResult(result: unknown): Extract<ToolCallOutcome, { kind: 'result' }> {
  const { content, structuredContent, isError } = isJsonObject(result) ? result : {};
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  const parts = blocks.flatMap(contentParts);
  if (structuredContent !== undefined && !isSaidAlready(parts, structuredContent)) {
    parts.push(text(jsonText(structuredContent)));
  }
  const failed = isError === true;
  const limited = limit(parts);
  if (failed) {
    const said = limited.length > 0 ? limited : [text('the server gave no reason')];
    return { kind: 'result', isError: true, parts: [text('The tool reported an error:'), ...said] };
  }
  return {
    kind: 'result',
    isError: false,
    parts: limited.length > 0 ? limited : [text('(The tool gave an empty result.)')],
  };
}

function contentParts(block: unknown): ToolResultPart[] {
  if (typeof block === 'string') return [text(block)];
  if (!isJsonObject(block)) return [];
  // Parts meant for the person only (annotations, "audience") are not for the model.
  const { annotations } = block;
  const audience = isJsonObject(annotations) ? annotations['audience'] : undefined;
  if (Array.isArray(audience) && audience.length > 0 && !audience.includes('assistant')) return [];
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string' ? [text(block['text'])] : [];
    case 'image':
      return [imagePart(block['data'], block['mimeType'])];
    case 'audio':
      return [text(`[audio, ${mimeType(block['mimeType'])}: not passed on]`)];
    case 'resource':
      return [embeddedResource(block['resource'])];
    case 'resource_link':
      return [text(resourceLink(block))];
    default:
      return [text(jsonText(withoutMeta(block)))];
  }
}

function embeddedResource(resource: unknown): ToolResultPart {
  if (!isJsonObject(resource)) return text('[resource without content]');
  const { uri, text: body, blob } = resource;
  if (typeof body === 'string') return text(body);
  if (typeof blob === 'string' && imageTypes.has(mimeType(resource['mimeType']))) {
    return imagePart(blob, resource['mimeType']);
  }
  return text(`[resource ${shown(uri)}, ${mimeType(resource['mimeType'])}: not passed on]`);
}

function resourceLink({ uri, name, title, description, mimeType: type }: JsonObject): string {
  const label = [title, name].find((value) => typeof value === 'string' && value !== '');
  const details = [type, description].filter(
    (value): value is string => typeof value === 'string' && value !== '',
  );
  return `[resource ${shown(label ?? 'link')}: ${shown(uri)}${details.length > 0 ? ` (${details.join('; ')})` : ''}]`;
}

function imagePart(data: unknown, type: unknown): ToolResultPart {
  const declared = mimeType(type);
  const accepted = imageTypes.get(declared);
  if (typeof data !== 'string' || data === '') return text(`[image, ${declared}: without data]`);
  const base64 = data.replace(/\s+/g, '');
  if (!isBase64(base64)) {
    return text(`[image, ${declared}: its data is not valid base64]`);
  }
  // SVG is text; a model can read its source.
  if (declared === 'image/svg+xml') return text(decodeText(base64));
  if (accepted === undefined) {
    return text(
      `[image, ${declared}, ${Math.floor((base64.length * 3) / 4)} bytes: models cannot take this type]`,
    );
  }
  return { kind: 'image', mimeType: accepted, base64 };
}

/** With or without padding; what passes can be decoded. */
function isBase64(data: string): boolean {
  const digits = data.replace(/={1,2}$/, '');
  const isComplete = digits.length === data.length || data.length % 4 === 0;
  return isComplete && digits.length % 4 !== 1 && /^[A-Za-z0-9+/]+$/.test(digits);
}

function isSaidAlready(parts: readonly ToolResultPart[], structured: unknown): boolean {
  return parts.some((part) => {
    if (part.kind !== 'text') return false;
    try {
      return jsonEqual(JSON.parse(part.text), structured);
    } catch {
      return false;
    }
  });
}

/** Cuts text and drops images beyond the limits, and says so. */
function limit(parts: readonly ToolResultPart[]): ToolResultPart[] {
  const kept: ToolResultPart[] = [];
  let room = maxResultText;
  let imageRoom = maxImageCharacters;
  let images = 0;
  for (const part of parts) {
    if (part.kind === 'image') {
      if (images >= maxImages || part.base64.length > imageRoom) continue;
      images += 1;
      imageRoom -= part.base64.length;
      kept.push(part);
    } else if (room > 0) {
      kept.push(part.text.length <= room ? part : text(cut(part.text, room)));
      // An empty text takes room too, so that their number is limited.
      room -= Math.max(part.text.length, 1);
    }
  }
  const missing = parts.length - kept.length;
  if (missing > 0) {
    kept.push(
      text(`[${missing} more parts left out: the result has more text or images than fit]`),
    );
  }
  return kept;
}

/** Beginning and end of a text, of `room` characters together. */
function cut(whole: string, room: number): string {
  const head = whole.slice(0, Math.ceil(room / 2)).toWellFormed();
  const tail = whole.slice(whole.length - Math.floor(room / 2)).toWellFormed();
  const missing = whole.length - room;
  return `${head}\n[… ${missing} characters left out, the result is too long …]\n${tail}`;
}

/** Most characters and levels of JSON that is laid out in lines: indentation multiplies the two. */
const maxPretty = 200_000;
const maxPrettyDepth = 32;
/** Deepest JSON that is shown at all. */
const maxDepth = 500;

function jsonText(value: unknown): string {
  if (isDeeperThan(value, maxDepth)) return '[data that is nested too deeply to be shown]';
  const compact = JSON.stringify(value);
  const isPretty = compact.length <= maxPretty && !isDeeperThan(value, maxPrettyDepth);
  return isPretty ? JSON.stringify(value, null, 2) : compact;
}

function text(value: string): ToolResultPart {
  return { kind: 'text', text: value.toWellFormed() };
}

function mimeType(value: unknown): string {
  return typeof value === 'string' && value !== ''
    ? value.slice(0, 100).toLowerCase()
    : 'unknown type';
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2048) : '(unnamed)';
}

function withoutMeta({
  _meta: _ignored,
  annotations: _alsoIgnored,
  ...rest
}: JsonObject): JsonObject {
  return rest;
}

function decodeText(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  return new TextDecoder().decode(bytes);
}
