import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { TimeoutError, withTimeout } from '../../base/async.ts';
import type { Resolve, ResolvedAddress } from '../../core/network/networkPorts.ts';

/** Milliseconds to look a name up. */
const patience = 10_000;
/** Most addresses that are tried one after another. */
const maxTried = 16;

export const systemResolve: Resolve = (host) => systemLookup(host, { all: true });

/**
 * All addresses of a host name. Rejects with an error of the system; its code is `EAI_AGAIN` when there was no answer in time, and
 * `ENOTFOUND` when the answer is empty.
 */
export async function resolveInTime(
  host: string,
  resolve: Resolve,
): Promise<readonly ResolvedAddress[]> {
  let found: readonly ResolvedAddress[];
  try {
    found = await withTimeout(resolve(host), patience);
  } catch (error: unknown) {
    throw error instanceof TimeoutError ? lookupError('EAI_AGAIN', host) : error;
  }
  if (found.length === 0) throw lookupError('ENOTFOUND', host);
  return found;
}

/**
 * A `lookup` for sockets that gives out what was checked, and nothing else: a name that leads to one address that is refused is
 * refused as a whole, with that error. The socket connects to what it is given, so no second answer of the name counts.
 */
export function vettedLookup(
  refusal: (address: string) => Error | undefined,
  resolve: Resolve,
): LookupFunction {
  const vetted = async (host: string): Promise<readonly ResolvedAddress[]> => {
    const found = await resolveInTime(host, resolve);
    for (const { address } of found) {
      const refused = refusal(address);
      if (refused !== undefined) throw refused;
    }
    return found;
  };
  const look = callbackify(vetted);
  return (host, { all, family }, callback) => {
    const wanted = family === 'IPv4' ? 4 : family === 'IPv6' ? 6 : family;
    look(host, (error, found) => {
      if (error !== null) return callback(error, '');
      const usable = found
        .filter((one) => !wanted || one.family === wanted)
        .slice(0, maxTried)
        .map(({ address, family: own }) => ({ address, family: own }));
      const [first] = usable;
      if (first === undefined) return callback(lookupError('ENOTFOUND', host), '');
      return all === true ? callback(null, usable) : callback(null, first.address, first.family);
    });
  };
}

function lookupError(code: string, host: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`lookup ${code} ${host}`), { code });
}
