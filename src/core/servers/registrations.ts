import { errorMessage } from '../../base/errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import type { SettingsLayer } from '../settings/parseSettings.ts';
import { serverId, type ConfigurationOrigin } from '../settings/serverConfiguration.ts';
import type { ForeignClient } from './clientHost.ts';

/** Most servers and clients that extensions may have registered at a time. */
export const maxRegistrations = 100;
const maxKeyLength = 64;

/** A server or client that another extension wants bridged. */
export interface Registration {
  readonly id: string;
  readonly key: string;
  /** Its entry, in the form of the settings. */
  readonly layer: SettingsLayer;
  /** Undefined for a server that the bridge launches by itself. */
  readonly client?: ForeignClient;
}

/** The id of an installed extension in the spelling of the editor; `undefined` if there is none of that id. */
type InstalledId = (extension: string) => string | undefined;

/** Reads what `registerServer` was given. Throws an `Error` that names the place and the reason. */
export function readServerDefinition(value: unknown, installedId: InstalledId): Registration {
  const { extension, key, entry } = membersOf(value);
  const { origin, name } = readIdentity(extension, key, installedId);
  const copy = jsonCopy(`the entry of "${name}"`, entry);
  return { id: serverId(name, origin), key: name, layer: { origin, value: { [name]: copy } } };
}

/** Reads what `registerClient` was given. Throws an `Error` that names the place and the reason. */
export function readClientOptions(value: unknown, installedId: InstalledId): Registration {
  const { extension, key, client, onToolsChanged, filter, validate, ...options } = membersOf(value);
  const { origin, name } = readIdentity(extension, key, installedId);
  if (!isClient(client)) {
    throw new Error(
      `"client" of "${name}" must be an object with the methods "listTools" and "callTool".`,
    );
  }
  const copy = jsonCopy(`the options of "${name}"`, options);
  return {
    id: serverId(name, origin),
    key: name,
    layer: { origin, value: { [name]: copy }, launch: { type: 'client' } },
    client: { client, ...readCallbacks(name, { onToolsChanged, filter, validate }) },
  };
}

/** What other extensions have registered and not disposed, in that order. */
export class Registrations {
  readonly #all = new Map<string, Registration>();

  /** To be read before the layers of the settings, which are laid over these. */
  get layers(): SettingsLayer[] {
    return [...this.#all.values()].map(({ layer }) => layer);
  }

  client(id: string): ForeignClient | undefined {
    return this.#all.get(id)?.client;
  }

  /** Checks the entry as the settings reader does, and adds it. Rejects with an `Error` that names place and reason. */
  async add(registration: Registration): Promise<void> {
    // Loaded with the first registration: the schema library is large.
    const { parseSettings } = await import('../settings/parseSettings.ts');
    const { id, key, layer } = registration;
    const [wrong] = parseSettings([layer]).invalid;
    if (wrong !== undefined) {
      throw new Error(wrong.problems.map(({ message }) => message).join(' '));
    }
    if (this.#all.has(id)) {
      throw new Error(
        `"${key}" is registered already by ${layer.origin.extension}. Dispose the first registration, or choose another "key".`,
      );
    }
    if (this.#all.size >= maxRegistrations) {
      throw new Error(`"${key}" is not registered: there are ${maxRegistrations} already.`);
    }
    this.#all.set(id, registration);
  }

  /** A later registration under the same id stays. */
  delete(registration: Registration): void {
    if (this.#all.get(registration.id) === registration) this.#all.delete(registration.id);
  }
}

function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null) return { ...value };
  throw new Error('A registration needs an object with "extension" and "key".');
}

function readIdentity(
  extension: unknown,
  key: unknown,
  installedId: InstalledId,
): { origin: ConfigurationOrigin; name: string } {
  const id = typeof extension === 'string' ? installedId(extension) : undefined;
  if (id === undefined) {
    throw new Error('"extension" must be the id of your extension: pass context.extension.id.');
  }
  if (typeof key !== 'string' || key.trim() === '' || key.length > maxKeyLength) {
    throw new Error(`"key" must be a name of 1 to ${maxKeyLength} characters.`);
  }
  return { origin: { scope: 'extension', extension: id }, name: key };
}

/** A copy: later changes by its owner do not reach us, and reading it cannot run foreign code again. */
function jsonCopy(what: string, value: unknown): JsonObject {
  let copy: JsonValue | undefined;
  try {
    copy = JSON.parse(JSON.stringify(value) ?? 'null') as JsonValue;
  } catch (error: unknown) {
    throw new Error(`${what} cannot be read: ${errorMessage(error)}`, { cause: error });
  }
  if (isJsonObject(copy)) return copy;
  throw new Error(`${what} must be an object, as in the setting "mcpBridge.servers".`);
}

function isClient(value: unknown): value is ForeignClient['client'] {
  if (typeof value !== 'object' || value === null) return false;
  const { listTools, callTool } = value as Partial<Record<'listTools' | 'callTool', unknown>>;
  return typeof listTools === 'function' && typeof callTool === 'function';
}

function readCallbacks(
  key: string,
  callbacks: Readonly<Record<string, unknown>>,
): Omit<ForeignClient, 'client'> {
  const given = Object.entries(callbacks).filter(([, value]) => value !== undefined);
  const wrong = given.find(([, value]) => typeof value !== 'function');
  if (wrong !== undefined) throw new Error(`"${wrong[0]}" of "${key}" must be a function.`);
  return Object.fromEntries(given) as Omit<ForeignClient, 'client'>;
}
