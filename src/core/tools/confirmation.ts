import type { Confirm, ConfirmRule } from '../settings/serverConfiguration.ts';
import type { ToolAnnotations } from './toolDefinition.ts';
import { globMatcher } from './toolFilter.ts';

/** The rule for one tool. A list without a match means `always`. */
export function confirmRule(confirm: Confirm, tool: string): ConfirmRule {
  if (typeof confirm === 'string') return confirm;
  return confirm.find(([pattern]) => globMatcher(pattern)(tool))?.[1] ?? 'always';
}

/** Whether a call needs consent. With `writes`, the server's claim that a tool only reads is believed. */
export function needsConfirmation(
  confirm: Confirm,
  tool: string,
  annotations: ToolAnnotations,
): boolean {
  const rule = confirmRule(confirm, tool);
  return rule === 'always' || (rule === 'writes' && annotations.readOnlyHint !== true);
}
