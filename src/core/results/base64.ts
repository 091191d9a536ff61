/**
 * Reads what servers send as base64: standard or URL-safe alphabet, with or without padding, in lines or
 * behind `data:…;base64,`. Gives the digits in the standard alphabet, which `decodeBase64` takes;
 * `undefined` if it is none, or empty.
 */
export function readBase64(data: string): string | undefined {
  const digits = data
    .replace(/^data:[^,]{0,200};base64,/i, '')
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  const bare = digits.replace(/={1,2}$/, '');
  const isComplete = bare.length === digits.length || digits.length % 4 === 0;
  return isComplete && bare.length % 4 !== 1 && /^[A-Za-z0-9+/]+$/.test(bare) ? digits : undefined;
}

/** How many bytes the digits stand for. */
export function base64Length(digits: string): number {
  const padding = digits.endsWith('==') ? 2 : digits.endsWith('=') ? 1 : 0;
  return Math.floor(((digits.length - padding) * 3) / 4);
}

/** Decodes digits of the standard alphabet, such as `readBase64` gave; throws on others. */
export function decodeBase64(digits: string): Uint8Array<ArrayBuffer> {
  const binary = atob(digits);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
