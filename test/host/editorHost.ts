import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { withFolderLock } from './folderLock.ts';
import { inRepository, pinnedNode } from './repository.ts';
import { restoreProposedApiChecks } from './restoreProposedApiCheck.ts';
import { runProgram } from './runProgram.ts';

export interface EditorHost {
  /** The folder everything is installed in. */
  readonly folder: string;
  /** The script to run with `node`. */
  readonly entry: string;
  /** The Node that runs it. */
  readonly node: string;
  readonly version: string;
}

const npmTimeoutMs = 5 * 60_000;
const lockTimeoutMs = 8 * 60_000;
const pins = inRepository('test', 'host', 'editor');

/** Our replacements for native modules, and the module file of the editor each takes the place of. */
const standIns = [
  { file: 'spdlog.cjs', replaces: '@vscode/spdlog/index.js' },
  { file: 'sqlite3.cjs', replaces: '@vscode/sqlite3/lib/sqlite3.js' },
] as const;

/**
 * Makes sure the pinned editor (code-server: the VS Code server, web workbench and built-in Copilot) is installed in a
 * cache folder outside the repository, and returns where. The first time takes about half a minute and says so through `say`.
 *
 * The folder is `$MCP_BRIDGE_CACHE`, else `$XDG_CACHE_HOME/mcp-bridge`, else `~/.cache/mcp-bridge`. It appears complete or not at all; two
 * runs at once wait for each other.
 */
export async function prepareEditorHost(
  say: (line: string) => void = console.log,
): Promise<EditorHost> {
  const lock = await readFile(join(pins, 'package-lock.json'), 'utf8');
  const recipe = await Promise.all(
    [
      import.meta.filename,
      inRepository('test', 'host', 'restoreProposedApiCheck.ts'),
      ...standIns.map(({ file }) => join(pins, file)),
    ].map((file) => readFile(file, 'utf8')),
  );
  const version = pinnedVersion(lock);
  const platform = `${process.platform}-${process.arch}`;
  const id = createHash('sha256')
    .update([platform, lock, ...recipe].join('\n'))
    .digest('hex')
    .slice(0, 10);
  const cache = cacheFolder();
  const folder = join(cache, `editor-${version}-${id}`);
  const host: EditorHost = {
    folder,
    entry: join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js'),
    node: pinnedNode,
    version,
  };
  if (existsSync(host.entry)) return host;
  await mkdir(cache, { recursive: true });
  await withFolderLock(`${folder}.lock`, lockTimeoutMs, async () => {
    if (existsSync(host.entry)) return;
    say(`Installing the test editor (code-server ${version}) into ${folder} …`);
    const started = Date.now();
    await removeLeftovers(cache, `editor-${version}-${id}.building-`);
    const building = `${folder}.building-${process.pid}`;
    try {
      await build(building);
      await rename(building, folder);
    } finally {
      await rm(building, { recursive: true, force: true });
    }
    say(`Test editor installed in ${Math.round((Date.now() - started) / 1000)} s.`);
  });
  return host;
}

/** Where editors are kept between runs: `$MCP_BRIDGE_CACHE`, else a folder in the user's cache. */
export function cacheFolder(): string {
  const own = process.env['MCP_BRIDGE_CACHE'];
  if (own) return own;
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'mcp-bridge');
}

function pinnedVersion(lock: string): string {
  const { packages } = JSON.parse(lock) as { packages?: Record<string, { version?: string }> };
  const version = packages?.['node_modules/code-server']?.version;
  if (version === undefined) throw new Error(`${pins}/package-lock.json does not pin code-server.`);
  return version;
}

async function removeLeftovers(cache: string, prefix: string): Promise<void> {
  for (const name of await readdir(cache)) {
    if (name.startsWith(prefix)) await rm(join(cache, name), { recursive: true, force: true });
  }
}

/**
 * The editor's own post-install compiles native modules. That takes a compiler and longer than everything else, so no script of any package
 * runs: the modules tests need get stand-ins, the others are optional to the editor.
 */
async function build(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(pins, file), join(folder, file));
  await npm('ci', folder);
  const vscode = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  // All of them end before this returns, so that cleaning up never races one that still writes.
  const steps = await Promise.allSettled([
    // Not "ci": the shrink-wrap the editor ships leaves a few optional packages out.
    npm('install', vscode),
    npm('install', join(vscode, 'extensions')),
    restoreProposedApiChecks(vscode),
  ]);
  for (const step of steps) if (step.status === 'rejected') throw step.reason;
  for (const { file, replaces } of standIns) {
    await copyFile(join(pins, file), join(vscode, 'node_modules', replaces));
  }
}

async function npm(command: 'ci' | 'install', cwd: string): Promise<void> {
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const path = [dirname(pinnedNode), process.env['PATH'] ?? ''].join(delimiter);
  await runProgram('npm', [command, ...flags], {
    cwd,
    env: { ...process.env, PATH: path },
    timeoutMs: npmTimeoutMs,
  });
}
