import { bytesToHex, randomBytes } from '@noble/hashes/utils.js';
import type * as vscode from 'vscode';
import { sealed, unsealed } from '../core/state/seal.ts';

const keyName = 'mcpBridge.stateKey';

/**
 * What the person decided, in the global state: outside every workspace, not synced, and sealed with a key in
 * the SecretStorage, so that a value which somebody else wrote there counts for nothing.
 */
export class SealedState {
  readonly #memento: vscode.Memento;
  readonly #key: string;

  private constructor(memento: vscode.Memento, key: string) {
    this.#memento = memento;
    this.#key = key;
  }

  /** Makes the key with the first use. Rejects when the SecretStorage does not work. */
  static async open({
    globalState,
    secrets,
  }: Pick<vscode.ExtensionContext, 'globalState' | 'secrets'>): Promise<SealedState> {
    const known = await secrets.get(keyName);
    if (isKey(known)) return new SealedState(globalState, known);
    await secrets.store(keyName, bytesToHex(randomBytes(32)));
    // Another window may have stored one meanwhile: the one that stays counts.
    const stored = await secrets.get(keyName);
    if (!isKey(stored)) throw new Error('The secret storage of the editor does not keep a key.');
    return new SealedState(globalState, stored);
  }

  /** The value kept under that name; `undefined` if there is none that we wrote. */
  get(name: string): unknown {
    return unsealed(name, this.#memento.get<unknown>(name), this.#key);
  }

  /** Keeps a JSON value; `undefined` forgets it. */
  async update(name: string, value: unknown): Promise<void> {
    await this.#memento.update(
      name,
      value === undefined ? undefined : sealed(name, value, this.#key),
    );
  }

  /** Names of all that is kept whose name begins so, whoever wrote it. */
  names(prefix: string): string[] {
    return this.#memento.keys().filter((name) => name.startsWith(prefix));
  }
}

function isKey(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{64}$/.test(text);
}
