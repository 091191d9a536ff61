import { isJsonObject } from '../../base/json.ts';
import type { Limits } from '../settings/limits.ts';
import type { ToolResultPart } from '../tools/toolCall.ts';
import { contentItems, defaultPriority, type ContentItem } from './contentItems.ts';
import { fitImages } from './fitImages.ts';
import { fitText, lengthOf, type RankedText } from './fitText.ts';
import { inputRequired } from './inputRequired.ts';
import { jsonText } from './jsonText.ts';
import { joinedTexts, resultBlocks } from './resultBlocks.ts';
import type { ResultFiles } from './resultFiles.ts';
import { isSaidAlready } from './structuredContent.ts';
import { tokenRoom, type TokenBudget } from './tokenRoom.ts';

/** What a result is shaped to. */
export interface ResultShaping {
  readonly limits: Limits;
  /** The settings key of the server. */
  readonly server: string;
  /** Exposed name of the tool; files are named after it. */
  readonly tool: string;
  readonly files?: ResultFiles | undefined;
  readonly tokens?: TokenBudget | undefined;
}

export interface ShapedResult {
  readonly isError: boolean;
  /** At least one. */
  readonly parts: readonly ToolResultPart[];
}

/**
 * Turns a `CallToolResult` (MCP specification, "Tool Result") into what the model reads. Takes anything:
 * parts of unknown or broken form become text, never an error. `structuredContent` is added as JSON unless a
 * text part says the same; `_meta` is never shown. What exceeds the limits is cut, and the whole text then kept
 * in a file that is named in its place.
 */
export async function toolResult(result: unknown, shaping: ResultShaping): Promise<ShapedResult> {
  // A list or a text in the place of the result is read as its content.
  const answer: Readonly<Record<string, unknown>> = isJsonObject(result)
    ? result
    : { content: result };
  const wanted = inputRequired(answer, shaping.server);
  if (wanted !== undefined) return { isError: true, parts: [text(wanted)] };
  const isError = answer['isError'] === true;
  const { items, forUser } = readItems(answer);
  const { limits } = shaping;
  const few = fewItems(fitImages(items, limits), limits.resultBlocks);
  const fitted = await fit(few, shaping);
  const said = fitted.some((part) => part.kind === 'image' || part.text.trim() !== '');
  const parts = said ? fitted : [text(nothingSaid(isError, forUser))];
  const marked = isError ? [text('The tool reported an error:'), ...parts] : parts;
  return { isError, parts: resultBlocks(marked, limits.resultBlocks) };
}

function nothingSaid(isError: boolean, forUser: number): string {
  if (forUser > 0) {
    return '(The server marked all of the result as meant for the user and not for you, so there is nothing to read.)';
  }
  return isError ? 'the server gave no reason' : '(The tool gave an empty result.)';
}

function readItems(answer: Readonly<Record<string, unknown>>): {
  items: ContentItem[];
  forUser: number;
} {
  const { content, structuredContent, ...others } = answer;
  const { items, texts, forUser } = contentItems(content);
  const add = (value: unknown): void => {
    items.push({ part: text(jsonText(value)), priority: defaultPriority });
  };
  if (structuredContent !== undefined) {
    if (!isSaidAlready(texts, structuredContent)) add(structuredContent);
  } else if (content === undefined) {
    // Results of other forms: `toolResult` of 2024-10-07, a task that was created.
    const { _meta, isError: _isError, resultType: _resultType, ...rest } = others;
    if (Object.keys(rest).length > 0) add(rest);
  }
  return { items, forUser };
}

/** The items within the limits of text; those that are cut are kept whole in a file. */
async function fit(
  items: readonly ContentItem[],
  { limits, tool, files, tokens }: ResultShaping,
): Promise<ToolResultPart[]> {
  const texts: RankedText[] = items.map(({ part, priority }) => ({
    text: part.kind === 'text' ? part.text : '',
    priority,
  }));
  const total = lengthOf(texts);
  const noteIn = (path: string | undefined) => (missing: number) =>
    `[… ${missing} of ${total} characters left out; ${whereabouts(path)} …]`;
  const room =
    tokens === undefined
      ? limits.resultChars
      : await tokenRoom(limits.resultChars, tokens, (characters) =>
          fitText(texts, characters, noteIn(tool)).join('\n'),
        );
  const isCut = total > room;
  const whole = (): string => texts.map((item) => item.text).join('\n');
  const path = isCut ? await files?.write(tool, whole()) : undefined;
  const kept = fitText(texts, room, noteIn(path));
  return items.map(({ part }, index) => (part.kind === 'image' ? part : text(kept[index] ?? '')));
}

function whereabouts(path: string | undefined): string {
  return path === undefined
    ? 'the result is too long: ask for less if you need the rest'
    : `the whole text is in the file ${path}: read the lines you need with read_file`;
}

/** Ranks are honoured where there are few parts; very many are taken as one text. */
function fewItems(items: readonly ContentItem[], maxBlocks: number): readonly ContentItem[] {
  if (items.length <= maxBlocks) return items;
  const joined = joinedTexts(items.map(({ part }) => part));
  return joined.map((part) => ({ part, priority: defaultPriority }));
}

function text(value: string): ToolResultPart {
  return { kind: 'text', text: value };
}
