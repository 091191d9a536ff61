import * as vscode from 'vscode';
import { DisposableMap, DisposableStore, type Disposable } from '../base/disposable.ts';
import { declaredTools } from '../core/manifests/manifestPlan.ts';
import { toolContextKey } from '../core/manifests/toolManifest.ts';
import { isCallable, type CatalogTool, type ToolCatalog } from '../core/tools/toolCatalog.ts';
import type { ToolSink } from '../core/tools/toolSink.ts';
import { setContextKey } from './contextKeys.ts';
import { installedManifests, type ManifestInstaller } from './manifestInstaller.ts';

/**
 * Offers the tools of the catalog to this window's agents: an implementation for each declared tool that may be
 * called and, where it is offered directly, the context key that makes its declaration count. Tools that are not declared yet
 * follow as soon as the installer has declared them.
 */
export class ToolRegistrar implements ToolSink, Disposable {
  readonly #installer: ManifestInstaller;
  readonly #implement: (exposedName: string) => vscode.LanguageModelTool<object>;
  readonly #onError: (error: unknown) => void;
  readonly #store = new DisposableStore();
  /** By fingerprint: another definition under the same name is another registration. */
  readonly #implementations = this.#store.add(new DisposableMap<string>());
  /** The keys that are set, by fingerprint. */
  readonly #keys = this.#store.add(new DisposableMap<string>());
  #catalog: ToolCatalog | undefined;

  constructor(
    installer: ManifestInstaller,
    implement: (exposedName: string) => vscode.LanguageModelTool<object>,
    onError: (error: unknown) => void,
  ) {
    this.#installer = installer;
    this.#implement = implement;
    this.#onError = onError;
    this.#store.add(
      vscode.extensions.onDidChange(() => {
        if (this.#catalog !== undefined) this.#register(this.#catalog);
      }),
    );
  }

  apply(catalog: ToolCatalog): void {
    this.#catalog = catalog;
    this.#register(catalog);
    this.#installer.sync(catalog);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #register(catalog: ToolCatalog): void {
    const declared = declaredTools(installedManifests());
    const ready = new Map<string, CatalogTool>();
    for (const tool of catalog.tools.values()) {
      const isDeclared = declared.get(tool.exposedName) === tool.fingerprint;
      if (isDeclared && isCallable(tool)) ready.set(tool.fingerprint, tool);
    }
    for (const fingerprint of this.#keys.keys()) {
      if (ready.get(fingerprint)?.availability.kind !== 'offered') this.#keys.delete(fingerprint);
    }
    // A name can move from one definition to another: what is gone must go first.
    for (const fingerprint of this.#implementations.keys()) {
      if (!ready.has(fingerprint)) this.#implementations.delete(fingerprint);
    }
    for (const [fingerprint, { exposedName, availability }] of ready) {
      if (!this.#implementations.has(fingerprint)) {
        const implementation = this.#implement(exposedName);
        this.#implementations.set(fingerprint, vscode.lm.registerTool(exposedName, implementation));
      }
      if (availability.kind !== 'offered' || this.#keys.has(fingerprint)) continue;
      this.#setKey(fingerprint, true);
      this.#keys.set(fingerprint, { dispose: () => this.#setKey(fingerprint, undefined) });
    }
  }

  #setKey(fingerprint: string, value: true | undefined): void {
    setContextKey(toolContextKey(fingerprint), value).catch(this.#onError);
  }
}
