import { abortOf } from '../base/async.ts';
import type { WantedServer } from '../core/servers/serverHost.ts';
import type { Input } from '../core/settings/inputs.ts';
import type { ConfigurationOrigin } from '../core/settings/serverConfiguration.ts';
import type { GivenValues } from './givenValues.ts';
import { launchRefusal } from './launchGate.ts';

type FindInput = (id: string, origin: ConfigurationOrigin) => Input | undefined;

/** How long a start or a call waits for the person's answers, in milliseconds. */
const answerMs = 5 * 60 * 1000;

/** Asks for the values that servers wait for, when they are to start; never by itself. */
export class ValueRequests {
  readonly #values: GivenValues;
  readonly #reload: () => Promise<void>;
  #wanted: ReadonlyMap<string, WantedServer> = new Map();
  #findInput: FindInput = () => undefined;
  readonly #asked = new Map<string, Promise<void>>();
  /** Servers for which the person gave no answer: calls do not ask again, only a start by hand does. */
  readonly #declined = new Set<string>();

  constructor(values: GivenValues, reload: () => Promise<void>) {
    this.#values = values;
    this.#reload = reload;
  }

  update(wanted: readonly WantedServer[], findInput: FindInput): void {
    this.#wanted = new Map(wanted.map((server) => [server.id, server]));
    this.#findInput = findInput;
  }

  /** Asks for what the server waits for, if anything, and takes it over. Without a `signal` a person wants it to start. */
  async prepare(id: string, signal?: AbortSignal): Promise<void> {
    const server = this.#wanted.get(id);
    if (server === undefined || 'launch' in server.resolved) return;
    if ((server.resolved.waitsFor?.length ?? 0) === 0) return;
    if (launchRefusal(server.configuration) !== undefined) return;
    const isCall = signal !== undefined;
    if (isCall && (this.#declined.has(id) || server.configuration.start === 'manual')) return;
    const asked = this.#asked.get(id) ?? this.#ask(server).finally(() => this.#asked.delete(id));
    this.#asked.set(id, asked);
    await (signal === undefined ? asked : Promise.race([asked, abortOf(signal)]));
  }

  async #ask({ id, configuration, resolved }: WantedServer): Promise<void> {
    const variables = ('problems' in resolved && resolved.waitsFor) || [];
    const find = (name: string): Input | undefined => this.#findInput(name, configuration.origin);
    const signal = AbortSignal.timeout(answerMs);
    if (!(await this.#values.ask(configuration, variables, find, signal))) {
      this.#declined.add(id);
      return;
    }
    this.#declined.delete(id);
    await this.#reload();
  }
}
