import type { Node } from 'jsonc-parser';
import type { InvalidServer } from '../../core/settings/parseSettings.ts';
import { serverId, type ConfigurationOrigin } from '../../core/settings/serverConfiguration.ts';
import type { CatalogServer } from '../../core/tools/toolCatalog.ts';
import { serversSetting } from '../contributionIds.ts';
import type { KnownServers } from '../knownServers.ts';
import { settingNode, type SettingsDocument } from '../settingsDocument.ts';

/** An entry of `mcpBridge.servers` in a settings file. */
export interface ServerPlace {
  readonly key: string;
  readonly keyNode: Node;
  /** The entry; anything but an object is a mistake. */
  readonly entryNode: Node;
  /** What the entry defines, or what it is laid over. */
  readonly server?: CatalogServer;
  /** The entry only says how a server that is defined elsewhere is used. */
  readonly isOverlay: boolean;
  readonly invalid?: InvalidServer;
}

/** The entries of a settings file, with the servers they are about. */
export function serverPlaces(document: SettingsDocument, known: KnownServers): ServerPlace[] {
  const origin = originOf(document);
  return (settingNode(document, serversSetting)?.children ?? []).flatMap((property) => {
    const [keyNode, entryNode] = property.children ?? [];
    if (keyNode === undefined || entryNode === undefined) return [];
    const key = String(keyNode.value);
    const id = serverId(key, origin);
    const all = known.catalog?.servers ?? [];
    const own = all.find(({ server }) => server.configuration.id === id);
    const invalid = known.invalid.find((one) => one.id === id);
    const isOverlay = own === undefined && invalid === undefined;
    const base = isOverlay
      ? all.findLast(({ server }) => server.configuration.key === key)
      : undefined;
    const server = own ?? base;
    return [
      {
        key,
        keyNode,
        entryNode,
        isOverlay,
        ...(server && { server }),
        ...(invalid && { invalid }),
      },
    ];
  });
}

function originOf({ scope, folder }: SettingsDocument): ConfigurationOrigin {
  // Of the folder, only its address makes a difference for the id of an entry.
  return { scope, ...(folder !== undefined && { folder: { uri: folder, name: '', path: '' } }) };
}
