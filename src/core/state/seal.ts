import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, isJsonObject } from '../../base/json.ts';

/** A value as it is stored, with what proves that it was stored under that name by whoever holds the key. */
export interface Sealed {
  readonly value: unknown;
  readonly seal: string;
}

/** `value`: JSON. `key`: 32 random bytes, as hexadecimal digits. */
export function sealed(name: string, value: unknown, key: string): Sealed {
  return { value, seal: sealOf(name, value, key) };
}

/** The value, or `undefined` when it was not sealed under that name with that key, or was changed since. */
export function unsealed(name: string, stored: unknown, key: string): unknown {
  if (!isJsonObject(stored) || stored['seal'] !== sealOf(name, stored['value'], key)) {
    return undefined;
  }
  return stored['value'];
}

/** A MAC of name and value, as hexadecimal digits; the same wherever members of objects stand. */
export function sealOf(name: string, value: unknown, key: string): string {
  const text = `${name}\0${canonicalJson(value)}`.toWellFormed();
  return bytesToHex(hmac(sha256, hexToBytes(key), utf8ToBytes(text)));
}
