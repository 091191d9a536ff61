import { RE2JS } from 're2js';
import { maxPattern } from './patterns.ts';

/** What RE2 reads in another way than JavaScript: back references by name, control letters, POSIX classes. */
const readOtherwise = /\\k<|\\c[A-Za-z]|\[\[:|\[:/;

/** A test of texts as a regular expression of a schema. */
interface TextTest {
  test(text: string): boolean;
}

/**
 * A server's pattern with an engine that takes time in proportion to the text, whatever the pattern: a hostile one
 * would stop the whole extension host. Patterns it cannot express (look-around, back references) or that are
 * too long accept everything: the server checks them itself.
 */
export function linearRegExp(pattern: string): TextTest {
  if (pattern.length > maxPattern || readOtherwise.test(pattern)) return anything;
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch {
    return anything;
  }
}

const anything: TextTest = { test: () => true };
