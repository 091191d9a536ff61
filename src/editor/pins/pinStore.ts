import * as vscode from 'vscode';
import { Sequencer } from '../../base/async.ts';
import { isJsonObject } from '../../base/json.ts';
import { shortHash } from '../../core/hash.ts';
import {
  withAccepted,
  withInstructions,
  withRefused,
  type ServerPins,
} from '../../core/pins/serverPins.ts';
import { readPins, storedPins } from '../../core/pins/storedPins.ts';
import { pinOf, pinOfInstructions } from '../../core/pins/toolPin.ts';
import type { ServerConfiguration } from '../../core/settings/serverConfiguration.ts';
import { readTools, type ToolDefinition } from '../../core/tools/toolDefinition.ts';
import type { SealedState } from '../sealedState.ts';

const prefix = 'mcpBridge.pins/';
/** Largest file of accepted definitions that is read, in bytes. */
const maxBytes = 32 * 1024 * 1024;

/** What was accepted, in words: only to be shown beside what is now. */
export interface AcceptedTexts {
  readonly tools: ReadonlyMap<string, ToolDefinition>;
  readonly instructions?: string;
}

/** Keeps what the person accepted of each server: hashes in the sealed state, the texts they stand for in files. */
export class PinStore {
  readonly #state: SealedState;
  readonly #folder: vscode.Uri;
  readonly #sequencer = new Sequencer();
  readonly #read = new WeakMap<object, ServerPins>();

  /** `folder`: where files may be kept. */
  constructor(state: SealedState, folder: vscode.Uri) {
    this.#state = state;
    this.#folder = folder;
  }

  /** Asked for each server whenever anything changes, so what was read is kept for as long as it is stored. */
  readonly pinsOf = (configuration: ServerConfiguration): ServerPins | undefined => {
    const stored = this.#state.get(nameOf(configuration));
    if (typeof stored !== 'object' || stored === null) return undefined;
    const known = this.#read.get(stored);
    if (known !== undefined) return known;
    const pins = readPins(stored);
    if (pins !== undefined) this.#read.set(stored, pins);
    return pins;
  };

  accept(
    configuration: ServerConfiguration,
    definitions: readonly ToolDefinition[],
    instructions?: string,
  ): Promise<void> {
    return this.#sequencer.run(async () => {
      const before = await this.texts(configuration);
      const accepted = withAccepted(this.pinsOf(configuration), definitions);
      const pins = instructions === undefined ? accepted : withInstructions(accepted, instructions);
      const tools = new Map([
        ...before.tools,
        ...definitions.map((definition) => [definition.name, definition] as const),
      ]);
      await this.#write(configuration, {
        tools,
        ...(before.instructions !== undefined && { instructions: before.instructions }),
        ...(instructions !== undefined && { instructions }),
      });
      await this.#state.update(nameOf(configuration), storedPins(pins));
    });
  }

  refuse(configuration: ServerConfiguration, definition: ToolDefinition): Promise<void> {
    return this.#sequencer.run(async () => {
      const pins = withRefused(this.pinsOf(configuration), definition);
      await this.#state.update(nameOf(configuration), storedPins(pins));
    });
  }

  /** Forgets servers of the user settings that are not among these. */
  async retain(configurations: readonly ServerConfiguration[]): Promise<void> {
    const kept = new Set(configurations.map(nameOf));
    const gone = this.#state.names(`${prefix}user/`).filter((name) => !kept.has(name));
    for (const name of gone) {
      await this.#state.update(name, undefined);
      await vscode.workspace.fs.delete(this.#file(name)).then(undefined, () => undefined);
    }
  }

  /** What was accepted, as far as it is still what its hash says. */
  async texts(configuration: ServerConfiguration): Promise<AcceptedTexts> {
    const pins = this.pinsOf(configuration);
    const stored = await this.#readFile(this.#file(nameOf(configuration)));
    const { tools, instructions } = isJsonObject(stored) ? stored : {};
    const definitions = readTools(Array.isArray(tools) ? tools : [], unlimited).tools;
    const isAccepted = (text: unknown): text is string =>
      typeof text === 'string' && pinOfInstructions(text) === pins?.instructions;
    return {
      tools: new Map(
        definitions
          .filter((definition) => pins?.tools.get(definition.name) === pinOf(definition))
          .map((definition) => [definition.name, definition]),
      ),
      ...(isAccepted(instructions) && { instructions }),
    };
  }

  async #readFile(file: vscode.Uri): Promise<unknown> {
    try {
      const { size } = await vscode.workspace.fs.stat(file);
      if (size > maxBytes) return undefined;
      return JSON.parse(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
    } catch {
      // Without it a difference cannot be shown, and that is said where it would be.
      return undefined;
    }
  }

  async #write(configuration: ServerConfiguration, texts: AcceptedTexts): Promise<void> {
    const value = { ...texts, tools: [...texts.tools.values()] };
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    if (bytes.length > maxBytes) return;
    await vscode.workspace.fs.writeFile(this.#file(nameOf(configuration)), bytes);
  }

  #file(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#folder, 'pins', `${shortHash(name, 32)}.json`);
  }
}

const unlimited = { schemaChars: Number.POSITIVE_INFINITY };

/** Ids of workspace servers are the same in every workspace. */
function nameOf({ id, origin }: ServerConfiguration): string {
  const place = origin.scope === 'workspace' ? `@${origin.folder?.uri ?? ''}` : '';
  return `${prefix}${id}${place}`;
}
