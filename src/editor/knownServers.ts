import type { Event } from '../base/event.ts';
import type { InvalidServer, SettingsProblem } from '../core/settings/parseSettings.ts';
import type { ToolCatalog } from '../core/tools/toolCatalog.ts';

/** What there is to show of all servers now. */
export interface KnownServers {
  /** `undefined` while nothing is configured. */
  readonly catalog: ToolCatalog | undefined;
  readonly invalid: readonly InvalidServer[];
  /** All that is wrong in settings. */
  readonly problems: readonly SettingsProblem[];
  /** How many tools may be offered directly. */
  readonly budget: number;
}

/** Keeps track of all servers, and tells when there is something else to show. */
export interface KnownServersSource {
  readonly known: KnownServers;
  readonly onDidChangeCatalog: Event<void>;
  readonly onDidReadSettings: Event<void>;
}
