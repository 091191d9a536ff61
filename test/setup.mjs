// The entry of `npm start` and `npm test`. Plain JavaScript without dependencies, because it runs before there are any: it installs the
// locked dependencies when they are missing or stale, then hands over to the pinned Node, which runs TypeScript directly.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const windows = process.platform === 'win32';
const installTimeoutMs = 10 * 60_000;

/** The packages of a lock file as comparable text; npm writes the same facts into node_modules/.package-lock.json. */
function lockedVersions(file) {
  const { packages = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return new Map(
    Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, entry]) => [
        path,
        { version: entry.version, optional: entry.optional === true || entry.devOptional === true },
      ]),
  );
}

/** Says why node_modules does not match package-lock.json, or undefined when it does. */
function staleness() {
  const wantedFile = join(root, 'package-lock.json');
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(wantedFile)) throw new Error(`${wantedFile} is missing: restore it with git.`);
  if (!existsSync(installedFile) || !existsSync(pinnedNode())) return 'not installed yet';
  const wanted = lockedVersions(wantedFile);
  const installed = lockedVersions(installedFile);
  for (const [path, { version, optional }] of wanted) {
    const found = installed.get(path);
    if (found === undefined && optional) continue;
    if (found?.version !== version) return `${path} should be ${version}`;
  }
  for (const path of installed.keys()) if (!wanted.has(path)) return `${path} is no longer wanted`;
  return undefined;
}

function pinnedNode() {
  return join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node');
}

function install(reason) {
  console.log(`Installing dependencies with npm ci (${reason}) …`);
  const started = Date.now();
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: windows,
    timeout: installTimeoutMs,
  });
  if (error) throw new Error(`npm ci could not run: ${error.message}. Is npm on the PATH?`);
  if (status !== 0) throw new Error(`npm ci failed with exit code ${status}; its output is above.`);
  if (!existsSync(pinnedNode()) || !statSync(pinnedNode()).isFile()) {
    throw new Error(
      'npm ci ran, but the pinned Node is missing: were install scripts disabled (ignore-scripts)?',
    );
  }
  console.log(`Dependencies installed in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** Runs the script with the pinned Node, passes signals on, and exits as it exits. */
function handOver(script, args) {
  const bin = join(root, 'node_modules', '.bin');
  const child = spawn(pinnedNode(), [script, ...args], {
    cwd: process.cwd(),
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${windows ? ';' : ':'}${process.env.PATH ?? ''}` },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // Ctrl+C reaches the child through the terminal already; a second copy would look like a second press.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`Cannot start ${pinnedNode()}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal] ?? 0));
  });
}

const [script, ...args] = process.argv.slice(2);
try {
  if (script === undefined) throw new Error('usage: node test/setup.mjs <script> [arguments]');
  const reason = staleness();
  if (reason !== undefined) install(reason);
  handOver(script, args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
