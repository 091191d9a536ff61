import type { InstalledManifest, ToolManifest } from './toolManifest.ts';

export interface ManifestPlan {
  /** Extension ids, to be removed before anything is installed. */
  readonly uninstall: readonly string[];
  readonly install: readonly ToolManifest[];
}

export interface ManifestPlanInput {
  readonly installed: readonly InstalledManifest[];
  readonly wanted: readonly ToolManifest[];
  /** Ids of the manifests of all configured servers, also of those whose tools are not known yet. */
  readonly configured: ReadonlySet<string>;
  /** Owners whose servers this window knows all of. */
  readonly owners: ReadonlySet<string>;
  /** Ids of manifests of other workspaces that nobody has used for long. */
  readonly expired: ReadonlySet<string>;
  /** Digest of each manifest that this window installed last, by extension id. */
  readonly mine: ReadonlyMap<string, string>;
  /**
   * Whether this window may replace what another one declared. Only the window the person works in may, else
   * two windows with different definitions under one name would undo each other for ever.
   */
  readonly mayReplace: boolean;
}

/**
 * What to do so that the tools of this window are declared. Names are global among all windows, and the
 * first declaration counts: a manifest of another window that declares one of our names differently has to
 * go, and one that declares all of ours the same way serves us too.
 */
export function planManifests(input: ManifestPlanInput): ManifestPlan {
  const { installed, wanted, configured, expired, owners, mine, mayReplace } = input;
  const byId = new Map(installed.map((manifest) => [manifest.extensionId, manifest]));
  const uninstall = new Set<string>();
  const install: ToolManifest[] = [];
  for (const { extensionId, owner } of installed) {
    const isUnused = owners.has(owner) ? !configured.has(extensionId) : expired.has(extensionId);
    if (isUnused) uninstall.add(extensionId);
  }
  for (const manifest of wanted) {
    const existing = byId.get(manifest.extensionId);
    const others = installed.filter(
      ({ extensionId }) => extensionId !== manifest.extensionId && !uninstall.has(extensionId),
    );
    if (existing === undefined && others.some((other) => covers(other, manifest))) continue;
    const rivals = others.filter((other) => isRival(other, manifest, existing !== undefined));
    if (existing !== undefined && isGood(existing, manifest) && rivals.length === 0) continue;
    // Also one of ours that is not there any more: another window has removed it.
    const isForeign = mine.get(manifest.extensionId) !== existing?.digest;
    if (!mayReplace && (isForeign || rivals.length > 0)) continue;
    for (const rival of rivals) uninstall.add(rival.extensionId);
    // A newer version over an installed one only counts after a reload; remove and install counts at once.
    if (existing !== undefined) uninstall.add(existing.extensionId);
    install.push(manifest);
  }
  return { uninstall: [...uninstall], install };
}

/** To declare anew takes the tools away for a moment, so what waits for a review may stay as it was declared before. */
function isGood(existing: InstalledManifest, manifest: ToolManifest): boolean {
  if (existing.digest === manifest.digest) return true;
  const others = [...existing.tools.keys()].filter((name) => !manifest.tools.has(name));
  return (
    others.length > 0 &&
    others.every((name) => manifest.pending.has(name)) &&
    covers(existing, manifest)
  );
}

function covers(other: InstalledManifest, { tools }: ToolManifest): boolean {
  return (
    tools.size > 0 &&
    [...tools].every(([name, fingerprint]) => other.tools.get(name) === fingerprint)
  );
}

/**
 * Whether the other one keeps ours from counting: it declares one of our names differently or, when ours
 * is not there yet, one at all. A second declaration is ignored, also after the first is gone.
 */
function isRival(other: InstalledManifest, { tools }: ToolManifest, isInstalled: boolean): boolean {
  return [...tools].some(([name, fingerprint]) => {
    const declared = other.tools.get(name);
    return declared !== undefined && (declared !== fingerprint || !isInstalled);
  });
}

/** Fingerprint by tool name of what is declared in one way only; names declared in two ways are left out. */
export function declaredTools(installed: readonly InstalledManifest[]): Map<string, string> {
  const declared = new Map<string, string | undefined>();
  for (const [name, fingerprint] of installed.flatMap(({ tools }) => [...tools])) {
    const isAmbiguous = declared.has(name) && declared.get(name) !== fingerprint;
    declared.set(name, isAmbiguous ? undefined : fingerprint);
  }
  return new Map(
    [...declared].flatMap(([name, fingerprint]) =>
      fingerprint === undefined ? [] : [[name, fingerprint] as const],
    ),
  );
}
