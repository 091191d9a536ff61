import { isJsonObject } from '../../base/json.ts';

/** A value in settings that looks like a secret written out. */
export interface LiteralSecret {
  /** Where it stands in the entry, such as `['headers', 'Authorization']`. */
  readonly path: readonly (string | number)[];
  /** The secret itself, without what stands around it (`Bearer `, `--token=`). */
  readonly value: string;
  /** What gave it away, for the person: `a GitHub token`. */
  readonly what: string;
}

/** Shapes that nothing but a token has. */
const shapes: readonly (readonly [what: string, shape: RegExp])[] = [
  ['a GitHub token', /\bgh[pousr]_[A-Za-z0-9]{20,255}\b|\bgithub_pat_[A-Za-z0-9_]{20,255}\b/],
  ['a GitLab token', /\bglpat-[A-Za-z0-9_-]{20,}/],
  ['an API key', /\bsk-[A-Za-z0-9_-]{20,}|\b[sr]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ['a Slack token', /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a Hugging Face token', /\bhf_[A-Za-z0-9]{30,}\b/],
  ['a Docker token', /\bdckr_pat_[A-Za-z0-9_-]{20,}/],
  ['a JSON Web Token', /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/],
];
const scheme = /^(?:Bearer|Basic|Token|ApiKey)\s+(\S{8,})$/i;

/** Names whose values are secret; `keyboard` or `tokenizer` are none of them. */
const secretName =
  /(?:^|[_\-. ]|[a-z](?=[A-Z]))(?:api[_-]?key|access[_-]?key|private[_-]?key|auth[_-]?key|service[_-]?key|key|token|secret|password|passwd|pwd|passphrase|credentials?|authorization|cookie|pat)$/i;
/** Of names that end like a secret's but are told in public. */
const publicName =
  /(?:public|partition|primary|foreign|sort|cache|max|min|num|page|count|next|idempotency|monkey|hot)[_-]?(?:key|token)s?$/i;
const placeholder =
  /^(?:.*(?:your|example|placeholder|changeme|replace|dummy|xxxx|\.\.\.|<|\*\*\*).*|none|null|true|false|test|secret|password|token|undefined|.*[/\\]{1}.*[/\\].*|https?:.*)$/i;

/** Whether the value of something with that name is a secret, and which part of it. */
function literalSecret(
  name: string,
  text: string,
): Pick<LiteralSecret, 'value' | 'what'> | undefined {
  if (text.length > 32_768) return undefined;
  const token = wellKnown(text);
  if (token !== undefined) return token;
  if (text.includes('${')) return undefined;
  const credential = scheme.exec(text.trim())?.[1];
  const isAuthorization = /authorization$/i.test(name);
  if (credential !== undefined && (isAuthorization || isRandom(credential))) {
    return placeholder.test(credential)
      ? undefined
      : { value: credential, what: 'an access token' };
  }
  if (!secretName.test(name) || publicName.test(name) || placeholder.test(text)) return undefined;
  const isPassword = /(?:password|passwd|pwd|passphrase|secret)$/i.test(name);
  if (isPassword ? text.length >= 6 : isRandom(text)) return { value: text, what: 'a secret' };
  return undefined;
}

function wellKnown(text: string): Pick<LiteralSecret, 'value' | 'what'> | undefined {
  for (const [what, shape] of shapes) {
    const value = shape.exec(text)?.[0];
    if (value !== undefined) return { value, what };
  }
  return undefined;
}

/** Long, without spaces, and of more kinds of characters than a word or an identifier has. */
function isRandom(text: string): boolean {
  if (text.length < 12 || /\s/.test(text)) return false;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/].filter((kind) => kind.test(text)).length;
  return kinds >= 2 && new Set(text).size >= 8;
}

const option = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s;

/** Most secrets reported of one entry. */
const maxFound = 50;

/** The secrets that stand in an entry of `mcpBridge.servers` as plain text: in `env`, `headers`, `args` and `url`. */
export function literalSecrets(entry: unknown): LiteralSecret[] {
  if (!isJsonObject(entry)) return [];
  const found: LiteralSecret[] = [];
  const check = (path: LiteralSecret['path'], name: string, value: unknown): void => {
    if (typeof value !== 'string' || found.length >= maxFound) return;
    const secret = literalSecret(name, value);
    if (secret !== undefined) found.push({ path, ...secret });
  };
  for (const record of ['env', 'headers']) {
    const values = entry[record];
    if (!isJsonObject(values)) continue;
    for (const [name, value] of Object.entries(values)) check([record, name], name, value);
  }
  const args: readonly unknown[] = Array.isArray(entry['args']) ? entry['args'].slice(0, 1000) : [];
  args.forEach((argument, index) => {
    const before = args[index - 1];
    const [, name, value] = typeof argument === 'string' ? (option.exec(argument) ?? []) : [];
    if (value !== undefined) check(['args', index], name ?? '', value);
    else check(['args', index], optionName(before), argument);
  });
  for (const name of ['url', 'serverUrl', 'httpUrl']) {
    const url = entry[name];
    if (typeof url !== 'string') continue;
    const { searchParams, password = '' } = URL.parse(url.slice(0, 32_768)) ?? {};
    const values = [...(searchParams ?? []), ['password', password] as const];
    for (const [parameter, value] of values) {
      // What is encoded in the address cannot be replaced in it one to one.
      if (url.includes(value)) check([name], parameter, value);
    }
  }
  return found;
}

function optionName(argument: unknown): string {
  const [, name, value] = typeof argument === 'string' ? (option.exec(argument) ?? []) : [];
  return value === undefined ? (name ?? '') : '';
}

/** What kind of secret stands in a text, whatever it is called: `a GitHub token`; `undefined` if none is seen. */
export function secretKind(text: string): string | undefined {
  const part = text.slice(0, 1_048_576);
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(part)) return 'a private key';
  if (/\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]{1,200}:[^\s/:@]{3,200}@/i.test(part)) {
    return 'a password in an address';
  }
  return wellKnown(part)?.what;
}

/** Masks what has the shape of a well-known token, wherever it came from. */
export function maskTokenShapes(text: string): string {
  return shapes.reduce((masked, [, shape]) => masked.replace(new RegExp(shape, 'g'), '•••'), text);
}
