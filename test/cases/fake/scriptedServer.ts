import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { defaultAnswer, type Answer } from './defaults.ts';
import { note } from './journal.ts';
import { fill, type Placeholders } from './placeholders.ts';
import { actionOf, fulfils, isEvent, type Rule } from './script.ts';
import { Wire } from './wire.ts';
import { asText } from '../fixture.ts';

/** The message that set off a rule; empty for other events. */
interface Context {
  readonly id?: JsonValue;
  readonly method?: string;
  readonly params: JsonObject;
  /** How often this method was asked, from 1. */
  readonly n: number;
}

export interface ServerFiles {
  readonly journal: string;
  /** Folder for `{{TMP}}`. */
  readonly folder: string;
}

const none: Context = { params: {}, n: 0 };

/** An MCP server that does what a script says, and the usual where the script says nothing. */
export class ScriptedServer {
  readonly #rules: readonly Rule[];
  readonly #files: ServerFiles;
  readonly #wire = new Wire();
  readonly #counts = new Map<string, number>();
  /** Id of the newest request of each method, for answers that come later. */
  readonly #asked = new Map<string, JsonValue>();
  readonly #answered = new Set<string>();
  readonly #spent = new Set<Rule>();
  #progress = 0;
  #started: Promise<void> = Promise.resolve();

  constructor(rules: readonly Rule[], files: ServerFiles) {
    this.#rules = rules;
    this.#files = files;
  }

  start(): void {
    note(this.#files.journal, { event: 'spawn', pid: process.pid });
    const rule = this.#find('spawn', none);
    if (rule !== undefined) this.#started = this.#run(rule.do, none);
  }

  /** Takes one line of the client; nothing is answered before the steps of `spawn` are done. */
  async receive(line: string): Promise<void> {
    await this.#started;
    let message: JsonObject;
    try {
      message = JSON.parse(line) as JsonObject;
    } catch {
      note(this.#files.journal, { event: 'garbage', line: line.slice(0, 1000) });
      return;
    }
    const { id, method } = message;
    const params = (message['params'] ?? {}) as JsonObject;
    if (typeof method !== 'string') this.#onResponse(message);
    else if (id === undefined) await this.#onNotification(method, params);
    else await this.#onRequest(id, method, params);
  }

  /** Leaves at the end of input, unless the script says `ignore`. */
  async endOfInput(): Promise<void> {
    note(this.#files.journal, { event: 'stdinEnd' });
    const rule = this.#find('stdin-end', none);
    if (rule?.do.some((step) => step['ignore'] !== undefined) === true) return;
    if (rule !== undefined) await this.#run(rule.do, none);
    await this.#leave(0);
  }

  async signal(signal: string): Promise<void> {
    note(this.#files.journal, { event: 'signal', signal });
    const rule = this.#find(`signal:${signal}`, none);
    if (rule === undefined) process.exit(0);
    await this.#run(rule.do, none);
  }

  async #onRequest(id: JsonValue, method: string, params: JsonObject): Promise<void> {
    const n = (this.#counts.get(method) ?? 0) + 1;
    this.#counts.set(method, n);
    this.#asked.set(method, id);
    note(this.#files.journal, { event: 'request', method, id, params });
    const context = { id, method, params, n };
    const rule = this.#find(`request:${method}`, context);
    if (rule !== undefined) await this.#run(rule.do, context);
    else await this.#answer(id, defaultAnswer(method, params));
  }

  async #onNotification(method: string, params: JsonObject): Promise<void> {
    const key = `notification:${method}`;
    const n = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, n);
    note(this.#files.journal, { event: 'notification', method, params });
    const context = { params, n };
    const rule = this.#find(key, context);
    if (rule !== undefined) await this.#run(rule.do, context);
  }

  #onResponse({ id = null, result, error }: JsonObject): void {
    note(this.#files.journal, {
      event: 'response',
      id,
      ...(result !== undefined && { result }),
      ...(error !== undefined && { error: error as JsonObject }),
    });
    this.#answered.add(asText(id));
    for (const rule of this.#rules) {
      const ids = /^responses?:(.*)$/.exec(rule.when)?.[1]?.split(',');
      if (ids === undefined || this.#spent.has(rule)) continue;
      if (!ids.every((one) => this.#answered.has(one.trim()))) continue;
      this.#spent.add(rule);
      void this.#run(rule.do, none);
    }
  }

  #find(event: string, { n, params }: Context): Rule | undefined {
    return this.#rules.find(
      (rule) =>
        isEvent(rule.when, event) &&
        (rule.nth === undefined || rule.nth.includes(n)) &&
        (rule.if === undefined || fulfils(params, rule.if)),
    );
  }

  async #run(steps: readonly JsonObject[], context: Context): Promise<void> {
    for (const step of steps) await this.#step(step, context);
  }

  async #step(step: JsonObject, context: Context): Promise<void> {
    const wire = step['wire'] as JsonObject | undefined;
    const filled = (name: string): JsonValue => fill(step[name] ?? null, this.#values(context));
    const action = actionOf(step);
    switch (action) {
      case 'replyTo':
        return this.#answer(this.#asked.get(asText(step['replyTo'])), answerOf(step, filled), wire);
      case 'result':
      case 'error':
        return this.#answer(context.id, answerOf(step, filled), wire);
      case 'default':
        return this.#answer(context.id, defaultAnswer(context.method ?? '', context.params), wire);
      case 'notify':
        return this.#wire.send({ jsonrpc: '2.0', ...(filled('notify') as JsonObject) }, wire);
      case 'progress':
        return this.#sendProgress(filled('progress'), context, wire);
      case 'ask':
        return this.#ask(filled('ask') as JsonObject, wire);
      case 'repeat':
        for (let turn = 0; turn < Number(step['repeat']); turn++) {
          await this.#run(step['do'] as JsonObject[], context);
        }
        return undefined;
      default:
        return this.#effect(action, filled);
    }
  }

  /** The steps that are no messages. */
  async #effect(
    action: ReturnType<typeof actionOf>,
    filled: (name: string) => JsonValue,
  ): Promise<void> {
    switch (action) {
      case 'stdout':
        return this.#wire.raw(asText(filled('stdout')));
      case 'stderr':
        await new Promise<void>((resolve) => {
          process.stderr.write(asText(filled('stderr')), () => resolve());
        });
        return undefined;
      case 'sleepMs':
        return pause(Number(filled('sleepMs')));
      case 'exit':
        return this.#leave(Number(filled('exit')));
      case 'touchFile':
        closeSync(openSync(asText(filled('touchFile')), 'a'));
        return undefined;
      case 'spawnChild': {
        const { sleepMs } = filled('spawnChild') as JsonObject;
        const program = `process.on('SIGTERM', () => {}); setTimeout(() => {}, ${Number(sleepMs)});`;
        spawn(process.execPath, ['-e', program], { stdio: 'ignore' });
        return undefined;
      }
      default:
        return undefined;
    }
  }

  /** Only a call that sent a token hears of progress (MCP specification, "Progress"). */
  async #sendProgress(
    value: JsonValue,
    { params }: Context,
    wire: JsonObject | undefined,
  ): Promise<void> {
    const { progressToken } = (params['_meta'] ?? {}) as JsonObject;
    if (progressToken === undefined) return;
    this.#progress += 1;
    const more = typeof value === 'object' && value !== null ? (value as JsonObject) : {};
    await this.#wire.send(
      {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: this.#progress, ...more },
      },
      wire,
    );
  }

  #ask(question: JsonObject, wire: JsonObject | undefined): Promise<void> {
    const { id = null, method = null } = question;
    note(this.#files.journal, { event: 'ask', id, method });
    return this.#wire.send({ jsonrpc: '2.0', ...question }, wire);
  }

  #answer(id: JsonValue | undefined, answer: Answer, wire?: JsonObject): Promise<void> {
    return this.#wire.send(
      { jsonrpc: '2.0', id: wire?.['idAs'] === 'string' ? asText(id) : (id ?? null), ...answer },
      wire,
    );
  }

  async #leave(code: number): Promise<void> {
    await this.#wire.flush();
    process.exit(code);
  }

  #values({ id, method, params, n }: Context): Placeholders {
    const usual = (): Answer => defaultAnswer(method ?? '', params);
    return {
      ID: () => id ?? null,
      N: () => String(n),
      TMP: () => this.#files.folder,
      DEFAULT: () => {
        const answer = usual();
        return 'result' in answer ? answer.result : answer.error;
      },
      RPC_RESULT: () => JSON.stringify({ jsonrpc: '2.0', id: id ?? null, ...usual() }),
    };
  }
}

function answerOf(step: JsonObject, filled: (name: string) => JsonValue): Answer {
  return 'error' in step ? { error: filled('error') as JsonObject } : { result: filled('result') };
}
