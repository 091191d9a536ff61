import { getLocation } from 'jsonc-parser';
import type * as vscode from 'vscode';
import { valuePlace, type ValuePlace } from '../../core/settings/help/valuePlace.ts';
import { configurationSection, serversSetting } from '../contributionIds.ts';
import { settingsDocument } from '../settingsDocument.ts';
import type { KnownServers } from '../knownServers.ts';
import { serverPlaces, type ServerPlace } from './serverPlaces.ts';

/** What stands at a position of a settings file: a text in an entry of `mcpBridge.servers`. */
export interface CursorPlace {
  readonly server: ServerPlace;
  /** Below the entry. Empty for the key of the entry itself. */
  readonly path: readonly (string | number)[];
  readonly kind: ValuePlace | undefined;
  /** The text between the quotes, as written. */
  readonly text: string;
  /** Where the text begins in the document. */
  readonly offset: number;
}

/** `undefined` where no text of an entry stands. */
export function cursorPlace(
  document: vscode.TextDocument,
  position: vscode.Position,
  known: KnownServers,
): CursorPlace | undefined {
  const settings = settingsDocument(document);
  if (settings === undefined) return undefined;
  const at = document.offsetAt(position);
  const { path, isAtPropertyKey, previousNode } = getLocation(document.getText(), at);
  const start = path.indexOf(`${configurationSection}.${serversSetting}`);
  const key = path[start + 1];
  if (start < 0 || start > 1 || key === undefined || previousNode === undefined) return undefined;
  const isText = previousNode.type === 'string' || previousNode.type === 'property';
  if (!isText || at > previousNode.offset + previousNode.length) return undefined;
  const server = serverPlaces(settings, known).find((one) => one.key === key);
  if (server === undefined) return undefined;
  const below = path.slice(start + 2);
  const end = previousNode.offset + previousNode.length;
  const text = document.getText().slice(previousNode.offset + 1, end - 1);
  return {
    server,
    path: below,
    kind: valuePlace(below, isAtPropertyKey),
    text,
    offset: previousNode.offset + 1,
  };
}
