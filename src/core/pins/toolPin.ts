import { canonicalJson } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import type { ToolDefinition } from '../tools/toolDefinition.ts';

const pins = new WeakMap<ToolDefinition, string>();

/** SHA-256 of all that a server says of a tool, as hexadecimal digits. The order of members makes no difference. */
export function pinOf(definition: ToolDefinition): string {
  const known = pins.get(definition);
  if (known !== undefined) return known;
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  const pin = shortHash(
    canonicalJson({
      ...{ name, description, inputSchema, annotations },
      ...(title !== undefined && { title }),
      ...(outputSchema !== undefined && { outputSchema }),
    }),
    64,
  );
  pins.set(definition, pin);
  return pin;
}

/** The same of what a server says of itself (MCP specification, `InitializeResult.instructions`). */
export function pinOfInstructions(instructions: string): string {
  return shortHash(instructions, 64);
}
