import { isJsonObject } from '../../base/json.ts';

const day = 24 * 60 * 60 * 1000;
/** Milliseconds after which the manifest of a workspace that was not opened again is removed. */
const maxAge = 30 * day;

/** Milliseconds of the Unix epoch at which each manifest was last in use, by extension id; to the day. */
export type ManifestAges = Readonly<Record<string, number>>;

/**
 * Notes which of the installed manifests are in use now, and finds those that nobody has used for long. A
 * manifest seen for the first time counts as used now. `stored` is what was returned as `ages` before.
 */
export function updateAges(
  stored: unknown,
  installed: readonly string[],
  inUse: ReadonlySet<string>,
  now: number,
): { ages: ManifestAges; expired: ReadonlySet<string> } {
  const today = Math.floor(now / day) * day;
  const known = new Map(isJsonObject(stored) ? Object.entries(stored) : []);
  const ages = installed.map((id): [string, number] => {
    const seen = known.get(id);
    return [id, inUse.has(id) || typeof seen !== 'number' || seen > today ? today : seen];
  });
  const expired = ages.filter(([, seen]) => today - seen > maxAge).map(([id]) => id);
  return { ages: Object.fromEntries(ages), expired: new Set(expired) };
}
