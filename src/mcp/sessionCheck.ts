import { setTimeout as delay } from 'node:timers/promises';
import { ProtocolError, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Disposable } from '../base/disposable.ts';
import { BridgeError } from '../core/failures.ts';
import type { RunningCalls } from './callClock.ts';
import { httpFailure, httpStatus } from './httpFailure.ts';
import { isTimeout } from './sessionClient.ts';
import { unansweredCode } from './unanswered.ts';

/** Milliseconds a server has to answer. */
const patience = 5000;
/** Milliseconds until it is asked a second time: what a network needs to come back after a short break. */
const secondTry = 3000;
/** Said of a session whose server does not know it any more. */
export const forgotten = 'the server has forgotten it';
/** HTTP statuses of a gateway whose server is not there. */
const gatewayFailures = new Set([502, 503, 504]);

interface CheckPorts {
  readonly client: Client;
  readonly calls: RunningCalls;
  /** Whether an error means that the server has forgotten the session. */
  readonly isLost: (error: unknown) => boolean;
}

/** Asks a remote server whether it is still there, with the cheapest request of its protocol. One check runs at a time. */
export class SessionCheck implements Disposable {
  readonly #ports: CheckPorts;
  readonly #abort = new AbortController();
  #running: Promise<string | undefined> | undefined;

  constructor(ports: CheckPorts) {
    this.#ports = ports;
  }

  /** Why the session is of no use any more, in words; `undefined` when it is, or when it ended meanwhile. Never rejects. */
  run(): Promise<string | undefined> {
    this.#running ??= this.#askTwice().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  dispose(): void {
    this.#abort.abort();
  }

  async #askTwice(): Promise<string | undefined> {
    const { signal } = this.#abort;
    const first = await this.#ask();
    if (first === undefined || first === forgotten) return first;
    await delay(secondTry, undefined, { signal, ref: false }).catch(() => undefined);
    return signal.aborted ? undefined : this.#ask();
  }

  async #ask(): Promise<string | undefined> {
    const { client } = this.#ports;
    const { signal } = this.#abort;
    const method = client.getProtocolEra() === 'modern' ? 'server/discover' : 'ping';
    try {
      await client.request({ method }, z.unknown(), { timeout: patience, signal });
      return undefined;
    } catch (error: unknown) {
      return signal.aborted ? undefined : this.#reason(error);
    }
  }

  /** Any answer shows that the server is there, also one that says no. */
  #reason(error: unknown): string | undefined {
    if (this.#ports.isLost(error)) return forgotten;
    if (error instanceof BridgeError && error.code === 'addressRefused') return error.summary;
    if (error instanceof ProtocolError) {
      return error.code === unansweredCode ? error.message : undefined;
    }
    // A server that does one thing at a time answers when its calls are done.
    if (isTimeout(error)) return this.#ports.calls.isEmpty ? 'it does not answer' : undefined;
    const status = httpStatus(error);
    if (status !== undefined && !gatewayFailures.has(status)) return undefined;
    return httpFailure(error, '')?.summary;
  }
}
