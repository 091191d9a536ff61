import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { ToolResultPart } from '../tools/toolCall.ts';
import { base64Length, readBase64 } from './base64.ts';
import { visibleText } from '../visibleText.ts';
import { compactJson, jsonText, plainText } from './jsonText.ts';
import { wrapLines } from './longLines.ts';
import { decodeText, imageTypeOf, isSvg, isTextType, readMimeType } from './mediaTypes.ts';

/** One part of a result, read and made fit for a model, before it is known whether there is room for it. */
export interface ContentItem {
  readonly part: ToolResultPart;
  /** 0 may be left out first, 1 last (MCP specification, `Annotations`). */
  readonly priority: number;
}

/** What stands between the extremes is the best guess about a part whose server says nothing. */
export const defaultPriority = 0.5;
/** Most characters shown of a part nobody knows. */
const maxUnknown = 4000;

/**
 * Reads `content` of a result (MCP specification, "Tool Result"). Takes anything: parts of unknown or broken form
 * become text or, when there is nothing in them, go; never an error. `texts` are the text parts as the server wrote
 * them; `forUser` counts the parts that are not for the model (annotations, `audience`).
 */
export function contentItems(content: unknown): {
  items: ContentItem[];
  texts: string[];
  forUser: number;
} {
  const blocks: unknown[] = Array.isArray(content) ? content : [content];
  const items: ContentItem[] = [];
  const texts: string[] = [];
  let forUser = 0;
  for (const block of blocks) {
    const { audience, priority } = readAnnotations(block);
    if (audience !== undefined && !audience.includes('assistant')) {
      forUser += 1;
      continue;
    }
    items.push(...contentParts(block).map((part) => ({ part, priority })));
    const words = isJsonObject(block) ? block['text'] : block;
    if (typeof words === 'string') texts.push(words);
  }
  return { items, texts, forUser };
}

function readAnnotations(block: unknown): { audience?: readonly unknown[]; priority: number } {
  const { annotations } = isJsonObject(block) ? block : {};
  const { audience, priority } = isJsonObject(annotations) ? annotations : {};
  return {
    ...(Array.isArray(audience) && audience.length > 0 && { audience }),
    priority: typeof priority === 'number' ? Math.min(Math.max(priority, 0), 1) : defaultPriority,
  };
}

function contentParts(block: unknown): ToolResultPart[] {
  if (block === undefined || block === null) return [];
  if (typeof block === 'string') return [text(plainText(block))];
  if (!isJsonObject(block)) return [text(jsonText(block))];
  const { type, text: words } = block;
  switch (type) {
    case undefined:
    case 'text':
      if (typeof words === 'string') return [text(plainText(words))];
      if (type === 'text')
        return words === undefined || words === null ? [] : [text(jsonText(words))];
      return [text(unknownBlock(block))];
    case 'image':
      return [imagePart(block)];
    case 'audio':
      return [text(`[audio, ${sized(block['mimeType'], block['data'])}: not passed on]`)];
    case 'resource':
      return [embeddedResource(block)];
    case 'resource_link':
      return [text(resourceLink(block))];
    default:
      return [text(unknownBlock(block))];
  }
}

function imagePart(block: JsonObject): ToolResultPart {
  const { data } = block;
  if (typeof data !== 'string' || data === '') {
    return text(`[image without data: ${unknownBlock(block)}]`);
  }
  const declared = readMimeType(block['mimeType']);
  return (
    imageOf(data, declared) ?? text(`[image, ${sized(declared, data)}: models cannot take this]`)
  );
}

/** Data as an image, or as text where it is text (SVG). The data counts, not what the server calls it. */
function imageOf(data: string, declared: string): ToolResultPart | undefined {
  const base64 = readBase64(data);
  if (base64 === undefined) return undefined;
  const mimeType = imageTypeOf(base64);
  if (mimeType !== undefined) return { kind: 'image', mimeType, base64 };
  const isSource = declared.startsWith('image/svg') || isSvg(base64);
  const source = isSource ? decodeText(base64, declared) : undefined;
  return source === undefined ? undefined : text(plainText(source));
}

function embeddedResource({ resource }: JsonObject): ToolResultPart {
  if (!isJsonObject(resource)) return text('[resource without content]');
  const { uri, text: body, blob } = resource;
  const declared = readMimeType(resource['mimeType']);
  const head = `resource ${shown(uri)}, ${shown(declared)}`;
  if (typeof body === 'string') return text(`[${head}]\n${plainText(body)}`);
  if (typeof blob !== 'string') return text(`[${head}: without content]`);
  if (isTextType(declared)) {
    const base64 = readBase64(blob);
    const decoded = base64 === undefined ? undefined : decodeText(base64, declared);
    if (decoded !== undefined) return text(`[${head}]\n${plainText(decoded)}`);
  }
  return (
    imageOf(blob, declared) ??
    text(`[resource ${shown(uri)}, ${sized(declared, blob)}: not passed on]`)
  );
}

function resourceLink({ uri, name, title, description, mimeType, size }: JsonObject): string {
  const labels = new Set([title, name].filter(isWords).map(shown));
  const [label = 'link', other] = labels;
  const details = [
    mimeType,
    typeof size === 'number' ? `${size} bytes` : undefined,
    description,
  ].filter(isWords);
  const called = other === undefined ? label : `${label} (${other})`;
  const more = details.length > 0 ? ` (${details.map(shown).join('; ')})` : '';
  return `[resource ${called}: ${shown(uri)}${more}]`;
}

/** A part of a kind nobody knows, as JSON of bounded length and without what is not for models. */
function unknownBlock({ annotations: _annotations, ...block }: JsonObject): string {
  const json = compactJson(block, (key, value) => {
    if (key === '_meta') return undefined;
    const isData = (key === 'data' || key === 'blob') && typeof value === 'string';
    return isData && value.length > 200 ? `[${value.length} characters of data]` : value;
  });
  if (json.length <= maxUnknown) return plainText(json);
  const left = json.length - maxUnknown;
  return `${plainText(json.slice(0, maxUnknown))}[… ${left} characters left out]`;
}

/** Type and size of data that is only described. */
function sized(type: unknown, data: unknown): string {
  const mimeType = shown(readMimeType(type));
  if (typeof data !== 'string' || data === '') return `${mimeType}, without data`;
  const digits = readBase64(data);
  return digits === undefined
    ? `${mimeType}, its data is not valid base64`
    : `${mimeType}, ${base64Length(digits)} bytes`;
}

function isWords(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function shown(value: unknown): string {
  return typeof value === 'string' ? visibleText(value.slice(0, 2048)) : '(unnamed)';
}

function text(value: string): ToolResultPart {
  return { kind: 'text', text: wrapLines(value) };
}
