import * as vscode from 'vscode';
import { definedOnly, isJsonObject } from '../base/json.ts';
import type { SettingsLayer } from '../core/settings/parseSettings.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import { toggleTool, type FilterLayer } from '../core/tools/toggleTool.ts';
import type { CatalogTool } from '../core/tools/toolCatalog.ts';
import { changeEntry } from './changeEntry.ts';
import { openSettingsAt } from './settingsFile.ts';
import { readSettingsLayers } from './settingsSource.ts';

/** Writes into the settings that a tool is offered, or is not. Says why where a checkbox cannot decide that. */
export async function setToolWanted(
  { configuration, definition, availability }: CatalogTool,
  isWanted: boolean,
  context: vscode.ExtensionContext,
): Promise<void> {
  const { key, origin } = configuration;
  const edits = toggleTool(filterLayers(configuration), definition.name, isWanted);
  if (typeof edits === 'string' || edits.length === 0) {
    const reason = availability.kind === 'leftOut' ? `${availability.reason}.` : '';
    const why = typeof edits === 'string' ? edits : reason;
    const open = 'Open Settings';
    const message = `The tool "${definition.name}" of "${key}" stays as it is. ${why}`;
    const choice = await vscode.window.showInformationMessage(message, open);
    if (choice === open) await openSettingsAt(origin, key);
    return;
  }
  for (const { origin: place, allow, deny } of edits) {
    await changeEntry(place, key, definedOnly({ allow, deny }), context);
  }
}

/** The lists of every settings file that has a say about the server. */
function filterLayers({ key, origin }: ServerConfiguration): FilterLayer[] {
  const layers = readSettingsLayers();
  const start = layers.findIndex((layer) => isSame(layer, origin));
  // A server of an extension is decided about in the user settings.
  const isExtensions = origin.scope === 'extension';
  const relevant = isExtensions ? layers : layers.slice(Math.max(start, 0));
  return relevant.flatMap(({ origin: place, value }, index): FilterLayer[] => {
    const entry = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
    const isFirst = index === 0;
    if (!isJsonObject(entry)) return isFirst ? [{ origin: place }] : [];
    // In a narrower scope, an entry with a launch is another server.
    if (!isFirst && ('command' in entry || 'url' in entry)) return [];
    return [
      {
        origin: place,
        ...definedOnly({ allow: texts(entry['allow']), deny: texts(entry['deny']) }),
      },
    ];
  });
}

function isSame({ origin }: SettingsLayer, other: ServerConfiguration['origin']): boolean {
  return origin.scope === other.scope && origin.folder?.uri === other.folder?.uri;
}

function texts(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter((entry) => typeof entry === 'string');
}
