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

/**
 * The path under which the editor knows a resource: `/<server>/<uri>/<file name>`. The first two are
 * base64url, so that nothing on the way changes, cuts or folds them; the last is for people and for the editor's
 * choice of a language.
 */
export function resourcePath({ serverId, uri }: ResourceAddress, mimeType?: string): string {
  return `/${encode(serverId)}/${encode(uri)}/${fileName(uri, mimeType)}`;
}

/** What `resourcePath` was made from; `undefined` if the path is none of its kind. */
export function parseResourcePath(path: string): ResourceAddress | undefined {
  const [, server, resource] = /^\/([\w-]+)\/([\w-]+)\/[^/]+$/.exec(path) ?? [];
  if (server === undefined || resource === undefined) return undefined;
  try {
    return { serverId: decode(server), uri: decode(resource) };
  } catch {
    return undefined;
  }
}

/** The end of the URI, with the extension of its media type where it has none that says the same. */
function fileName(uri: string, mimeType: string | undefined): string {
  const path = uri.replace(/[?#].*$/s, '').replace(/^[^:/]*:(?:\/\/[^/]*)?/, '');
  const last = path.split('/').findLast((segment) => segment !== '') ?? 'resource';
  const name = unescaped(last)
    .replace(/[^\p{L}\p{N} ._()@+-]+/gu, '_')
    .replace(/^[. ]+/, '')
    .slice(-80)
    .toWellFormed()
    .trim();
  const type = mimeType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const extension = extensions.get(type) ?? (type.startsWith('text/') ? 'txt' : undefined);
  const own = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase();
  // A language cannot be told from `text/plain`, an image only from its extension.
  const isFine = own !== undefined && (!type.startsWith('image/') || own === extension);
  return isFine || extension === undefined
    ? name || 'resource'
    : `${name || 'resource'}.${extension}`;
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
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}
