import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** The first `digits` hexadecimal digits (at most 64) of the SHA-256 of the text in UTF-8. */
export function shortHash(text: string, digits: number): string {
  return bytesToHex(sha256(utf8ToBytes(text.toWellFormed()))).slice(0, digits);
}
