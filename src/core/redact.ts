import type { ServerLaunch } from './settings/serverConfiguration.ts';

/** Shorter values are not masked: they would blank out ordinary words, and protect nothing. */
const minLength = 6;

/**
 * Gives a function that masks the values of the environment, of headers and of the address's query
 * wherever they turn up in a text.
 */
export function redactor(launch: ServerLaunch): (text: string) => string {
  const values =
    launch.type === 'stdio'
      ? Object.values(launch.env)
      : [
          ...Object.values(launch.headers),
          ...queryValues(launch.url),
          ...(launch.auth ? [launch.auth.clientSecret ?? null] : []),
        ];
  const secrets = values.flatMap((value) => {
    if (value === null) return [];
    // "Bearer abc": the token alone is secret too.
    return [value, ...value.split(/\s+/)].filter((part) => part.length >= minLength);
  });
  const unique = [...new Set(secrets)].toSorted((left, right) => right.length - left.length);
  return (text) => unique.reduce((masked, secret) => masked.replaceAll(secret, '•••'), text);
}

function queryValues(url: string): string[] {
  return [...(URL.parse(url)?.searchParams.values() ?? [])];
}
