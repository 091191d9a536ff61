import type { ToolCatalog } from './toolCatalog.ts';

/** Port: where the tools of a catalog are offered to agents. */
export interface ToolSink {
  /** Makes what is offered match the catalog. What is gone goes first. */
  apply(catalog: ToolCatalog): void;
}
