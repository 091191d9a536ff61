import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { ToolDefinition } from '../tools/toolDefinition.ts';
import { flagsOf } from './flags.ts';
import { pinOf, pinOfInstructions } from './toolPin.ts';

/** What a person has accepted of one server, as hashes (see `pinOf`). */
export interface ServerPins {
  /** By the server's own name of the tool. A tool that is gone keeps its pin: it may come back. */
  readonly tools: ReadonlyMap<string, string>;
  /** Definitions the person has looked at and does not want. */
  readonly refused: ReadonlyMap<string, string>;
  readonly instructions?: string;
}

/** Gives what was accepted of a server; `undefined`: nothing is known of it yet. */
export type PinLookup = (server: ServerConfiguration) => ServerPins | undefined;

/** How a tool stands to what was accepted. Only what is `accepted` may be offered and called. */
export type PinVerdict = 'accepted' | 'changed' | 'new' | 'refused';

type PinSettings = Pick<ServerConfiguration, 'newTools' | 'changedTools'>;

/**
 * Judges a tool as it is now. What a server shows when nothing is known of it is accepted: the person has just added it, or
 * approved its launch. A new tool of a known server is accepted where `newTools` allows that, unless something in it is conspicuous.
 */
export function pinVerdict(
  pins: ServerPins | undefined,
  definition: ToolDefinition,
  { newTools, changedTools }: PinSettings,
): PinVerdict {
  // Tools of our own making are not the server's to change.
  if (pins === undefined || definition.target !== undefined) return 'accepted';
  const { name } = definition;
  const now = pinOf(definition);
  const accepted = pins.tools.get(name);
  if (accepted === now) return 'accepted';
  if (pins.refused.get(name) === now) return 'refused';
  if (accepted !== undefined) return changedTools === 'allow' ? 'accepted' : 'changed';
  return newTools === 'allow' && flagsOf(definition).length === 0 ? 'accepted' : 'new';
}

/** The pins after what may be accepted without a question is: the same object if nothing is new. */
export function settledPins(
  pins: ServerPins | undefined,
  definitions: readonly ToolDefinition[],
  settings: PinSettings,
): ServerPins {
  const fresh = definitions.filter(
    (definition) =>
      definition.target === undefined &&
      pins?.tools.get(definition.name) !== pinOf(definition) &&
      pinVerdict(pins, definition, settings) === 'accepted',
  );
  if (pins !== undefined && fresh.length === 0) return pins;
  return withAccepted(pins, fresh);
}

/** The pins after the person accepted these definitions. */
export function withAccepted(
  pins: ServerPins | undefined,
  definitions: readonly ToolDefinition[],
): ServerPins {
  const refused = new Map(pins?.refused);
  for (const { name } of definitions) refused.delete(name);
  return {
    ...pins,
    tools: new Map([
      ...(pins?.tools ?? []),
      ...definitions.map((definition) => [definition.name, pinOf(definition)] as const),
    ]),
    refused,
  };
}

/** The pins after the person refused this definition. */
export function withRefused(pins: ServerPins | undefined, definition: ToolDefinition): ServerPins {
  const refused = new Map([...(pins?.refused ?? []), [definition.name, pinOf(definition)]]);
  return { tools: new Map(), ...pins, refused };
}

/** The pins with what the server says of itself now. */
export function withInstructions(pins: ServerPins, instructions: string): ServerPins {
  return { ...pins, instructions: pinOfInstructions(instructions) };
}

/** Why a tool is left out, for the tree and for the agent. */
export function pinReason(verdict: Exclude<PinVerdict, 'accepted'>): string {
  switch (verdict) {
    case 'changed':
      return 'its definition has changed since it was accepted: review it';
    case 'new':
      return 'it is new and not accepted yet: review it';
    case 'refused':
      return 'its definition was refused';
  }
}
