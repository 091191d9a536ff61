import assert from 'node:assert/strict';
import type { ServerLaunch } from '../../src/core/settings/serverConfiguration.ts';
import type { ToolCallOutcome } from '../../src/core/tools/toolCall.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';
import { withTimeout } from '../../src/base/async.ts';

/** Milliseconds one fault may take in all. */
const patience = 60_000;

/** Something that goes wrong with a server, and what the bridge must make of it. */
export interface Fault {
  /** Of the reliability table: `R01`, `R02`, … */
  readonly id: string;
  readonly injected: string;
  /** What `inject` checks. */
  readonly right: string;
  /** Takes more than about 3 s. */
  readonly isSlow?: true;
  /** Injects it, fails unless the right thing happens, and gives the milliseconds it took to be noticed or to recover. */
  inject(rig: Rig): Promise<number>;
}

type Members = NonNullable<Parameters<typeof wantedOf>[2]>;

/** The bridge's own supervisor, and the processes it starts. */
export class Rig {
  readonly mark = new ProcessMark();
  readonly all: TestSupervisor;

  constructor(all: TestSupervisor) {
    this.all = all;
  }

  /** One of the programs in `test/servers`. */
  launch(program: string, ...args: readonly string[]): ServerLaunch {
    return launchOf(program, this.mark, ...args);
  }

  /** Configures these servers, and no others. */
  configure(servers: Readonly<Record<string, ServerLaunch>>, members: Members = {}): void {
    this.all.host.update(
      Object.entries(servers).map(([key, launch]) => wantedOf(key, launch, members)),
    );
  }

  /** Configures one server under the name `s` and waits until it is ready; gives its process id. */
  async run(launch: ServerLaunch, members: Members = {}): Promise<number> {
    this.configure({ s: launch }, members);
    await this.all.ready('s');
    return this.all.pid('s') ?? -1;
  }

  /** Calls a tool of the server `s`. */
  call(tool: string, args: object = {}): Promise<ToolCallOutcome> {
    return this.all.call('s', tool, args);
  }

  /** The server `s` is in use: a call gives what it should. */
  async assertUsable(tool = 'echo', args: object = { still: 'there' }): Promise<void> {
    assert.equal(textOf(await this.call(tool, args)), JSON.stringify(args));
  }
}

/** Injects one fault and checks that no process is left behind. Gives the milliseconds; rejects with what is wrong. */
export async function runFault(fault: Fault): Promise<number> {
  await using all = new TestSupervisor();
  const rig = new Rig(all);
  const milliseconds = await withTimeout(fault.inject(rig), patience);
  await all.host.stopAll();
  await rig.mark.assertGone();
  return milliseconds;
}

/** The milliseconds an action takes, and what it gives. */
export async function timed<T>(action: () => Promise<T>): Promise<[milliseconds: number, T]> {
  const startedAt = performance.now();
  const value = await action();
  return [performance.now() - startedAt, value];
}

export function textOf(outcome: ToolCallOutcome): string {
  assert.ok(outcome.kind === 'result', outcome.kind === 'failure' ? outcome.message : '');
  return outcome.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');
}

/** The outcome is a failure of this code whose words fit. */
export function assertFailure(outcome: ToolCallOutcome, code: string, words: RegExp): void {
  assert.ok(outcome.kind === 'failure', 'the call was answered');
  assert.equal(outcome.code, code, outcome.message);
  assert.match(outcome.message, words);
}

/** Times of a call in seconds, for servers that do not answer. */
export const impatient = { timeouts: { connect: 10, call: 1, total: 5 } };
