import { z } from 'zod';
import type { Problem } from '../problem.ts';
import type { ConfigurationOrigin, SettingsScope } from './serverConfiguration.ts';

const common = {
  id: z.string().min(1).max(100),
  description: z.string().max(1000).optional(),
  default: z.string().max(32_768).optional(),
};

/** One entry of `mcpBridge.inputs`, as in the `inputs` of an `mcp.json`. */
const inputSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('promptString'),
    ...common,
    password: z.boolean().optional(),
  }),
  z.object({
    type: z.literal('pickString'),
    ...common,
    options: z
      .array(
        z.union([
          z.string().transform((value) => ({ label: value, value })),
          z.object({ label: z.string(), value: z.string() }),
        ]),
      )
      .min(1)
      .max(200),
  }),
]);

/** What a person is asked for `${input:id}`. */
export type Input = z.infer<typeof inputSchema>;

/** The value of `mcpBridge.inputs` in one settings file. */
export interface InputLayer {
  readonly origin: ConfigurationOrigin;
  readonly value: unknown;
}

export interface ScopedInput {
  readonly origin: ConfigurationOrigin;
  readonly input: Input;
}

const maxInputs = 200;

/** Reads `mcpBridge.inputs` of every settings file. Never throws; a bad entry costs itself only. */
export function parseInputs(layers: readonly InputLayer[]): {
  readonly inputs: readonly ScopedInput[];
  readonly problems: readonly (Problem & { readonly origin: ConfigurationOrigin })[];
} {
  const inputs: ScopedInput[] = [];
  const problems: (Problem & { readonly origin: ConfigurationOrigin })[] = [];
  for (const { origin, value } of layers) {
    if (value === undefined || value === null) continue;
    if (!Array.isArray(value)) {
      const message = '"mcpBridge.inputs" must be a list of inputs, each with "id" and "type".';
      problems.push({ origin, where: 'inputs', message });
      continue;
    }
    value.slice(0, maxInputs).forEach((entry: unknown, index) => {
      const parsed = inputSchema.safeParse(entry);
      if (parsed.success) inputs.push({ origin, input: parsed.data });
      else {
        const [issue] = parsed.error.issues;
        const path = [`inputs[${index}]`, ...(issue?.path.map(String) ?? [])].join('.');
        const message = `"mcpBridge.${path}": ${issue?.message}. An input needs "id" and "type" ("promptString" or "pickString", the latter with "options").`;
        problems.push({ origin, where: path, message });
      }
    });
  }
  return { inputs, problems };
}

const scopes: readonly SettingsScope[] = ['user', 'workspace', 'folder'];

/**
 * The input `id` as an entry of the given settings file means it: the nearest definition of the same file or a
 * broader one. A workspace cannot redefine what the user's own entries ask for.
 */
export function findInput(
  inputs: readonly ScopedInput[],
  id: string,
  { scope, folder }: ConfigurationOrigin,
): Input | undefined {
  return inputs
    .filter(
      ({ input, origin }) =>
        input.id === id &&
        scopes.indexOf(origin.scope) <= scopes.indexOf(scope) &&
        (origin.scope !== 'folder' || origin.folder?.uri === folder?.uri),
    )
    .toSorted(
      (left, right) => scopes.indexOf(left.origin.scope) - scopes.indexOf(right.origin.scope),
    )
    .at(-1)?.input;
}
