import { literalSecrets, maskTokenShapes } from './settings/literalSecrets.ts';
import type { ServerLaunch } from './settings/serverConfiguration.ts';

/** Shorter values are not masked: they would blank out ordinary words, and protect nothing. */
const minLength = 6;
/** The same of values that a person gave as a secret. */
const minSecretLength = 4;

/**
 * Gives a function that masks the values of the environment, of headers, of the address's query, what looks like a secret in the
 * arguments, and `secrets` (values of `${secret:…}` and `${input:…}`) wherever they turn up in a text, also in their URL-encoded,
 * JSON and base64 forms.
 */
export function redactor(
  launch: ServerLaunch,
  secrets: readonly string[] = [],
): (text: string) => string {
  return masker([...secretsOf(launch), ...secrets.filter(isLongEnough)]);
}

/** Shorter secrets turn up in ordinary texts. */
const minGivenLength = 8;

/** Most values remembered at once; the oldest are forgotten first. */
const maxValues = 1000;

/** What must not be shown or logged, as it becomes known. Holds values only; what was once secret stays so. */
export class KnownSecrets {
  readonly #values = new Set<string>();
  /** Of these, those that a person gave as secrets, or that are tokens: no part of a launch that may be an ordinary word. */
  readonly #given = new Set<string>();
  #mask: (text: string) => string = (text) => text;

  /** Takes in the secrets of a launch with its variables expanded. */
  addLaunch(launch: ServerLaunch, secrets: readonly string[]): void {
    this.#take(secretsOf(launch));
    this.add(...secrets);
  }

  add(...values: readonly (string | undefined)[]): void {
    this.#take(values);
    for (const value of values) {
      if (value !== undefined && value.length >= minGivenLength) this.#given.add(value);
    }
    for (const oldest of this.#given) {
      if (this.#given.size <= maxValues) break;
      this.#given.delete(oldest);
    }
  }

  /** Whether a secret stands in the text that a person gave as one. */
  readonly holds = (text: string): boolean =>
    [...this.#given].some((secret) => text.includes(secret));

  #take(values: readonly (string | undefined)[]): void {
    const before = this.#values.size;
    for (const value of values) {
      if (value !== undefined && isLongEnough(value)) this.#values.add(value);
    }
    if (this.#values.size === before) return;
    for (const oldest of this.#values) {
      if (this.#values.size <= maxValues) break;
      this.#values.delete(oldest);
    }
    this.#mask = masker([...this.#values]);
  }

  /** The text with all of them masked, and whatever looks like a well-known token. */
  readonly mask = (text: string): string => maskTokenShapes(this.#mask(text));
}

function isLongEnough(value: string): boolean {
  return value.length >= minSecretLength;
}

function secretsOf(launch: ServerLaunch): string[] {
  const values =
    launch.type === 'stdio'
      ? Object.values(launch.env)
      : [
          ...Object.values(launch.headers),
          ...addressSecrets(launch.url),
          ...(launch.auth ? [launch.auth.clientSecret ?? null] : []),
        ];
  const parts = values.flatMap((value) => {
    if (value === null) return [];
    // "Bearer abc": the token alone is secret too.
    return [value, ...value.split(/\s+/)].filter((part) => part.length >= minLength);
  });
  return [...parts, ...literalSecrets(launch).map(({ value }) => value)];
}

function addressSecrets(text: string): string[] {
  const url = URL.parse(text);
  if (url === null) return [];
  return [...url.searchParams.values(), url.password, decoded(url.password)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function masker(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.flatMap(formsOf));
  const ordered = [...forms].toSorted((left, right) => right.length - left.length);
  return (text) => ordered.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text);
}

/** The ways a value is written in addresses, in JSON and in headers. */
function formsOf(secret: string): string[] {
  const text = secret.toWellFormed();
  const base64 = btoa(String.fromCodePoint(...new TextEncoder().encode(text.slice(0, 8192))));
  const withoutPadding = base64.replace(/=+$/, '');
  return [
    secret,
    encodeURIComponent(text),
    new URLSearchParams([['', text]]).toString().slice(1),
    JSON.stringify(text).slice(1, -1),
    withoutPadding,
    withoutPadding.replaceAll('+', '-').replaceAll('/', '_'),
  ];
}
