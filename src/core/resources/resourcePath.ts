import { decodeBase64 } from '../results/base64.ts';

/** A resource of one server. */
export interface ResourceAddress {
  readonly serverId: string;
  readonly uri: string;
}

const extensions: ReadonlyMap<string, string> = new Map([
  ['text/markdown', 'md'],
  ['text/html', 'html'],
  ['text/css', 'css'],
  ['text/csv', 'csv'],
  ['text/xml', 'xml'],
  ['text/yaml', 'yaml'],
  ['text/javascript', 'js'],
  ['text/x-python', 'py'],
  ['application/json', 'json'],
  ['application/xml', 'xml'],
  ['application/yaml', 'yaml'],
  ['application/x-yaml', 'yaml'],
  ['application/javascript', 'js'],
  ['application/typescript', 'ts'],
  ['application/sql', 'sql'],
  ['application/pdf', 'pdf'],
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
  ['image/svg+xml', 'svg'],
]);

/** Path and query of an address in the editor. */
export interface ResourcePath {
  readonly path: string;
  readonly query: string;
}

/**
 * Where the editor finds a resource. The path `/<server>/<file name>` is for people and for the editor's choice of a
 * language; what counts is the query: id of the server and URI as base64url, so that nothing on the way changes or
 * folds them.
 */
export function resourcePath({ serverId, uri }: ResourceAddress, mimeType?: string): ResourcePath {
  const key = safeName(serverId.slice(serverId.indexOf('/') + 1));
  return {
    path: `/${key || 'server'}/${fileName(uri, mimeType)}`,
    query: `${encode(serverId)}.${encode(uri)}`,
  };
}

/** What `resourcePath` was made from; `undefined` if the query is none of its kind. */
export function parseResourcePath({ query }: ResourcePath): ResourceAddress | undefined {
  const [, server, resource] = /^([\w-]+)\.([\w-]+)$/.exec(query) ?? [];
  if (server === undefined || resource === undefined) return undefined;
  try {
    return { serverId: decode(server), uri: decode(resource) };
  } catch {
    return undefined;
  }
}

/** The end of the URI, with the extension of its media type where it has none that says the same. */
function fileName(uri: string, mimeType: string | undefined): string {
  const plain = uri.replace(/[?#].*$/s, '').replace(/^[^:/]*:(\/\/)?/, '');
  const segments = plain.split('/').filter((segment) => segment !== '');
  const name = safeName(unescaped(segments.at(-1) ?? '')) || 'resource';
  const type = mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const extension = extensions.get(type) ?? (type.startsWith('text/') ? 'txt' : undefined);
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase();
  // The end of a host name is no extension.
  const own = segments.length > 1 || ending === extension ? ending : undefined;
  // A language cannot be told from `text/plain`, an image only from its extension.
  const isFine = own !== undefined && (!type.startsWith('image/') || own === extension);
  return isFine || extension === undefined ? name : `${name}.${extension}`;
}

function safeName(text: string): string {
  return text
    .replace(/[^\p{L}\p{N} ._()@+-]+/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-80)
    .toWellFormed()
    .trim();
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function encode(text: string): string {
  const binary = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  return btoa(binary.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Throws on what is not encoded so. */
function decode(text: string): string {
  const bytes = decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
