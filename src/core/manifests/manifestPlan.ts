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
  /** Digest of each manifest that this window installed last, by extension id. */
  readonly mine: ReadonlyMap<string, string>;
  /**
   * Whether this window may replace what another one declared. Only the window the person works in may, else
   * two windows with different definitions under one name would undo each other for ever.
   */
  readonly mayReplace: boolean;
}

/**
 * What to do so that the tools of this window are declared. Names are global among all windows: a
 * manifest of another window that declares one of our names differently has to go.
 */
export function planManifests(input: ManifestPlanInput): ManifestPlan {
  const { installed, wanted, configured, owners, mine, mayReplace } = input;
  const byId = new Map(installed.map((manifest) => [manifest.extensionId, manifest]));
  const uninstall = new Set<string>();
  const install: ToolManifest[] = [];
  for (const { extensionId, owner } of installed) {
    if (owners.has(owner) && !configured.has(extensionId)) uninstall.add(extensionId);
  }
  for (const manifest of wanted) {
    const existing = byId.get(manifest.extensionId);
    const rivals = installed.filter(
      (other) =>
        other.extensionId !== manifest.extensionId &&
        !uninstall.has(other.extensionId) &&
        isRival(manifest, other),
    );
    if (existing?.digest === manifest.digest && rivals.length === 0) continue;
    const isForeign = existing !== undefined && mine.get(existing.extensionId) !== existing.digest;
    if (!mayReplace && (isForeign || rivals.length > 0)) continue;
    for (const rival of rivals) uninstall.add(rival.extensionId);
    // A newer version over an installed one only counts after a reload; remove and install counts at once.
    if (existing !== undefined) uninstall.add(existing.extensionId);
    install.push(manifest);
  }
  return { uninstall: [...uninstall], install };
}

function isRival(manifest: ToolManifest, other: InstalledManifest): boolean {
  return [...manifest.tools].some(([name, fingerprint]) => {
    const declared = other.tools.get(name);
    return declared !== undefined && declared !== fingerprint;
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
