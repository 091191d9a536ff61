import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { homedir, userInfo } from 'node:os';
import process from 'node:process';
import { inheritedEnvironment } from './environment.ts';
import { guardGroup, prepareGuard, releaseGroup } from './processGuard.ts';
import { signalGroup } from './processSignals.ts';

/** Milliseconds to end by itself once it has told. */
const endGrace = 300;
/** Characters of its output, banners and all. */
const maxOutput = 262_144;
const maxPath = 32_768;

/** The login shell of the user, asked at most once: its start may be slow and have effects. */
export class LoginShell {
  readonly #host: NodeJS.ProcessEnv;
  readonly #patience: number;
  #asked: Promise<string | undefined> | undefined;

  /** `patience`: milliseconds the files it reads at its start may take. */
  constructor(host: NodeJS.ProcessEnv = process.env, patience = 5000) {
    this.#host = host;
    this.#patience = patience;
  }

  /**
   * The `PATH` a terminal would have; `undefined` when there is no such shell or it does not tell in time. An editor
   * that was started from the desktop has a poorer one. Never rejects.
   */
  path(): Promise<string | undefined> {
    this.#asked ??= askPath(this.#host, this.#patience).catch(() => undefined);
    return this.#asked;
  }
}

async function askPath(host: NodeJS.ProcessEnv, patience: number): Promise<string | undefined> {
  const shell = host['SHELL'] || userInfo().shell;
  if (process.platform === 'win32' || !shell?.startsWith('/')) return undefined;
  // Whatever else the shell prints, and however its language writes a list, this is between the marks.
  const mark = `mcp-bridge-${randomUUID()}`;
  const script = `/bin/sh -c 'printf "%s%s%s" ${mark} "$PATH" ${mark}'`;
  prepareGuard();
  const child = spawn(shell, ['-l', '-i', '-c', script], {
    cwd: homedir(),
    // The variable is the one by which start files tell that the editor only wants to know the environment.
    env: { ...inheritedEnvironment(host), TERM: 'dumb', VSCODE_RESOLVING_ENVIRONMENT: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    // Without a terminal: an interactive shell would otherwise stop to get hold of the one of the editor.
    detached: true,
  });
  guardGroup(child);
  const output = await new Promise<string>((resolve) => {
    let text = '';
    const timer = setTimeout(() => resolve(''), patience);
    const done = (): void => {
      clearTimeout(timer);
      resolve(text);
    };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.length > maxOutput || text.split(mark).length > 2) done();
    });
    child.once('error', done);
    // A program that the shell has started may hold the pipe open.
    child.once('close', done).once('exit', () => setTimeout(done, 100));
  });
  child.stdout.destroy();
  void endSoon(child, output === '' ? 0 : endGrace);
  const [, path = '', end] = output.split(mark);
  const isWhole = end !== undefined && path.length <= maxPath && !/[\r\n\0]/.test(path);
  return isWhole && path.includes('/') ? path : undefined;
}

/** Ends what is left of it. */
async function endSoon(child: ReturnType<typeof spawn>, grace: number): Promise<void> {
  await new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) resolve();
    child.once('exit', () => resolve());
    setTimeout(resolve, grace);
  });
  signalGroup(child, 'SIGKILL');
  releaseGroup(child);
}
