import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { maskTokenShapes, secretKind } from '../settings/literalSecrets.ts';
import type { ConfirmVerdict } from './confirmation.ts';

/** What is known of secrets: `holds` whether a text has one that a person gave, `mask` takes all out of it. */
export interface SecretKnowledge {
  readonly holds: (text: string) => boolean;
  readonly mask: (text: string) => string;
}

/** Most texts of the arguments that are looked at. */
const maxTexts = 10_000;

/** What kinds of secrets a model would send with these arguments. */
export function secretsInArguments(args: JsonObject, { holds }: SecretKnowledge): string[] {
  const found = new Set<string>();
  let seen = 0;
  const visit = (value: JsonValue): void => {
    if (seen > maxTexts) return;
    if (typeof value === 'string') {
      seen += 1;
      const kind = secretKind(value) ?? (holds(value) ? 'a secret that you gave' : undefined);
      if (kind !== undefined) found.add(kind);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        visit(name);
        visit(member);
      }
    }
  };
  visit(args);
  return [...found];
}

/** The verdict with regard to the arguments: a call that would send a secret is asked about whatever the rules say. */
export function verdictForArguments(
  verdict: ConfirmVerdict,
  args: JsonObject,
  known: SecretKnowledge,
): ConfirmVerdict {
  const kinds = secretsInArguments(args, known);
  if (kinds.length === 0) return verdict;
  return { ...verdict, asks: true, why: `the arguments hold ${kinds.join(' and ')}` };
}

/** The arguments as they may be shown: secrets in them are masked. */
export function withoutSecrets(args: JsonObject, { mask }: SecretKnowledge): JsonObject {
  const hide = (text: string): string => maskTokenShapes(mask(text));
  const masked = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(masked);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [hide(name), masked(member)]),
    );
  };
  return masked(args) as JsonObject;
}
