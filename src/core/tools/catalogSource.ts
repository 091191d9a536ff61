import type { Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { McpServers } from '../servers/mcpServers.ts';
import type { PinLookup } from '../pins/serverPins.ts';
import { reuseUnchanged } from './catalogReuse.ts';
import { buildCatalog, type ToolCatalog } from './toolCatalog.ts';

/** Keeps the catalog of all servers up to date. A burst of changes within one task gives one new catalog. */
export class CatalogSource implements Disposable {
  readonly onDidChangeCatalog: Event<ToolCatalog>;
  readonly #servers: McpServers;
  readonly #budget: () => number;
  readonly #didChange: Emitter<ToolCatalog>;
  readonly #subscription: Disposable;
  readonly #pinsOf: PinLookup | undefined;
  #catalog: ToolCatalog;
  #isStale = false;

  /** `budget` gives the number of tools that may be offered directly, `pinsOf` what was accepted; after one changed call `invalidate`. */
  constructor(
    servers: McpServers,
    onError: (error: unknown) => void,
    budget: () => number = () => Infinity,
    pinsOf?: PinLookup,
  ) {
    this.#servers = servers;
    this.#budget = budget;
    this.#pinsOf = pinsOf;
    this.#didChange = new Emitter(onError);
    this.onDidChangeCatalog = this.#didChange.event;
    this.#catalog = buildCatalog(servers.servers, budget(), pinsOf);
    this.#subscription = servers.onDidChangeServers(() => this.invalidate());
  }

  get catalog(): ToolCatalog {
    if (this.#isStale) {
      this.#isStale = false;
      const next = buildCatalog(this.#servers.servers, this.#budget(), this.#pinsOf);
      this.#catalog = reuseUnchanged(this.#catalog, next);
    }
    return this.#catalog;
  }

  /** The catalog is built anew, and its listeners are told. */
  invalidate(): void {
    if (this.#isStale) return;
    this.#isStale = true;
    queueMicrotask(() => this.#didChange.fire(this.catalog));
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#didChange.dispose();
  }
}
