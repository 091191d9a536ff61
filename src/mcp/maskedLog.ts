import { prefixed, rewritten, type Logger } from '../base/log.ts';
import { KnownSecrets, redactor } from '../core/redact.ts';
import type { WantedServer } from '../core/servers/serverHost.ts';

/** A log that can be told of more secrets. */
export interface MaskedLogger extends Logger {
  /** Masks these too, from now on. */
  readonly hide: (values: readonly string[]) => void;
}

interface MaskedLog {
  /** Puts the key of the server before each line. */
  readonly log: MaskedLogger;
  readonly mask: (text: string) => string;
  /** Takes in what becomes secret while the server is configured, such as access tokens. */
  readonly masks: KnownSecrets;
}

/** The log of one server, without the secrets of its launch. */
export function maskedLog({ configuration, resolved }: WantedServer, log: Logger): MaskedLog {
  const masks = new KnownSecrets();
  const redact =
    'launch' in resolved ? redactor(resolved.launch, resolved.secrets) : (text: string) => text;
  const mask = (text: string): string => masks.mask(redact(text));
  const hide = (values: readonly string[]): void => masks.add(...values);
  return { log: { ...rewritten(prefixed(log, configuration.key), mask), hide }, mask, masks };
}
