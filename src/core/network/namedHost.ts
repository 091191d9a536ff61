import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import { hostOf } from './reach.ts';

/**
 * The host that an entry of the user's own settings names by its `url`, when it is written out there: what a variable
 * stands for may come from elsewhere. Entries of workspaces and extensions name nothing.
 */
export function namedHost({
  origin,
  launch,
}: Pick<ServerConfiguration, 'origin' | 'launch'>): string | undefined {
  const isRemote = launch.type === 'http' || launch.type === 'sse';
  if (origin.scope !== 'user' || !isRemote) return undefined;
  const [, host = ''] = /^\s*https?:\/\/(\[[^\]]*\]|[^:/?#\\]*)/i.exec(launch.url) ?? [];
  if (host === '' || host.includes('$')) return undefined;
  const url = URL.parse(`https://${host}/`);
  return url === null ? undefined : hostOf(url);
}
