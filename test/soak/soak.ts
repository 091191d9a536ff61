import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type {
  ServerConfiguration,
  ServerLaunch,
} from '../../src/core/settings/serverConfiguration.ts';
import { defaultLimits } from '../../src/core/settings/limits.ts';
import { executionsVariable, type SoakTool } from '../servers/soakTools.ts';
import { launchOf } from '../support/launches.ts';
import { ProcessMark } from '../support/processes.ts';
import { Random } from '../support/random.ts';
import { root } from '../support/sources.ts';
import { TestSupervisor, wantedOf } from '../support/supervisors.ts';
import { Calls } from './calls.ts';

/** Of all servers, the share that is local. */
const localShare = 0.6;
const timeouts = { connect: 30, call: 5, total: 30 };

interface SoakServer {
  readonly key: string;
  launch: ServerLaunch;
  members: Partial<ServerConfiguration>;
  isConfigured: boolean;
}

/** Many servers that are called, restarted, killed and configured anew for as long as it runs. */
export class Soak {
  readonly mark = new ProcessMark();
  /** By kind of disturbance. */
  readonly disturbances = new Map<string, number>();
  readonly calls: Calls;
  readonly #all = new TestSupervisor();
  readonly #random: Random;
  readonly #env: Readonly<Record<string, string>>;
  #servers: SoakServer[] = [];
  #remote: Awaited<ReturnType<typeof startRemote>> | undefined;
  #isEnding = false;
  #edits = 0;
  #tasks: Promise<void>[] = [];

  constructor(seed: number) {
    this.#random = new Random(seed);
    const file = join(tmpdir(), `mcp-bridge-soak-${process.pid}`);
    this.calls = new Calls(this.#all.host, file);
    this.#env = { ...this.mark.env, [executionsVariable]: file };
  }

  /** Starts so many servers and the calls of them. Resolves when all servers are ready. */
  async start(count: number): Promise<void> {
    const local = Math.round(count * localShare);
    this.#remote = await startRemote(count - local, this.#env);
    const locals = Array.from({ length: local }, (_, number): ServerLaunch => {
      const launch = launchOf(number % 2 === 0 ? 'soakV1' : 'soakV2', this.mark);
      return { ...launch, env: { ...launch.env, ...this.#env } };
    });
    const remotes = this.#remote.urls.map((url): ServerLaunch => ({
      type: 'http',
      url,
      headers: {},
    }));
    this.#servers = [...locals, ...remotes].map((launch, number) => ({
      ...{ key: `server${number}`, launch, members: { timeouts }, isConfigured: true },
    }));
    this.#configure();
    // They share few cores, so they are not ready at once.
    for (const { key } of this.#servers) await this.#all.ready(key);
    const callers = Math.ceil(count / 5);
    this.#tasks = [
      ...Array.from({ length: callers }, () => this.#repeat(100, () => this.#call())),
      ...Array.from({ length: 2 }, () => this.#repeat(3000, () => this.#disturb())),
    ];
  }

  /** What the log holds is not kept: it would be taken for a leak. */
  forgetLog(): void {
    this.#all.log.lines.length = 0;
  }

  /** Ends the calls, then everything; this takes a while and is bounded by the time limits of calls. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all(this.#tasks);
    await this.#all.host.stopAll();
    this.#all.host.dispose();
    await this.#remote?.end();
  }

  async #repeat(most: number, action: () => Promise<void>): Promise<void> {
    while (!this.#isEnding && !this.calls.isFull) {
      await action();
      await pause(this.#random.below(most));
    }
  }

  async #call(): Promise<void> {
    const { key } = this.#pick();
    const tool = this.#random.pick<SoakTool | 'cancel'>([
      ...(['echo', 'echo', 'echo', 'echo', 'fail', 'large'] as const),
      ...(['progress', 'progress', 'change', 'cancel', 'cancel'] as const),
      // These take longest, so there are few.
      ...(this.#random.below(4) === 0 ? (['hang'] as const) : []),
    ]);
    if (tool !== 'cancel') return this.calls.make(key, tool);
    const what = this.#random.pick<SoakTool>(['hang', 'progress', 'large']);
    return this.calls.make(key, what, this.#random.below(400));
  }

  async #disturb(): Promise<void> {
    const server = this.#pick();
    const id = `user/${server.key}`;
    const { host } = this.#all;
    const kinds: Readonly<Record<string, () => unknown>> = {
      restart: () => host.restart(id),
      'restart twice': () => Promise.all([host.restart(id), host.restart(id)]),
      'stop and start': () => host.stop(id).then(() => host.start(id)),
      refresh: () => host.refresh(id),
      kill: () => this.#kill(server),
      'kill ': () => this.#kill(server),
      'sessions forgotten': () => this.#remote?.forget(),
      'launch edited': () => this.#edit(server, { launch: edited(server.launch, ++this.#edits) }),
      'limits edited': () => {
        const limits = { ...defaultLimits, tools: 1000 + (++this.#edits % 100) };
        this.#edit(server, { members: { ...server.members, limits } });
      },
      'switched off or on': () => {
        const { enabled = true } = server.members;
        this.#edit(server, { members: { ...server.members, enabled: !enabled } });
      },
      'removed or added': () => this.#edit(server, { isConfigured: !server.isConfigured }),
    };
    const kind = this.#random.pick(Object.keys(kinds) as [string, ...string[]]);
    await kinds[kind]?.();
    const name = kind.trim();
    this.disturbances.set(name, (this.disturbances.get(name) ?? 0) + 1);
  }

  #pick(): SoakServer {
    return this.#random.pick(this.#servers as [SoakServer, ...SoakServer[]]);
  }

  #kill({ key }: SoakServer): void {
    const pid = this.#all.pid(key);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
  }

  #edit(server: SoakServer, change: Partial<SoakServer>): void {
    Object.assign(server, change);
    this.#configure();
    // Most servers should be there most of the time.
    for (const other of this.#servers) {
      if (other === server || this.#random.below(8) > 0) continue;
      Object.assign(other, { isConfigured: true, members: { ...other.members, enabled: true } });
    }
  }

  #configure(): void {
    const wanted = this.#servers.filter(({ isConfigured }) => isConfigured);
    this.#all.host.update(wanted.map(({ key, launch, members }) => wantedOf(key, launch, members)));
  }
}

/** Another launch of the same server. */
function edited(launch: ServerLaunch, edit: number): ServerLaunch {
  return launch.type === 'stdio'
    ? { ...launch, env: { ...launch.env, EDIT: String(edit) } }
    : { ...launch, headers: { 'x-edit': String(edit) } };
}

/** Starts the remote servers, in a process of their own: what they hold is not ours. */
async function startRemote(count: number, env: Readonly<Record<string, string>>) {
  const program = join(root, 'test/servers/soakRemote.ts');
  const child = spawn(process.execPath, [program, String(count)], {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [line] = (await once(lines, 'line')) as [string];
  return {
    urls: JSON.parse(line) as string[],
    forget: () => void child.stdin.write('\n'),
    end: async () => {
      const gone = once(child, 'close');
      child.stdin.end();
      await gone;
    },
  };
}
