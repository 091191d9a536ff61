import { isJsonObject } from '../../base/json.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';

/**
 * What a server with `"protocol": "auto"` turned out to speak, where knowing it spares a start something: a local one
 * that only knows the revision without a handshake, a remote one that knows only older revisions or HTTP+SSE.
 */
export type KnownEra = 'modern' | 'legacy' | 'sse';

/** Port: keeps that from one start to the next. */
export interface EraCache {
  /** What was written for this launch, unchecked; `undefined` if nothing was. */
  readEra(configuration: ServerConfiguration): unknown;
  /** `undefined` forgets it. */
  writeEra(configuration: ServerConfiguration, verdict: EraVerdict | undefined): void;
}

export interface EraVerdict {
  readonly era: KnownEra;
  /** When it was found out, in milliseconds since 1970. */
  readonly at: number;
}

/** Servers learn newer revisions: after this many milliseconds they are asked again. */
const lifetime = 7 * 24 * 60 * 60 * 1000;

/** Reads a stored verdict; one that is too old, or of the future, is none. */
export function eraOf(stored: unknown, now: number): KnownEra | undefined {
  if (!isJsonObject(stored)) return undefined;
  const { era, at } = stored;
  const isFresh = typeof at === 'number' && at <= now && now - at < lifetime;
  if (!isFresh) return undefined;
  return era === 'modern' || era === 'legacy' || era === 'sse' ? era : undefined;
}
