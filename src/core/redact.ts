import type { ServerLaunch } from './settings/serverConfiguration.ts';

/** Shorter values are not masked: they would blank out ordinary words, and protect nothing. */
const minLength = 6;

/** Gives a function that masks the environment and header values of a launch wherever they turn up in a text. */
export function redactor(launch: ServerLaunch): (text: string) => string {
  const record = launch.type === 'stdio' ? launch.env : launch.headers;
  const secrets = Object.values(record).flatMap((value) => {
    if (value === null) return [];
    // "Bearer abc": the token alone is secret too.
    return [value, ...value.split(/\s+/)].filter((part) => part.length >= minLength);
  });
  const unique = [...new Set(secrets)].toSorted((left, right) => right.length - left.length);
  return (text) => unique.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text);
}
