import { distance } from 'fastest-levenshtein';
import type { Problem } from '../problem.ts';
import { entrySchema, foreignKeys } from './entrySchema.ts';

const known = Object.keys(entrySchema.shape);

/** Most keys of an entry that are spoken of. */
const maxReported = 20;

/** What stands in an entry and means nothing to anybody, each with the key that was meant perhaps. */
export function unknownKeyProblems(
  key: string,
  entry: Readonly<Record<string, unknown>>,
): Problem[] {
  return Object.keys(entry)
    .filter((name) => !known.includes(name) && !foreignKeys.has(name))
    .slice(0, maxReported)
    .map((name): Problem => {
      const meant = similarKey(name);
      const advice =
        meant === undefined ? 'Remove it, or look for its right name' : `Did you mean "${meant}"?`;
      return {
        where: `${key}.${name}`,
        message: `"${name.slice(0, 64)}" of "${key}" is not a member of an entry, so it has no effect. ${advice}${meant === undefined ? '.' : ''}`,
      };
    });
}

/** The known key that a mistyped one stands for; `undefined` if none is near. */
function similarKey(name: string): string | undefined {
  if (name.length > 40) return undefined;
  const lower = name.toLowerCase().replaceAll(/[-_]/g, '');
  const [nearest] = known
    .map((candidate) => ({ candidate, far: distance(lower, candidate.toLowerCase()) }))
    .filter(({ candidate, far }) => far <= (candidate.length > 4 ? 2 : 1))
    .toSorted((left, right) => left.far - right.far);
  return nearest?.candidate;
}
