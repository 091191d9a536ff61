import { errorMessage } from '../base/errors.ts';
import { shortened } from './boundedText.ts';

export type FailureCode =
  | 'spawnFailed'
  | 'noResources'
  | 'handshakeFailed'
  | 'connectionLost'
  | 'sessionLost'
  | 'timedOut'
  | 'unauthorized'
  | 'unreachable'
  | 'invalidSettings'
  | 'invalidArguments'
  | 'notTrusted'
  | 'addressRefused'
  | 'notAllowed'
  | 'toolUnknown'
  | 'stopped'
  | 'protocol';

/**
 * A failure that was foreseen. Its message is the final sentence for the person or the model: what
 * happened, to which server or tool, why, and what to do. Anything that is not a `BridgeError` is a bug.
 */
export class BridgeError extends Error {
  readonly code: FailureCode;
  /** The same in a few words, for a label. */
  readonly summary: string;
  /** What the person can do about it with one press. */
  readonly remedy: 'signIn' | undefined;

  constructor(
    code: FailureCode,
    message: string,
    { summary, remedy, ...options }: ErrorOptions & { summary?: string; remedy?: 'signIn' } = {},
  ) {
    super(message, options);
    this.name = 'BridgeError';
    this.code = code;
    this.summary = summary ?? firstSentence(message);
    this.remedy = remedy;
  }
}

/** Any error as a `BridgeError`; a foreign one keeps its message, behind the given beginning. */
export function toBridgeError(error: unknown, code: FailureCode, beginning: string): BridgeError {
  if (error instanceof BridgeError) return error;
  return new BridgeError(code, `${beginning}: ${errorMessage(error)}`, { cause: error });
}

/** `path`: where it was looked for, unless the command is a path itself; `withShell`: it holds the PATH of the login shell. */
export function commandNotFound(
  command: string,
  path: string | undefined,
  withShell = false,
): BridgeError {
  const including = withShell ? ', that of your login shell included' : '';
  const where =
    path === undefined ? '' : ` It was looked for in PATH${including}: ${shorten(path, 400)}.`;
  const advice =
    path === undefined ? 'Correct the path' : 'Install it, or write its full path in "command"';
  return new BridgeError(
    'spawnFailed',
    `The command "${command}" was not found.${where} ${advice}.`,
    { summary: `command not found: ${command}` },
  );
}

export function spawnRefused(command: string, reason: string): BridgeError {
  return new BridgeError('spawnFailed', `The command "${command}" could not be run: ${reason}.`, {
    summary: `could not be run: ${reason}`,
  });
}

/** Like `spawnRefused`, for a lack that may be over with the next try. */
export function spawnDelayed(command: string, lack: string, advice: string): BridgeError {
  return new BridgeError(
    'noResources',
    `The command "${command}" could not be run: ${lack}. ${advice}; it will be tried again. Servers that run are not affected.`,
    { summary: `could not be run: ${lack}` },
  );
}

export function directoryMissing(directory: string): BridgeError {
  return new BridgeError(
    'spawnFailed',
    `The working directory "${directory}" does not exist. Correct "cwd" or create the directory.`,
    { summary: 'its working directory does not exist' },
  );
}

/** How a process ended, in words: `exit code 3` or `signal SIGKILL`. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

export function exitedDuringStart(exit: ProcessExit, lastWords: string): BridgeError {
  return new BridgeError(
    'handshakeFailed',
    `The server's process ended with ${exitText(exit)} before it was ready.${quoted(lastWords)}`,
    { summary: `ended with ${exitText(exit)}` },
  );
}

/** `reason`: what the server did, as a sentence that begins with "it". */
export function gaveUpDuringStart(reason: string): BridgeError {
  return new BridgeError('handshakeFailed', `The server was not ready yet: ${reason}.`, {
    summary: reason,
  });
}

/** `bytes` wait to be read by the server already. */
export function inputBlocked(bytes: number): BridgeError {
  const waiting = `${Math.round(bytes / 1024 / 1024)} MiB`;
  return new BridgeError(
    'connectionLost',
    `The server does not read its input: ${waiting} wait to be written to it. Nothing more is sent until it goes on, and this was not. Restart the server if that lasts.`,
    { summary: 'the server does not read its input' },
  );
}

export function startTimedOut(seconds: number, lastWords: string): BridgeError {
  return new BridgeError(
    'timedOut',
    `The server did not answer within ${seconds} s of its start. If it needs longer, raise "timeouts.connect".${quoted(lastWords)}`,
    { summary: `no answer within ${seconds} s` },
  );
}

/** `protocol` is the setting that ruled out what the server speaks. */
export function protocolMismatch(protocol: string, itsWords: string, cause: unknown): BridgeError {
  return new BridgeError(
    'handshakeFailed',
    `The server does not speak what the setting "protocol" ("${protocol}") allows: ${shorten(itsWords, 300)}. Set it to "auto".`,
    { summary: `does not speak the "${protocol}" protocol`, cause },
  );
}

export function callTimedOut(
  server: string,
  tool: string,
  seconds: number,
  setting: string,
): BridgeError {
  return new BridgeError(
    'timedOut',
    `The tool "${tool}" of the MCP server "${server}" gave no answer within ${seconds} s and was cancelled. It may have taken effect all the same: check before calling it again. The limit is the setting "${setting}" of this server.`,
  );
}

export function connectionLost(server: string, tool: string, why: string): BridgeError {
  return new BridgeError(
    'connectionLost',
    `The connection to the MCP server "${server}" was lost while the tool "${tool}" ran (${why}). Whether the call took effect is unknown and it was not repeated: check before calling it again.`,
  );
}

export function sessionLost(server: string, cause: unknown): BridgeError {
  return new BridgeError(
    'sessionLost',
    `The MCP server "${server}" no longer knows the session, also not a new one. The call was not made.`,
    { cause, summary: 'the server does not know the session' },
  );
}

/** The same failure of a call that may have been carried out before it failed. */
export function outcomeUnknown({ code, message, summary, cause }: BridgeError): BridgeError {
  const end = /[.!?]$/.test(message) ? '' : '.';
  return new BridgeError(
    code,
    `${message}${end} Whether the call took effect is unknown and it was not repeated: check before calling it again.`,
    { summary, cause },
  );
}

/** The same failure of a call that the server has certainly not carried out. */
export function notCarriedOut({ code, message, summary, cause }: BridgeError): BridgeError {
  const options = { summary, cause };
  return new BridgeError(code, `${message} The call was not carried out.`, options);
}

export function serverUnavailable(server: string, why: string): BridgeError {
  return new BridgeError(
    'stopped',
    `The MCP server "${server}" is not available: ${why} The call was not made. Tell the user; trying again will not help until this is fixed.`,
  );
}

/** The same failure of a server that has failed too often to be started again by itself. */
export function givenUp({ code, message, summary, cause }: BridgeError): BridgeError {
  const end = /[.!?]$/.test(message) ? '' : '.';
  return new BridgeError(
    code,
    `${message}${end} It failed too often within a few minutes, so it is not started again until you start it in the sidebar.`,
    { summary: `${summary.replace(/\.$/, '')}; given up`, cause },
  );
}

export function exitText({ code, signal }: ProcessExit): string {
  return signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`;
}

function quoted(lastWords: string): string {
  const words = lastWords.trim();
  return words === '' ? ' It wrote nothing to stderr.' : ` Its last words: ${shorten(words, 600)}`;
}

/** The end of a long text matters most: that is where programs say why they stop. */
function shorten(text: string, length: number): string {
  return text.length <= length ? text : `…${text.slice(-length).toWellFormed()}`;
}

function firstSentence(text: string): string {
  const sentence = /^.+?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text;
  return shortened(sentence, 120);
}
