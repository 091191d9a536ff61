import { decodeBase64 } from './base64.ts';

/** The image types every model API takes, by how their files begin; a file cut short is judged by what there is. */
const signatures: readonly (readonly [type: string, beginning: RegExp])[] = [
  ['image/png', /^\x89PNG/],
  ['image/jpeg', /^\xFF\xD8\xFF/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF(?:.{4}WEBP|.{0,4}$)/s],
];

/** The type of an image by its data (base64), if it is one that models take; what the server calls it may be wrong. */
export function imageTypeOf(digits: string): string | undefined {
  const beginning = atob(digits.slice(0, 24));
  return signatures.find(([, pattern]) => pattern.test(beginning))?.[0];
}

/** Whether data (base64) is an SVG image by its beginning. */
export function isSvg(digits: string): boolean {
  return /^(?:\xEF\xBB\xBF)?\s*<(?:svg|\?xml|!DOCTYPE svg)\b/i.test(atob(digits.slice(0, 64)));
}

const textTypes =
  /^(?:text\/.+|image\/svg\+xml|.+\+(?:json|xml|yaml)|application\/(?:(?:x-)?(?:json|ndjson|jsonl|xml|yaml|toml|sh|javascript|typescript|ecmascript|sql|graphql|httpd-php|python)|json-seq))$/;

/** Whether what has this media type is text, parameters such as `charset` aside. */
export function isTextType(mimeType: string): boolean {
  return textTypes.test(withoutParameters(mimeType));
}

/** Decodes text in the charset the media type names, else in UTF-8; `undefined` if it is not valid there. */
export function decodeText(digits: string, mimeType: string): string | undefined {
  const charset = /;\s*charset="?([\w.:-]+)/i.exec(mimeType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset, { fatal: true }).decode(decodeBase64(digits));
  } catch {
    return undefined;
  }
}

/** A media type as the server wrote it, in lower case and bounded. */
export function readMimeType(value: unknown): string {
  return typeof value === 'string' && value.trim() !== ''
    ? value.trim().slice(0, 100).toLowerCase()
    : 'unknown type';
}

function withoutParameters(mimeType: string): string {
  return mimeType.replace(/\s*;.*$/s, '');
}
