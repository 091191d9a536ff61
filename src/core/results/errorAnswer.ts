import { isJsonObject } from '../../base/json.ts';
import { BridgeError, type FailureCode } from '../failures.ts';
import { visibleText } from '../visibleText.ts';
import { compactJson } from './jsonText.ts';

/** A JSON-RPC error object as a server answered with it. */
export interface ErrorAnswer {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Most characters of the server's words and of its `data` that are passed on. */
const maxMessage = 8000;
const maxData = 1000;

const invalidParams = -32_602;
const methodNotFound = -32_601;
/** MCP specification 2025-11-25, `URLElicitationRequiredError`. */
const urlElicitationRequired = -32_042;

/**
 * A JSON-RPC error that a server gave for a tool call, in words by which the model acts right: what to correct, or why it
 * is of no use to repeat the call. The server's own words are always in it.
 */
export function errorAnswer(server: string, tool: string, answer: ErrorAnswer): BridgeError {
  const said = sentence(visibleText(answer.message.slice(0, maxMessage)));
  const words = `${said}${details(answer)}`;
  const failure = (code: FailureCode, message: string): BridgeError =>
    new BridgeError(code, message);
  if (answer.code === urlElicitationRequired) {
    return failure(
      'protocol',
      `The MCP server "${server}" wants the user to open a page before it runs "${tool}": ${words} The call was not carried out. Give the user the address, and call the tool again when they are done.`,
    );
  }
  if (answer.code === methodNotFound || isUnknownTool(answer)) {
    return failure(
      'toolUnknown',
      `The MCP server "${server}" does not know the tool "${tool}" any more: ${words} The call was not carried out, and calling it again will not help.`,
    );
  }
  if (answer.code === invalidParams) {
    return failure(
      'invalidArguments',
      `The MCP server "${server}" did not accept the arguments of "${tool}": ${words} Correct the arguments and call it again.`,
    );
  }
  return failure(
    'protocol',
    `The MCP server "${server}" answered the call of "${tool}" with an error: ${words} Whether the call had any effect is not known: check before calling it again.`,
  );
}

/** The specification has unknown tools answered with "invalid params" too; only the words tell. */
function isUnknownTool({ code, message }: ErrorAnswer): boolean {
  return (
    code === invalidParams &&
    /\b(?:unknown tool|no such tool|tool\b.{0,300}\b(?:not found|not exist|is unknown|disabled))/is.test(
      message.slice(0, maxMessage),
    )
  );
}

function details({ data, message }: ErrorAnswer): string {
  if (data === undefined || data === null) return '';
  const isEmpty = isJsonObject(data) && Object.keys(data).length === 0;
  const json = typeof data === 'string' ? data : compactJson(data);
  if (isEmpty || json === '' || message.includes(json)) return '';
  const cut = json.length > maxData ? `${json.slice(0, maxData)}…` : json;
  return ` (${visibleText(cut)})`;
}

/** The words end as a sentence does. */
function sentence(words: string): string {
  const trimmed = words.trim();
  if (trimmed === '') return 'it gave no reason.';
  return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
