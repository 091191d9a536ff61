import type * as vscode from 'vscode';
import { Sequencer } from '../base/async.ts';
import type { KnownSecrets } from '../core/redact.ts';
import {
  consentKey,
  givenVariables,
  isWorkspaces,
  secretKey,
  secretName,
  valueKey,
} from '../core/settings/givenVariables.ts';
import type { Input } from '../core/settings/inputs.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import type { GivenVariable } from '../core/settings/variables.ts';
import { askForInput, askForSecret, askToGive } from './valueQuestions.ts';

type FindInput = (id: string) => Input | undefined;

/** Values of `${secret:…}` and `${input:…}`: kept in the editor's secret storage, asked for when a server needs them. */
export class GivenValues {
  readonly #storage: vscode.SecretStorage;
  readonly #known: KnownSecrets;
  readonly #questions = new Sequencer();
  /** What was read of the storage, by key. */
  #values: ReadonlyMap<string, string> = new Map();

  constructor(storage: vscode.SecretStorage, known: KnownSecrets) {
    this.#storage = storage;
    this.#known = known;
  }

  /** Reads what these servers refer to; `get` knows it then. */
  async load(configurations: readonly ServerConfiguration[]): Promise<void> {
    const keys = new Set(
      configurations.flatMap((configuration) =>
        givenVariables(configuration).flatMap((variable) => [
          valueKey(variable, configuration),
          consentKey(variable.id, configuration),
        ]),
      ),
    );
    const read = await Promise.all(
      [...keys].map(async (key) => [key, await this.#storage.get(key)] as const),
    );
    this.#values = new Map(
      read.flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
    );
  }

  /** The value if there is one and the server may have it. */
  get(variable: GivenVariable, configuration: ServerConfiguration): string | undefined {
    const isRefused =
      variable.kind === 'secret' &&
      isWorkspaces(configuration) &&
      !this.#values.has(consentKey(variable.id, configuration));
    return isRefused ? undefined : this.#values.get(valueKey(variable, configuration));
  }

  /** Asks for what has no value; one question at a time. False when the person gave up, or the signal aborted. */
  ask(
    configuration: ServerConfiguration,
    variables: readonly GivenVariable[],
    findInput: FindInput,
    signal: AbortSignal,
  ): Promise<boolean> {
    return this.#questions.run(async () => {
      for (const variable of variables) {
        if (signal.aborted) return false;
        if (!(await this.#askOne(configuration, variable, findInput, signal))) return false;
      }
      return true;
    });
  }

  async #askOne(
    configuration: ServerConfiguration,
    variable: GivenVariable,
    findInput: FindInput,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { kind, id } = variable;
    const key = valueKey(variable, configuration);
    if (kind === 'input') {
      const input = findInput(id);
      // A question queued before this one may have been the same.
      if ((await this.#storage.get(key)) !== undefined) return true;
      const value = input && (await askForInput(configuration, input, signal));
      if (value === undefined) return false;
      await this.#storage.store(key, value);
      return true;
    }
    const isStored = (await this.#storage.get(key)) !== undefined;
    const mustAgree = isWorkspaces(configuration);
    if (isStored && mustAgree && !(await askToGive(configuration, id, signal))) return false;
    if (!isStored) {
      const value = await askForSecret(configuration, id, signal);
      if (value === undefined) return false;
      await this.set(id, value);
    }
    if (mustAgree) await this.#storage.store(consentKey(id, configuration), 'yes');
    return true;
  }

  async set(id: string, value: string): Promise<void> {
    this.#known.add(value);
    await this.#storage.store(secretKey(id), value);
  }

  async has(id: string): Promise<boolean> {
    return (await this.#storage.get(secretKey(id))) !== undefined;
  }

  async delete(id: string): Promise<void> {
    await this.#storage.delete(secretKey(id));
  }

  /** Names of the secrets, in order. */
  async names(): Promise<string[]> {
    return (await this.#storage.keys()).flatMap((key) => secretName(key) ?? []).toSorted();
  }

  /** Forgets all answers to inputs. */
  async forgetInputs(): Promise<void> {
    const keys = (await this.#storage.keys()).filter((key) => key.startsWith('input/'));
    await Promise.all(keys.map((key) => this.#storage.delete(key)));
  }
}
