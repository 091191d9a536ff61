import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import type * as vscode from 'vscode';
import { sealOf, sealed, unsealed } from '../core/state/seal.ts';

const keyName = 'mcpBridge.stateKey';

/**
 * What the person decided, in the global state: outside every workspace, not synced, and sealed with a key in
 * the SecretStorage, so that a value which somebody else wrote there counts for nothing.
 */
export class SealedState {
  readonly #memento: vscode.Memento;
  readonly #key: string;
  /** Values whose seal was found right, by what the memento holds: that is another object once it is written anew. */
  readonly #checked = new WeakMap<object, unknown>();
  /** There is no place for the key, so that everything is forgotten with the window. */
  readonly isVolatile: boolean;

  private constructor(memento: vscode.Memento, key: string, isVolatile = false) {
    this.#memento = memento;
    this.#key = key;
    this.isVolatile = isVolatile;
  }

  /** Makes the key with the first use. `onError` is told when the SecretStorage does not work. */
  static async open(
    { globalState, secrets }: Pick<vscode.ExtensionContext, 'globalState' | 'secrets'>,
    onError: (error: unknown) => void,
  ): Promise<SealedState> {
    try {
      return new SealedState(globalState, await storedKey(secrets));
    } catch (error: unknown) {
      onError(error);
      return new SealedState(globalState, bytesToHex(randomBytes(32)), true);
    }
  }

  /** The value kept under that name; `undefined` if there is none that we wrote. */
  get(name: string): unknown {
    const stored = this.#memento.get<unknown>(name);
    if (typeof stored !== 'object' || stored === null) return undefined;
    if (!this.#checked.has(stored)) this.#checked.set(stored, unsealed(name, stored, this.#key));
    return this.#checked.get(stored);
  }

  /** Keeps a JSON value; `undefined` forgets it. */
  async update(name: string, value: unknown): Promise<void> {
    await this.#memento.update(
      name,
      value === undefined ? undefined : sealed(name, value, this.#key),
    );
  }

  /** A keyed hash of a value: tells whether it is the same later, and gives nothing away. */
  digest(name: string, value: string): string {
    return sealOf(`digest/${name}`, value, this.#key);
  }

  /** Names of all that is kept whose name begins so, whoever wrote it. */
  names(prefix: string): string[] {
    return this.#memento.keys().filter((name) => name.startsWith(prefix));
  }
}

async function storedKey(secrets: vscode.SecretStorage): Promise<string> {
  const known = await secrets.get(keyName);
  if (isKey(known)) return known;
  await secrets.store(keyName, bytesToHex(randomBytes(32)));
  // Another window may have stored one meanwhile: the one that stays counts.
  const stored = await secrets.get(keyName);
  if (isKey(stored)) return stored;
  throw new Error(
    'The secret storage of the editor does not keep a key. What you accept or approve is forgotten when this window closes.',
  );
}

function isKey(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/.test(text);
}
