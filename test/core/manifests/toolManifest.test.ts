import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import {
  manifestId,
  manifestOwner,
  manifestPublisher,
  readInstalledManifest,
  toolContextKey,
  toolManifest,
  userOwner,
  workspaceOwner,
  type ToolManifest,
} from '../../../src/core/manifests/toolManifest.ts';
import { vsixPackage } from '../../../src/core/manifests/vsixPackage.ts';
import { settledPins } from '../../../src/core/pins/serverPins.ts';
import type { ServerConfiguration } from '../../../src/core/settings/serverConfiguration.ts';
import { buildCatalog, type CatalogServer } from '../../../src/core/tools/toolCatalog.ts';
import type { ToolDefinition } from '../../../src/core/tools/toolDefinition.ts';
import { configurationOf, serverOf, toolOf } from '../../support/builders.ts';

function catalogServer(
  key: string,
  tools: readonly (ToolDefinition | string)[] = ['a', 'b'],
  members: Partial<ServerConfiguration> = {},
): CatalogServer {
  const [server] = buildCatalog([serverOf(configurationOf(key, members), tools)]).servers;
  assert.ok(server !== undefined);
  return server;
}

function manifestOf(server: CatalogServer, workspace = 'w'): ToolManifest {
  const manifest = toolManifest(server, workspace);
  assert.ok(manifest !== undefined);
  return manifest;
}

test('a manifest declares every tool, also what is left out, and has no code', () => {
  const server = catalogServer('gh', [toolOf('b', { title: 'Bee' }), 'a'], { deny: ['b'] });
  const { extensionId, packageJson, digest, tools } = manifestOf(server);
  const declared = (name: string, displayName: string, tool: string) => ({
    name,
    toolReferenceName: name,
    canBeReferencedInPrompt: true,
    displayName,
    userDescription: `Does ${tool}.`,
    modelDescription: `Does ${tool}.`,
    inputSchema: { type: 'object', properties: {} },
    when: toolContextKey(tools.get(name) ?? ''),
  });
  assert.deepEqual(packageJson, {
    name: extensionId.slice(manifestPublisher.length + 1),
    publisher: manifestPublisher,
    displayName: 'gh (MCP Bridge)',
    description:
      'Tools of the MCP server "gh", declared by MCP Bridge. Made automatically; remove it with MCP Bridge.',
    version: '1.0.0',
    license: 'MIT',
    engines: { vscode: '^1.106.0' },
    categories: ['Other'],
    extensionKind: ['workspace', 'ui'],
    capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
    contributes: {
      languageModelTools: [declared('gh__a', 'a', 'a'), declared('gh__b', 'Bee', 'b')],
    },
    mcpBridge: { digest, owner: userOwner },
  });
});

test('a server without tools has no manifest, but its id is known', () => {
  const server = catalogServer('gh', []);
  assert.deepEqual(
    [toolManifest(server, 'w'), manifestId(server, 'w')],
    [undefined, manifestOf(catalogServer('gh')).extensionId],
  );
});

test('an id is valid, speaks of its server and stays the same for it', () => {
  const keys = ['gh', 'My Server', '日本語', '../..', '"<&>', 'x'.repeat(300), '-', '__proto__'];
  const ids = keys.map((key) => manifestOf(catalogServer(key)).extensionId);
  assert.deepEqual(
    ids.filter((id) => !/^mcp-bridge-tools\.[a-z0-9][a-z0-9-]{0,80}$/.test(id)),
    [],
  );
  assert.equal(new Set(ids).size, keys.length);
  assert.match(ids[1] ?? '', /\.my-server-[0-9a-f]{8}$/);
  const variants = [
    catalogServer('gh', ['c'], { deny: ['*'] }),
    catalogServer('gh', [toolOf('a', { description: 'Other.' })], { confirm: 'never' }),
  ].map((server) => manifestOf(server).extensionId);
  assert.deepEqual(variants, [ids[0], ids[0]]);
});

test('a server of a workspace is told from that of another workspace and from the user', () => {
  const scopes = (['user', 'workspace', 'folder'] as const).flatMap((scope) =>
    ['w1', 'w2'].map((workspace) => {
      const server = catalogServer('gh', ['a'], { origin: { scope } });
      return [
        manifestOwner(server.server.configuration, workspace),
        manifestOf(server, workspace).extensionId,
      ];
    }),
  );
  const owners = scopes.map(([owner]) => owner);
  const ids = scopes.map(([, id]) => id);
  const [one, two] = [workspaceOwner('w1'), workspaceOwner('w2')];
  assert.deepEqual(owners, [userOwner, userOwner, one, two, one, two]);
  assert.equal(new Set(ids).size, 5);
});

test('the digest changes with the declarations and with nothing else', () => {
  const digest = (members: Partial<ToolDefinition>, own: Partial<ServerConfiguration> = {}) =>
    manifestOf(catalogServer('gh', [toolOf('a', members), 'b'], own)).digest;
  const same = [
    digest({}),
    digest({}, { deny: ['*'], allow: ['x'], confirm: 'never', expose: 'search' }),
    digest({ annotations: { readOnlyHint: true } }),
    digest({ inputSchema: { properties: {}, type: 'object' } }),
    manifestOf(catalogServer('gh', ['b', 'a'])).digest,
    manifestOf(catalogServer('gh'), 'other workspace').digest,
  ];
  const different = [
    digest({ description: 'Other.' }),
    digest({ title: 'Title' }),
    digest({ annotations: { title: 'Hint' } }),
    digest({ inputSchema: { type: 'object', properties: { x: {} } } }),
    digest({}, { prefix: 'p' }),
    manifestOf(catalogServer('gh', ['a'])).digest,
    manifestOf(catalogServer('other', ['a', 'b'], { prefix: 'gh' })).digest,
  ];
  assert.deepEqual(
    [new Set(same).size, new Set([...same, ...different]).size],
    [1, different.length + 1],
  );
});

test('the key that switches a tool on is bound to its definition', () => {
  const keys = [toolOf('a'), toolOf('a', { description: 'Lies.' })].map((tool) => {
    const { packageJson } = manifestOf(catalogServer('gh', [tool]));
    return /"when":"(mcpBridge\.tool\.[0-9a-f]{16})"/.exec(JSON.stringify(packageJson))?.[1];
  });
  assert.ok(!keys.includes(undefined));
  assert.equal(new Set(keys).size, 2);
});

test('an installed manifest is read as it was written', () => {
  const { extensionId, packageJson, digest, tools } = manifestOf(catalogServer('gh'));
  assert.deepEqual(readInstalledManifest(extensionId, packageJson), {
    ...{ extensionId, digest, tools },
    owner: userOwner,
  });
});

test('other extensions are no manifests, and a damaged manifest is harmless', () => {
  const { extensionId, packageJson } = manifestOf(catalogServer('gh'));
  const none = { extensionId, digest: '', owner: '', tools: new Map() };
  const damaged = [
    {},
    { contributes: null },
    { mcpBridge: 5, contributes: { languageModelTools: [null, {}, { name: 'x' }] } },
  ];
  assert.deepEqual(
    [
      readInstalledManifest('someone.else', packageJson),
      readInstalledManifest(extensionId, undefined),
      ...damaged.map((value) => readInstalledManifest(extensionId, value)),
    ],
    [undefined, undefined, none, none, none],
  );
});

const nasty = 'a "b" & <c> \'d\' ]]> \u0000\u0007\u001b \ufffe \ud83d 🎉 %e%';

test('a package is a zip of the three files an editor wants, with valid XML for any name', () => {
  for (const key of ['gh', nasty]) {
    const tool = toolOf('a', { title: nasty, description: nasty, annotations: { title: nasty } });
    const manifest = manifestOf(catalogServer(key, [tool]));
    const files = unzipSync(vsixPackage(manifest));
    const read = (name: string): string =>
      new TextDecoder('utf-8', { fatal: true }).decode(files[name]);
    assert.deepEqual(Object.keys(files).toSorted(), [
      '[Content_Types].xml',
      'extension.vsixmanifest',
      'extension/package.json',
    ]);
    assert.deepEqual(JSON.parse(read('extension/package.json')), manifest.packageJson);
    for (const name of ['[Content_Types].xml', 'extension.vsixmanifest']) {
      assert.deepEqual(xmlFaults(read(name)), [], name);
    }
    const { extensionId } = manifest;
    assert.match(
      read('extension.vsixmanifest'),
      new RegExp(
        `<Identity Language="en-US" Id="${extensionId.slice(manifestPublisher.length + 1)}" Version="1.0.0" `,
      ),
    );
  }
});

test('equal manifests give equal bytes', () => {
  const [left, right] = [1, 2].map(() => vsixPackage(manifestOf(catalogServer('gh'))));
  assert.deepEqual(left, right);
});

/** What makes a text no well-formed XML document; knows only what ours use. */
function xmlFaults(xml: string): string[] {
  const faults: string[] = [];
  if (/[^\t\n\r\u0020-\ufffd]/.test(xml)) faults.push('a character XML does not allow');
  const open: string[] = [];
  let rest = xml.replace(/^<\?xml [^?]*\?>\s*/, '');
  while (rest !== '') {
    const tag =
      /^<(\/?)([\w.:[\]]+)((?:\s+[\w:]+="[^"<&]*(?:&(?:amp|lt|gt|quot);[^"<&]*)*")*)\s*(\/?)>/.exec(
        rest,
      );
    const text = /^(?:[^<&]|&(?:amp|lt|gt|quot);)+/.exec(rest);
    const [whole = '', close, name = '', , empty] = tag ?? text ?? [];
    if (whole === '') {
      faults.push(`not XML: ${rest.slice(0, 40)}`);
      break;
    }
    if (tag !== null && close === '/') {
      if (open.pop() !== name) faults.push(`</${name}> closes nothing`);
    } else if (tag !== null && empty !== '/') open.push(name);
    rest = rest.slice(whole.length);
  }
  return [...faults, ...open.map((name) => `<${name}> is left open`)];
}

test('what waits for a review is not declared: nobody has accepted its words', () => {
  const configuration = configurationOf('s');
  const [one, two] = [toolOf('one'), toolOf('two')];
  const pins = settledPins(undefined, [one, two], configuration);
  const changed = { ...two, description: 'Poisoned.' };
  const [server] = buildCatalog([serverOf(configuration, [one, changed])], 9, () => pins).servers;
  assert.ok(server !== undefined);
  const manifest = toolManifest(server, 'w');
  assert.deepEqual([...(manifest?.tools.keys() ?? [])], ['s__one']);
  assert.deepEqual([...(manifest?.pending ?? [])], ['s__two']);
  assert.ok(!JSON.stringify(manifest?.packageJson).includes('Poisoned'));
});
