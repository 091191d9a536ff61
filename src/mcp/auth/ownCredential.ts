import type { HttpLaunch } from '../../core/settings/serverConfiguration.ts';

/** Names of headers that give access. */
const credentials = /^(proxy-)?authorization$|api-?key|token|secret|^cookie$/i;

/** The header of the settings by which the person has decided how access is had: nobody signs in then. */
export function ownCredential({ headers }: HttpLaunch): string | undefined {
  return Object.keys(headers).find((name) => credentials.test(name));
}
