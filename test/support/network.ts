import type { NetworkPorts } from '../../src/core/network/networkPorts.ts';
import { listen, type RunningHttpServer } from '../servers/listen.ts';

/** A server that must not receive a request. */
export const sentinel = (): Promise<RunningHttpServer> =>
  listen((_request, response) => response.end());

export const portOf = ({ url }: RunningHttpServer): string => new URL(url).port;

/** A network in which names lead to these addresses, and every other name nowhere. Counts what was asked. */
export function networkOf(
  names: Readonly<Record<string, readonly string[]>>,
  allowedHosts: readonly string[] = [],
): NetworkPorts & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    allowedHosts: () => allowedHosts,
    resolve: async (host) => {
      asked.push(host);
      const found = Object.hasOwn(names, host) ? names[host] : undefined;
      if (found === undefined) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
      return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}
