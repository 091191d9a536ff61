export interface Reconciliation<T> {
  readonly removed: readonly string[];
  readonly added: readonly T[];
  /** Same id, but it has to be started anew. */
  readonly changed: readonly T[];
  /** Same id and nothing that matters to a running session differs. */
  readonly kept: readonly T[];
}

/** Compares what exists with what is wanted, by id. Order follows `wanted`. */
export function reconcile<T extends { readonly id: string }>(
  current: ReadonlyMap<string, T>,
  wanted: readonly T[],
  isSame: (left: T, right: T) => boolean,
): Reconciliation<T> {
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const removed = [...current.keys()].filter((id) => !wantedIds.has(id));
  const added: T[] = [];
  const changed: T[] = [];
  const kept: T[] = [];
  for (const item of wanted) {
    const existing = current.get(item.id);
    if (existing === undefined) added.push(item);
    else if (isSame(existing, item)) kept.push(item);
    else changed.push(item);
  }
  return { removed, added, changed, kept };
}
