import * as vscode from 'vscode';
import { Sequencer } from '../base/async.ts';
import { DisposableStore, type Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { Emitter, type Event } from '../base/event.ts';
import { isJsonObject, jsonEqual } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import { updateAges } from '../core/manifests/manifestAges.ts';
import { planManifests } from '../core/manifests/manifestPlan.ts';
import {
  manifestId,
  readInstalledManifest,
  toolManifest,
  userOwner,
  workspaceOwner,
  type InstalledManifest,
  type ToolManifest,
} from '../core/manifests/toolManifest.ts';
import { vsixPackage } from '../core/manifests/vsixPackage.ts';
import type { ToolCatalog } from '../core/tools/toolCatalog.ts';
import { installExtension, uninstallExtension } from './extensionCommands.ts';

/** The tool manifests installed in this profile, as this window sees them. */
export function installedManifests(): InstalledManifest[] {
  return vscode.extensions.all.flatMap(
    ({ id, packageJSON }) => readInstalledManifest(id, packageJSON) ?? [],
  );
}

/**
 * Keeps the generated extensions that declare the tools in step with the catalog. Installs and removes
 * through the editor's own commands, one after another, without a reload.
 */
export class ManifestInstaller implements Disposable {
  /** The editor does not let us install; told once. Tools are then reached through the meta-tools only. */
  readonly onDidRefuse: Event<string>;
  readonly #folder: vscode.Uri;
  readonly #workspace: string;
  readonly #log: Logger;
  readonly #didRefuse: Emitter<string>;
  readonly #store = new DisposableStore();
  readonly #sequencer = new Sequencer();
  readonly #ages: vscode.Memento;
  readonly #digests: vscode.Memento;
  /** Digest of what this window installed last, by extension id; kept, so that it knows its own after a restart. */
  readonly #mine: Map<string, string>;
  #catalog: ToolCatalog | undefined;
  #isFocused = vscode.window.state.focused;
  #isFirst = true;
  /** Refused, or removed by the person: nothing more is installed until the window is reloaded. */
  #isPaused = false;

  constructor(
    { globalState, globalStorageUri, workspaceState }: vscode.ExtensionContext,
    log: Logger,
  ) {
    this.#folder = vscode.Uri.joinPath(globalStorageUri, 'manifests');
    this.#ages = globalState;
    this.#digests = workspaceState;
    this.#mine = readDigests(workspaceState.get<unknown>(digestsKey));
    this.#workspace = workspaceIdentity();
    this.#log = log;
    this.#didRefuse = this.#store.add(
      new Emitter<string>((error) => log.error(errorMessage(error))),
    );
    this.onDidRefuse = this.#didRefuse.event;
    this.#store.add(
      vscode.window.onDidChangeWindowState(({ focused, active }) => {
        if (focused && (active || !this.#isFocused)) this.#enqueue(true);
        this.#isFocused = focused;
      }),
    );
    this.#store.add(
      // Another window may have removed what served this one too. It is not displaced in turn: two windows
      // would answer each other for ever.
      vscode.extensions.onDidChange(() => this.#enqueue(false)),
    );
  }

  /** Brings the installed manifests in step with the catalog, in the background. */
  sync(catalog: ToolCatalog): void {
    this.#catalog = catalog;
    this.#enqueue(this.#isFirst || vscode.window.state.focused);
    this.#isFirst = false;
  }

  /**
   * Removes every manifest, those of other windows too, and makes none until this window is reloaded.
   * Resolves with their number.
   */
  async removeAll(): Promise<number> {
    this.#isPaused = true;
    const all = installedManifests();
    await this.#sequencer.run(() => this.#uninstall(all.map(({ extensionId }) => extensionId)));
    return all.length;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #enqueue(mayReplace: boolean): void {
    this.#sequencer
      .run(() => this.#reconcile(mayReplace))
      .catch((error: unknown) => this.#log.error(`tool manifests: ${errorMessage(error)}`));
  }

  async #reconcile(mayReplace: boolean): Promise<void> {
    const catalog = this.#catalog;
    if (catalog === undefined || this.#store.isDisposed || this.#isPaused) return;
    const installed = installedManifests();
    const configured = new Set(
      catalog.servers
        .filter(({ server, tools }) => server.tools === undefined || tools.length > 0)
        .map((server) => manifestId(server, this.#workspace)),
    );
    const plan = planManifests({
      installed,
      wanted: catalog.servers.flatMap((server) => toolManifest(server, this.#workspace) ?? []),
      configured,
      expired: this.#expired(installed, configured),
      owners: new Set([userOwner, workspaceOwner(this.#workspace)]),
      mine: this.#mine,
      mayReplace,
    });
    await this.#uninstall(plan.uninstall);
    for (const manifest of plan.install) {
      if (this.#store.isDisposed || this.#isPaused) return;
      await this.#install(manifest);
    }
  }

  #expired(
    installed: readonly InstalledManifest[],
    inUse: ReadonlySet<string>,
  ): ReadonlySet<string> {
    const stored = this.#ages.get<unknown>(agesKey);
    const ids = installed.map(({ extensionId }) => extensionId);
    const { ages, expired } = updateAges(stored, ids, inUse, Date.now());
    if (!jsonEqual(stored, ages)) this.#save(this.#ages, agesKey, ages);
    return expired;
  }

  #remember(extensionId: string, digest: string | undefined): void {
    if (digest === undefined) this.#mine.delete(extensionId);
    else this.#mine.set(extensionId, digest);
    this.#save(this.#digests, digestsKey, Object.fromEntries(this.#mine));
  }

  #save(memento: vscode.Memento, key: string, value: unknown): void {
    memento
      .update(key, value)
      .then(undefined, (error: unknown) => this.#log.error(errorMessage(error)));
  }

  async #uninstall(extensionIds: readonly string[]): Promise<void> {
    for (const id of extensionIds) {
      this.#log.debug(`removing the tool manifest ${id}`);
      try {
        await uninstallExtension(id);
        this.#remember(id, undefined);
      } catch (error: unknown) {
        this.#log.warn(`the tool manifest ${id} could not be removed: ${errorMessage(error)}`);
      }
    }
  }

  async #install(manifest: ToolManifest): Promise<void> {
    const { extensionId, digest, tools } = manifest;
    const startedAt = performance.now();
    const file = vscode.Uri.joinPath(this.#folder, `${extensionId}-${digest}.vsix`);
    const isThere = (): boolean =>
      installedManifests().some((m) => m.extensionId === extensionId && m.digest === digest);
    try {
      await vscode.workspace.fs.createDirectory(this.#folder);
      await vscode.workspace.fs.writeFile(file, vsixPackage(manifest));
      await installExtension(file, isThere);
      this.#remember(extensionId, digest);
      this.#log.debug(
        `declared ${tools.size} tools (${extensionId}) in ${Math.round(performance.now() - startedAt)} ms`,
      );
    } catch (error: unknown) {
      this.#isPaused = true;
      this.#didRefuse.fire(errorMessage(error));
      // An editor that installs but does not allow the extension keeps it otherwise.
      await uninstallExtension(extensionId).catch(() => undefined);
    } finally {
      await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
    }
  }
}

const agesKey = 'mcpBridge.manifestAges';
const digestsKey = 'mcpBridge.manifests';

function readDigests(stored: unknown): Map<string, string> {
  const entries = isJsonObject(stored) ? Object.entries(stored) : [];
  return new Map(
    entries.flatMap(([id, digest]) => (typeof digest === 'string' ? [[id, digest] as const] : [])),
  );
}

/** Tells workspaces apart; windows without a folder are one. */
function workspaceIdentity(): string {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  return (workspaceFile ?? workspaceFolders?.[0]?.uri)?.toString() ?? '';
}
