import { eraOf, type KnownEra } from '../core/servers/eraCache.ts';
import type { OpenOptions } from './openSession.ts';

type EraOptions = Pick<OpenOptions, 'eras' | 'configuration'>;

/** What the server is known to speak, as long as the settings leave that open. */
export function knownEra({ eras, configuration }: EraOptions): KnownEra | undefined {
  if (configuration.protocol !== 'auto') return undefined;
  return eraOf(eras?.readEra(configuration), Date.now());
}

/** Keeps what was found out about a server, or forgets what turned out wrong. */
export function rememberEra({ eras, configuration }: EraOptions, era?: KnownEra): void {
  if (configuration.protocol !== 'auto') return;
  eras?.writeEra(configuration, era && { era, at: Date.now() });
}
