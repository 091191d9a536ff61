import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { isJsonObject, type JsonObject, type JsonValue } from '../src/base/json.ts';
import { toolManifest } from '../src/core/manifests/toolManifest.ts';
import { entrySchema } from '../src/core/settings/entrySchema.ts';
import { metaToolNames } from '../src/core/tools/reservedNames.ts';
import { buildCatalog } from '../src/core/tools/toolCatalog.ts';
import * as ids from '../src/editor/contributionIds.ts';
import { serverOf } from './support/builders.ts';
import { root, sourceFiles, target, type Import, type SourceFile } from './support/sources.ts';

const packageJson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as JsonObject;
const files = sourceFiles();

/** The value at a path of keys; `undefined` if there is none. */
function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  return isJsonObject(value) ? at(value[key], ...rest) : undefined;
}

function listAt(...path: readonly string[]): JsonObject[] {
  const list = at(packageJson, ...path);
  assert.ok(Array.isArray(list) && list.length > 0, path.join('.'));
  return list.filter(isJsonObject);
}

const sorted = (values: Iterable<unknown>): string[] => [...values].map(String).toSorted();

test('commands, view, setting and tools of package.json are those of the code', () => {
  const setting = `${ids.configurationSection}.${ids.serversSetting}`;
  const inputs = `${ids.configurationSection}.${ids.inputsSetting}`;
  const budget = `${ids.configurationSection}.${ids.toolBudgetSetting}`;
  const hosts = `${ids.configurationSection}.${ids.hostsSetting}`;
  assert.deepEqual(
    {
      commands: sorted(listAt('contributes', 'commands').map(({ command }) => command)),
      views: listAt('contributes', 'views', 'mcpBridge').map(({ id }) => id),
      tools: sorted(listAt('contributes', 'languageModelTools').map(({ name }) => name)),
      settings: Object.keys(at(packageJson, 'contributes', 'configuration', 'properties') ?? {}),
      restricted: at(
        packageJson,
        'capabilities',
        'untrustedWorkspaces',
        'restrictedConfigurations',
      ),
    },
    {
      commands: sorted(Object.values(ids.commandIds)),
      views: [ids.viewId, ids.activityViewId],
      tools: sorted(Object.values(ids.metaToolIds)),
      settings: [
        ...[setting, inputs, budget],
        ...Object.values(ids.auditSettings).map((name) => `${ids.configurationSection}.${name}`),
        hosts,
      ],
      restricted: [setting, inputs],
    },
  );
  assert.deepEqual(sorted(metaToolNames), sorted(Object.values(ids.metaToolIds)));
});

test('menus and the welcome text name only commands, views and keys that exist', () => {
  const menus = at(packageJson, 'contributes', 'menus');
  const text = JSON.stringify([menus, at(packageJson, 'contributes', 'viewsWelcome')]);
  const named = new Set(text.match(/\bmcpBridge\.\w+/g));
  const known = new Set<string>([
    ...Object.values(ids.commandIds),
    ids.viewId,
    ids.isEmptyContextKey,
    ids.activityViewId,
    ids.isFilteredContextKey,
  ]);
  assert.ok(named.size > 5);
  assert.deepEqual(
    [...named].filter((name) => !known.has(name)),
    [],
  );
});

test('the schema of an entry in package.json has the keys the code reads', () => {
  const entry = ['contributes', 'configuration', 'properties', 'mcpBridge.servers'] as const;
  const properties = at(packageJson, ...entry, 'additionalProperties', 'properties');
  const keysOf = (value: object | undefined): string[] => sorted(Object.keys(value ?? {}));
  assert.ok(isJsonObject(properties));
  const timeouts = at(properties, 'timeouts', 'properties');
  assert.ok(isJsonObject(timeouts));
  assert.deepEqual(
    [keysOf(properties), keysOf(timeouts)],
    [keysOf(entrySchema.shape), keysOf(entrySchema.shape.timeouts.unwrap().shape)],
  );
});

test('a generated manifest asks for the same editor as we do', () => {
  const [server] = buildCatalog([serverOf('s', ['a'])]).servers;
  assert.ok(server !== undefined);
  assert.deepEqual(toolManifest(server, 'w')?.packageJson['engines'], packageJson['engines']);
});

test('no file is long', (context) => {
  const lengths = files
    .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
    .toSorted((left, right) => left.lines - right.lines);
  assert.ok(lengths.length > 50);
  assert.deepEqual(
    lengths.filter(({ lines }) => lines >= 300),
    [],
  );
  const median = lengths[Math.floor(lengths.length / 2)]?.lines ?? 0;
  context.diagnostic(
    `${lengths.length} files, median ${median} lines, longest ${lengths.at(-1)?.lines}`,
  );
  assert.ok(median <= 90);
});

test('files speak for themselves: no default exports, no barrels, no drawers', () => {
  const isBarrel = ({ text }: SourceFile): boolean =>
    !/^(import|const|let|function|async|class|type|interface|export (?!(type )?[{*]))/m.test(text);
  const drawer = /^(utils?|helpers?|common|misc|shared|types|index)\.ts$/i;
  assert.deepEqual(
    files.filter(
      (file) =>
        /\bexport default\b|\bas default\b/.test(file.text) ||
        isBarrel(file) ||
        drawer.test(basename(file.path)),
    ),
    [],
  );
});

interface Layer {
  readonly folder: string;
  /** Folders of ours it may import. */
  readonly folders: readonly string[];
  /** Packages it may import. */
  readonly packages: RegExp;
}

const layers: readonly Layer[] = [
  { folder: 'src/base/', folders: ['src/base/'], packages: /^$/ },
  {
    folder: 'src/core/',
    folders: ['src/base/', 'src/core/'],
    packages: /^(?!node:|vscode$|cross-spawn|@modelcontextprotocol\/)/,
  },
  {
    folder: 'src/mcp/',
    folders: ['src/base/', 'src/core/', 'src/mcp/'],
    packages: /^(?!vscode$)/,
  },
  {
    folder: 'src/editor/',
    folders: ['src/base/', 'src/core/', 'src/editor/', 'src/api.ts'],
    packages: /^(?!node:|cross-spawn|@modelcontextprotocol\/)/,
  },
  {
    folder: 'src/storage/',
    folders: ['src/base/', 'src/core/', 'src/storage/'],
    packages: /^node:/,
  },
  { folder: 'src/webview/', folders: ['src/base/', 'src/core/', 'src/webview/'], packages: /^$/ },
  { folder: 'src/sample/', folders: [], packages: /^(@modelcontextprotocol\/server|zod)/ },
];

test('every layer imports only what lies below it', () => {
  const wrong: string[] = [];
  for (const { folder, folders, packages } of layers) {
    let seen = 0;
    for (const file of files.filter(({ path }) => path.startsWith(folder))) {
      for (const one of file.imports) {
        seen += 1;
        const path = target(file, one);
        const isFine =
          path === undefined
            ? packages.test(one.specifier)
            : folders.some((allowed) => path.startsWith(allowed));
        if (!isFine) wrong.push(`${file.path} imports ${one.specifier}`);
      }
    }
    assert.ok(seen > 0, `no import seen in ${folder}`);
  }
  assert.deepEqual(wrong, []);
});

test('every import of ours leads to a file, and only four files start processes', () => {
  const paths = new Set(files.map(({ path }) => path));
  const everything = files.flatMap((file) => file.imports.map((one) => ({ file, one })));
  const lost = everything.filter(({ file, one }) => {
    const path = target(file, one);
    return path !== undefined && !paths.has(path);
  });
  const starts = /^(node:child_process|child_process|cross-spawn|node:worker_threads)$/;
  const starters = everything.filter(
    ({ one }) => starts.test(one.specifier) && one.kind !== 'type',
  );
  assert.ok(everything.length > 200);
  assert.deepEqual(
    [lost, sorted(new Set(starters.map(({ file }) => file.path)))],
    [
      [],
      [
        'src/mcp/loginShell.ts',
        'src/mcp/processGuard.ts',
        'src/mcp/processSignals.ts',
        'src/mcp/serverProcess.ts',
      ],
    ],
  );
});

/** Packages and files that are loaded when `entry` is, and those that are loaded later. */
function loadedWith(entry: string): { now: Set<string>; later: Set<string> } {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const now = new Set<string>([entry]);
  const later = new Set<string>();
  // A set gives what is added while it is walked.
  for (const path of now) {
    const file = byPath.get(path);
    const nameOf = (one: Import): string => (file && target(file, one)) ?? one.specifier;
    for (const one of file?.imports ?? []) {
      if (one.kind === 'static') now.add(nameOf(one));
      if (one.kind === 'dynamic') later.add(nameOf(one));
    }
  }
  return { now, later };
}

const heavy = /^(@modelcontextprotocol\/|zod|ajv|minisearch|cross-spawn|re2js)|^src\/mcp\//;

test('activation without a server loads no SDK and no validator', () => {
  const { now, later } = loadedWith('src/extension.ts');
  assert.ok(now.size > 20);
  assert.deepEqual(
    [...now].filter((name) => heavy.test(name)),
    [],
  );
  const afterwards = [...later].flatMap((entry) => [...loadedWith(entry).now]);
  const deferred = [...later].flatMap((entry) => [...loadedWith(entry).later]);
  const reached = new Set([
    ...afterwards,
    ...deferred.flatMap((entry) => [...loadedWith(entry).now]),
  ]);
  for (const name of [
    '@modelcontextprotocol/client',
    'zod',
    'ajv/dist/2020.js',
    're2js',
    'src/mcp/session.ts',
  ]) {
    assert.ok(reached.has(name), `${name} is loaded later`);
  }
});

test('the supervisor loads the SDK only with the first session', () => {
  const { now, later } = loadedWith('src/mcp/serverSupervisor.ts');
  assert.deepEqual(
    [...now].filter((name) => name.startsWith('@modelcontextprotocol/')),
    [],
  );
  assert.ok(later.has('src/mcp/openSession.ts'));
});

const proposals =
  /registerToolDefinition|chatParticipantPrivate|languageModelToolSets|enabledApiProposals|registerLanguageModelProxy|approveCombination|chatSessionsProvider/g;
const testCode = /node:test|test\/servers|MCP_BRIDGE_TEST_MARK|assert\/strict|sourceMappingURL/g;

/** The bundle that is shipped, built from this repository into a folder of its own. */
function productionBundle(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-bridge-bundle-'));
  try {
    for (const name of ['src', 'node_modules', 'package.json', 'tsconfig.json']) {
      symlinkSync(join(root, name), join(folder, name));
    }
    execFileSync(process.execPath, [join(root, 'esbuild.mjs'), '--production'], {
      cwd: folder,
      stdio: 'pipe',
    });
    return readFileSync(join(folder, 'dist/extension.cjs'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the bundle names no proposed API and holds no code of tests', () => {
  const bundle = productionBundle();
  assert.ok(bundle.length > 200_000 && bundle.includes('registerTool'));
  assert.deepEqual(
    {
      proposals: bundle.match(proposals),
      tests: bundle.match(testCode),
      manifest: JSON.stringify(packageJson).match(proposals),
    },
    { proposals: null, tests: null, manifest: null },
  );
});
