import type { Problem } from '../problem.ts';
import type { Confirm, ConfirmRule, ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { ToolDefinition } from './toolDefinition.ts';
import { globMatcher, isGlob } from './toolFilter.ts';

type ConfirmSettings = Pick<ServerConfiguration, 'confirm' | 'trustAnnotations'>;

/** Whether the person is asked before each call of a tool. */
export interface ConfirmVerdict {
  readonly asks: boolean;
  /** The rule as written. */
  readonly rule: ConfirmRule;
  /** Completes "because …". */
  readonly why: string;
}

/**
 * Judges a tool by the server's own name of it. What a server says of its tool can only tighten: `readOnlyHint`
 * spares the question under `writes` only with `trustAnnotations`, while `destructiveHint` brings it back under
 * `never`, unless the rule names that very tool.
 */
export function confirmVerdict({
  configuration,
  definition: { name, annotations, target },
}: {
  readonly configuration: ConfirmSettings;
  readonly definition: Pick<ToolDefinition, 'name' | 'annotations' | 'target'>;
}): ConfirmVerdict {
  const { confirm } = configuration;
  // That reading a resource only reads is the protocol's word, not the server's.
  const trustAnnotations = configuration.trustAnnotations || target === 'resource';
  const { readOnlyHint, destructiveHint } = annotations;
  const { rule, isExact, source } = ruleFor(confirm, name);
  if (rule === 'always') return { asks: true, rule, why: source };
  if (destructiveHint === true && !(rule === 'never' && isExact)) {
    return {
      asks: true,
      rule,
      why: `the server says that it can delete or overwrite, which outweighs that ${source}`,
    };
  }
  if (rule === 'never') return { asks: false, rule, why: source };
  if (readOnlyHint !== true) {
    return { asks: true, rule, why: `${source}, and the server does not say that it only reads` };
  }
  if (!trustAnnotations) {
    return {
      asks: true,
      rule,
      why: `${source}, but that it only reads is just the server's word ("trustAnnotations" is off)`,
    };
  }
  return { asks: false, rule, why: `${source}, and the server says that it only reads` };
}

/** Says when `writes` cannot spare any question, because nobody decided to believe the server. */
export function confirmProblems({ confirm, trustAnnotations }: ConfirmSettings): Problem[] {
  const rules = typeof confirm === 'string' ? [confirm] : confirm.map(([, rule]) => rule);
  if (trustAnnotations || !rules.includes('writes')) return [];
  return [
    {
      where: 'confirm',
      message:
        '"confirm": "writes" asks before every call, like "always": it spares those that the server calls read-only only with "trustAnnotations": true in the user settings.',
    },
  ];
}

interface Match {
  readonly rule: ConfirmRule;
  /** Written for this one tool, not for a family of tools. */
  readonly isExact: boolean;
  /** Where the rule comes from, in words. */
  readonly source: string;
}

/** An exact name wins over patterns; of those the first that matches counts. Without a match: `always`. */
function ruleFor(confirm: Confirm, tool: string): Match {
  if (typeof confirm === 'string') {
    return { rule: confirm, isExact: false, source: `"confirm" is "${confirm}"` };
  }
  const exact = confirm.find(([pattern]) => pattern === tool && !isGlob(pattern));
  const [pattern, rule] = exact ?? confirm.find(([glob]) => globMatcher(glob)(tool)) ?? [];
  if (pattern === undefined || rule === undefined) {
    return { rule: 'always', isExact: false, source: 'no pattern of "confirm" fits it' };
  }
  return {
    rule,
    isExact: exact !== undefined,
    source: `"confirm" says "${rule}" for "${pattern}"`,
  };
}
