import {
  isSpecType,
  ProtocolError,
  type Client,
  type ClientCapabilities,
  type CreateMessageRequest,
  type ElicitRequest,
} from '@modelcontextprotocol/client';
import type { Disposable } from '../base/disposable.ts';
import { errorMessage } from '../base/errors.ts';
import { isJsonObject, type JsonObject } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import type {
  ClientFeatures,
  ElicitationRequest,
  SamplingRequest,
} from '../core/clientFeatures/clientFeatures.ts';
import { compactJson } from '../core/results/jsonText.ts';
import { readForm } from '../core/clientFeatures/elicitationForm.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import type { RunningCalls } from './callClock.ts';

/** What we say we can do. A server whose settings forbid a feature is not told of it. */
export function clientCapabilities({
  sampling,
  elicitation,
}: ServerConfiguration): ClientCapabilities {
  return {
    roots: { listChanged: true },
    ...(elicitation && { elicitation: { form: {}, url: {} } }),
    ...(sampling && { sampling: {} }),
    // The word of 2026-07-28; to servers of older revisions it says nothing.
    extensions: { [tasksExtension]: {} },
  };
}

const tasksExtension = 'io.modelcontextprotocol/tasks';

/** Levels of the specification ("Logging") in those of the editor's log. */
const logLevels = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const satisfies Record<string, keyof Logger>;

/** Most questions one session may ask within a minute. */
const maxQuestions = 3;
/** Longest message and prompt taken from a server, in characters. */
const maxMessage = 2000;
const maxPrompt = 100_000;
/** JSON-RPC error codes: "Method not found", "Invalid params", and the one the specification gives to a refusal. */
const methodNotFound = -32_601;
const invalidParams = -32_602;
const refused = -1;

export interface HandlerContext {
  readonly configuration: ServerConfiguration;
  readonly features: ClientFeatures;
  readonly calls: RunningCalls;
  readonly log: Logger;
}

export interface ClientHandlers extends Disposable {
  /** Answers a question that came inside another message, as if it had come as a request. */
  answer(method: string, params: unknown, signal: AbortSignal): Promise<JsonObject>;
}

/**
 * Answers what a server asks of us (MCP specification, "Client Features"). Questions reach the person only
 * while a call to that server runs, so that none comes out of the blue, and only a few in a minute.
 */
export function handleServerRequests(client: Client, context: HandlerContext): ClientHandlers {
  const { configuration, features, calls, log } = context;
  const limit = new QuestionLimit();
  const mayAsk = (what: string): boolean => {
    const isAllowed = !calls.isEmpty && limit.take(performance.now());
    if (!isAllowed) log.warn(`${what} was refused: no call is running, or it asks too often`);
    return isAllowed;
  };
  const elicit = async (params: ElicitRequest['params'], signal: AbortSignal) => {
    const request = readElicitation(params);
    if (!mayAsk('a question to the user')) return { action: 'cancel' as const };
    const answer = await calls.whilePaused(() => features.elicit(configuration, request, signal));
    return answer.action === 'accept'
      ? { action: answer.action, content: { ...answer.content } as Record<string, string> }
      : answer;
  };
  const createMessage = async (params: CreateMessageRequest['params'], signal: AbortSignal) => {
    const request = readSampling(params);
    if (!mayAsk('a request to a language model')) {
      throw new ProtocolError(
        refused,
        'Refused: allowed only during a call, three times a minute.',
      );
    }
    const answer = await calls.whilePaused(() =>
      features.createMessage(configuration, request, signal),
    );
    if (answer === undefined) throw new ProtocolError(refused, 'The user refused the request.');
    const { model, text } = answer;
    const content = { type: 'text' as const, text };
    return { model, role: 'assistant' as const, content, stopReason: 'endTurn' };
  };
  let knowsRoots = false;
  client.setRequestHandler('roots/list', () => {
    knowsRoots = true;
    return { roots: [...features.roots()] };
  });
  client.setNotificationHandler('notifications/message', ({ params: { level, logger, data } }) => {
    const text = typeof data === 'string' ? data : compactJson(data);
    const line = `${logger === undefined ? '' : `${logger}: `}${text}`.slice(0, maxMessage);
    log[logLevels[level]](line);
  });
  // In place of the SDK's own handler, whose tokens end with the answer: those of a task live on.
  client.setNotificationHandler('notifications/progress', ({ params }) => {
    const { progressToken, message, progress, total } = params;
    calls.progress(progressToken, { message: message?.slice(0, maxMessage), progress, total });
  });
  if (configuration.elicitation) {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
      elicit(params, signal),
    );
  }
  if (configuration.sampling) {
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
      createMessage(params, signal),
    );
  }
  const changes = features.onDidChangeRoots(() => {
    // Servers that have not asked do not care, and the newest protocol has no such message.
    if (!knowsRoots || client.getProtocolEra() !== 'legacy') return;
    client.sendRootsListChanged().catch((error: unknown) => log.debug(errorMessage(error)));
  });
  return {
    dispose: () => changes.dispose(),
    answer: answerer(context, elicit, createMessage),
  };
}

/** Answers questions inside other messages by the same means as requests. */
function answerer(
  { configuration, features }: HandlerContext,
  elicit: (params: ElicitRequest['params'], signal: AbortSignal) => Promise<object>,
  createMessage: (params: CreateMessageRequest['params'], signal: AbortSignal) => Promise<object>,
): ClientHandlers['answer'] {
  return async (method, params, signal) => {
    if (method === 'roots/list') {
      return { roots: features.roots().map(({ name, uri }) => ({ name, uri })) };
    }
    const question = { method, params };
    if (method === 'elicitation/create' && configuration.elicitation) {
      if (!isSpecType.ElicitRequest(question)) throw new ProtocolError(invalidParams, unreadable);
      return asJson(await elicit(question.params, signal));
    }
    if (method === 'sampling/createMessage' && configuration.sampling) {
      if (!isSpecType.CreateMessageRequest(question)) {
        throw new ProtocolError(invalidParams, unreadable);
      }
      return asJson(await createMessage(question.params, signal));
    }
    throw new ProtocolError(methodNotFound, `The server may not ask for ${method}.`);
  };
}

const unreadable = 'A question of the server cannot be read.';

function asJson(value: object): JsonObject {
  const json: unknown = JSON.parse(JSON.stringify(value));
  return isJsonObject(json) ? json : {};
}

function readElicitation(params: ElicitRequest['params']): ElicitationRequest {
  const message = params.message.slice(0, maxMessage);
  if (params.mode === 'url') {
    const protocol = URL.parse(params.url)?.protocol;
    if (protocol !== 'https:' && protocol !== 'http:') {
      throw new ProtocolError(invalidParams, 'Only http and https addresses are opened.');
    }
    return { mode: 'url', message, url: params.url };
  }
  const fields = readForm(params.requestedSchema);
  if (fields === undefined) {
    throw new ProtocolError(
      invalidParams,
      'requestedSchema must be a flat object of simple fields.',
    );
  }
  return { mode: 'form', message, fields };
}

function readSampling(params: CreateMessageRequest['params']): SamplingRequest {
  const { messages, systemPrompt, maxTokens, modelPreferences } = params;
  const texts = messages.map(({ role, content }) => {
    const blocks = Array.isArray(content) ? content : [content];
    const text = blocks.map((block) => {
      if (block.type === 'text') return block.text;
      throw new ProtocolError(invalidParams, `Content of type "${block.type}" is not supported.`);
    });
    return { role, text: text.join('\n') };
  });
  const size = texts.reduce((sum, { text }) => sum + text.length, systemPrompt?.length ?? 0);
  if (size > maxPrompt) {
    throw new ProtocolError(invalidParams, `The prompt is longer than ${maxPrompt} characters.`);
  }
  return {
    systemPrompt,
    messages: texts,
    maxTokens,
    modelHints: (modelPreferences?.hints ?? []).flatMap(({ name }) => name ?? []).slice(0, 10),
  };
}

/** Lets `maxQuestions` through within any minute. */
class QuestionLimit {
  #times: number[] = [];

  take(now: number): boolean {
    this.#times = this.#times.filter((time) => now - time < 60_000);
    if (this.#times.length >= maxQuestions) return false;
    this.#times.push(now);
    return true;
  }
}
