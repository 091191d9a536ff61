import { z } from 'zod';
import type { ServerPins } from './serverPins.ts';

/** Most tools of one server that are remembered. */
const maxPins = 5000;

const hash = z.string().regex(/^[0-9a-f]{64}$/);
const pairs = z.array(z.tuple([z.string().max(256), hash])).max(maxPins);
const storedSchema = z.object({ tools: pairs, refused: pairs, instructions: hash.optional() });

/** Reads what `storedPins` made; `undefined` if it is anything else. */
export function readPins(value: unknown): ServerPins | undefined {
  const parsed = storedSchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { tools, refused, instructions } = parsed.data;
  return {
    tools: new Map(tools),
    refused: new Map(refused),
    ...(instructions !== undefined && { instructions }),
  };
}

/** As JSON. Lists, because a tool may have any name. */
export function storedPins({ tools, refused, instructions }: ServerPins): unknown {
  return {
    tools: [...tools].slice(-maxPins),
    refused: [...refused].slice(-maxPins),
    ...(instructions !== undefined && { instructions }),
  };
}
