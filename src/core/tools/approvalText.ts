import { isDeeperThan, isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { readArguments } from '../schemas/coerceArguments.ts';
import { toServerArguments } from '../schemas/propertyAliases.ts';
import { shortened } from '../boundedText.ts';
import type { ConfigurationOrigin } from '../settings/serverConfiguration.ts';
import type { ConfirmVerdict } from './confirmation.ts';
import type { CatalogTool } from './toolCatalog.ts';
import type { ToolAnnotations } from './toolDefinition.ts';
import { visibleLine } from '../visibleLine.ts';

/** Most lines of arguments, and most characters of one value. */
const maxArguments = 20;
const maxValue = 200;
const maxName = 80;
const maxDepth = 100;

/** Words of ours, plain or strong; or words of a server, a model or a workspace, which are only ever shown literally. */
type Piece = string | { readonly strong: string } | { readonly foreign: string };
type Line = readonly Piece[];

/** The question before a call. Text without any markup: see `approvalMarkdown` and `approvalPlainText`. */
export interface ApprovalText {
  readonly title: string;
  readonly paragraphs: readonly (readonly Line[])[];
}

/** What a call with that input gives to the server; the parameters that the tool declares come first. */
export function shownArguments({ definition, aliases }: CatalogTool, input: unknown): JsonObject {
  const given = readArguments(input);
  if (given === undefined) return { '(not an object)': input as JsonValue };
  const args = toServerArguments(aliases, given);
  const declared = definition.inputSchema['properties'];
  if (!isJsonObject(declared)) return args;
  const [known, other] = [true, false].map((isKnown) =>
    Object.entries(args).filter(([name]) => Object.hasOwn(declared, name) === isKnown),
  );
  return Object.fromEntries([...(known ?? []), ...(other ?? [])]);
}

/** Asks for one call of a tool with these arguments. `note` is said besides. */
export function approvalText(
  tool: CatalogTool,
  args: JsonObject,
  verdict: ConfirmVerdict,
  note = '',
): ApprovalText {
  const { configuration, definition } = tool;
  const { annotations, name } = definition;
  const title = definition.title ?? annotations.title;
  const subject: Line = [
    ...['Tool ', foreign(name)],
    ...(title === undefined || title === name ? [] : [' (', foreign(title), ')']),
    ...[' of the MCP server ', foreign(configuration.key)],
    ...originPieces(configuration.origin),
    '.',
  ];
  const remarks: Line[] = [];
  // With the plain rule there is nothing to explain.
  if (verdict.rule !== 'always') remarks.push([`You are asked because ${verdict.why}.`]);
  if (note !== '') remarks.push([note]);
  return {
    title: `Call ${plainName(name)} on ${plainName(configuration.key)}?`,
    paragraphs: [[subject, ...claims(annotations)], argumentLines(args), remarks].filter(
      (lines) => lines.length > 0,
    ),
  };
}

/**
 * A short name for titles and labels, where an editor may find links, icons or emphasis: characters that
 * could begin or end one become spaces. The question itself has the name as it is.
 */
export function plainName(text: string): string {
  const name = text
    .replace(/[^\p{L}\p{M}\p{N}./_-]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, ' ')
    .replace(/www\./gi, 'www ')
    .replace(/ +/g, ' ')
    .trim();
  return shortened(name, maxName);
}

/** The text as Markdown in which foreign words are code: nothing in them becomes a link, an image or a command. */
export function approvalMarkdown({ paragraphs }: ApprovalText): string {
  const render = (piece: Piece): string => {
    if (typeof piece === 'string') return escapeMarkdown(piece);
    return 'strong' in piece ? `**${escapeMarkdown(piece.strong)}**` : codeSpan(piece.foreign);
  };
  return paragraphs
    .map((lines) => lines.map((line) => line.map(render).join('')).join('  \n'))
    .join('\n\n');
}

/** The same for places without Markdown; foreign words stand between ‹ and ›. */
export function approvalPlainText({ paragraphs }: ApprovalText): string {
  const render = (piece: Piece): string => {
    if (typeof piece === 'string') return piece;
    return 'strong' in piece ? piece.strong : `‹${piece.foreign}›`;
  };
  return paragraphs
    .map((lines) => lines.map((line) => line.map(render).join('')).join('\n'))
    .join('\n\n');
}

/** The servers of their own settings are known to a person; those that came with a workspace may not be. */
function originPieces({ scope, folder, extension }: ConfigurationOrigin): Line {
  switch (scope) {
    case 'extension':
      return [', which the extension ', foreign(extension ?? ''), ' registered'];
    case 'user':
      return [];
    case 'workspace':
      return [', which the settings of this workspace define'];
    case 'folder':
      return [', which the settings of the folder ', foreign(folder?.name ?? ''), ' define'];
  }
}

function claims({ readOnlyHint, destructiveHint }: ToolAnnotations): Line[] {
  const lines: Line[] = [];
  if (destructiveHint === true) {
    lines.push([{ strong: 'The server says that it can delete or overwrite.' }]);
  }
  if (readOnlyHint === true) lines.push(['The server says that it only reads.']);
  return lines;
}

function argumentLines(args: JsonObject): Line[] {
  const entries = Object.entries(args);
  if (entries.length === 0) return [['Without arguments.']];
  const lines = entries
    .slice(0, maxArguments)
    .map(([name, value]): Line => [argumentName(name), ': ', ...valuePieces(value)]);
  const hidden = entries.length - lines.length;
  return hidden === 0 ? lines : [...lines, [`… and ${hidden} more arguments.`]];
}

function argumentName(name: string): Piece {
  return /^[\w-]{1,80}$/.test(name) ? { strong: name } : foreign(name);
}

function valuePieces(value: JsonValue): Piece[] {
  if (isDeeperThan(value, maxDepth)) return ['nested too deeply to be shown'];
  const text = typeof value === 'string' ? stringText(value) : JSON.stringify(value);
  const hidden = text.length - maxValue;
  if (hidden <= 0) return [{ foreign: visibleLine(text) }];
  return [
    { foreign: visibleLine(text.slice(0, maxValue)) },
    ` … ${hidden} more character${hidden === 1 ? '' : 's'}`,
  ];
}

/** A text as it is; in quotes where it would look like another value or like nothing. */
function stringText(text: string): string {
  const isUnclear = /^(|\s+|true|false|null|-?\d.*|[[{"].*)$/s.test(text);
  return isUnclear ? JSON.stringify(text) : text;
}

function foreign(text: string): Piece {
  const cut = text.length <= maxName ? text : `${text.slice(0, maxName - 1)}…`;
  return { foreign: cut.trim() === '' ? JSON.stringify(cut) : visibleLine(cut) };
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>&~|#]/g, String.raw`\$&`);
}

/** A code span whose fence is longer than any run of backticks in it (CommonMark, "Code spans"). */
function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = /^`|`$|^ .* $/s.test(text) ? ' ' : '';
  return fence + padding + text + padding + fence;
}
