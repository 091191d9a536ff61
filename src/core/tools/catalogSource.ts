import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { McpServers } from '../servers/mcpServers.ts';
import { buildCatalog, type ToolCatalog } from './toolCatalog.ts';

/** Keeps the catalog of all servers up to date. A burst of changes within one task gives one new catalog. */
export class CatalogSource implements Disposable {
  readonly onDidChangeCatalog: Event<ToolCatalog>;
  readonly #servers: McpServers;
  readonly #didChange: Emitter<ToolCatalog>;
  readonly #subscription: Disposable;
  #catalog: ToolCatalog;
  #isStale = false;

  constructor(servers: McpServers, onError: (error: unknown) => void) {
    this.#servers = servers;
    this.#didChange = new Emitter(onError);
    this.onDidChangeCatalog = this.#didChange.event;
    this.#catalog = buildCatalog(servers.servers);
    this.#subscription = servers.onDidChangeServers(() => this.#invalidate());
  }

  get catalog(): ToolCatalog {
    if (this.#isStale) {
      this.#isStale = false;
      this.#catalog = buildCatalog(this.#servers.servers);
    }
    return this.#catalog;
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#didChange.dispose();
  }

  #invalidate(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => this.#didChange.fire(this.catalog));
  }
}
