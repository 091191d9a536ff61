import type { ResultShaping } from '../../src/core/results/toolResult.ts';
import { defaultLimits, type Limits } from '../../src/core/settings/limits.ts';
import type { ToolResultPart } from '../../src/core/tools/toolCall.ts';

/** A shaping with the default limits where none are given. */
export function shapedBy(
  limits: Partial<Limits> = {},
  ports: Pick<ResultShaping, 'files' | 'tokens'> = {},
): ResultShaping {
  return { server: 'srv', tool: 'srv__tool', limits: { ...defaultLimits, ...limits }, ...ports };
}

export function text(value: string): ToolResultPart {
  return { kind: 'text', text: value };
}

/** All texts, joined as the agent joins them. */
export function textOf(parts: readonly (ToolResultPart | undefined)[]): string {
  return parts.map((part) => (part?.kind === 'text' ? part.text : '')).join('');
}
