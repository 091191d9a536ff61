import { z } from 'zod';

/** Most characters of arguments, and of a text to copy, that the page may send. */
const maxText = 2_000_000;

const requestSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  z.object({ type: z.literal('run'), arguments: z.string().max(maxText) }),
  z.object({ type: z.literal('cancel') }),
  z.object({ type: z.literal('copy'), text: z.string().max(maxText) }),
]);

/** What the page asks for. */
export type PageRequest = z.infer<typeof requestSchema>;

/** A message of the page, or `undefined` if it is none that we know. */
export function readPageRequest(message: unknown): PageRequest | undefined {
  return requestSchema.safeParse(message).data;
}
