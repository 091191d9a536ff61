import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  readResources,
  readResourceTemplates,
  type ServerResources,
} from '../../../src/core/resources/resourceDefinition.ts';
import type { McpServer } from '../../../src/core/servers/mcpServers.ts';
import type { ServerConfiguration } from '../../../src/core/settings/serverConfiguration.ts';
import { confirmVerdict } from '../../../src/core/tools/confirmation.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';

function resourcesOf(uris: readonly string[], templates: readonly string[] = []): ServerResources {
  return {
    ...readResources(uris.map((uri) => ({ uri, name: `name of ${uri}`, title: ` T\n${uri} ` }))),
    ...readResourceTemplates(
      templates.map((uriTemplate) => ({ uriTemplate, name: 't', description: 'About.' })),
    ),
    problems: [],
  };
}

function server(
  resources: ServerResources | undefined,
  tools: readonly string[] | 'unknown' = ['a'],
  members: Partial<ServerConfiguration> = {},
): McpServer {
  const known = tools === 'unknown' ? undefined : tools;
  return { ...serverOf(configurationOf('s', members), known), ...(resources && { resources }) };
}

const some = resourcesOf(['x:1'], ['y:{id}']);

test('a server with resources gets a tool that reads them, beside its own', () => {
  const catalog = buildCatalog([server(some)]);
  const tool = catalog.tools.get('s__read_resource');
  assert.deepEqual(
    {
      names: [...catalog.tools.keys()],
      target: tool?.definition.target,
      availability: tool?.availability.kind,
      required: tool?.modelSchema['required'],
      description: tool?.modelDescription.split('\n'),
    },
    {
      names: ['s__a', 's__read_resource'],
      target: 'resource',
      availability: 'offered',
      required: ['uri'],
      description: [
        'Reads a resource of this MCP server by its URI and returns its content.',
        'URI templates (put a percent-encoded value in place of each {variable}):',
        '- y:{id} – t: About.',
        'Resources:',
        '- x:1 – T x:1',
      ],
    },
  );
});

const cases: readonly (readonly [what: string, server: McpServer, names: readonly string[]])[] = [
  ['no resources', server(resourcesOf([])), ['s__a']],
  ['resources that are not known', server(undefined), ['s__a']],
  ['tools that are not known', server(some, 'unknown'), []],
  ['no tools', server(some, []), ['s__read_resource']],
  ['"resources": false', server(some, ['a'], { resources: false }), ['s__a']],
  ['a tool of its own of that name', server(some, ['read_resource']), ['s__read_resource']],
  ['a tool that is exposed under that name', server(some, ['read.resource']), ['s__read_resource']],
];

for (const [what, one, names] of cases) {
  test(`the names with ${what}`, () => {
    const { tools } = buildCatalog([one]);
    assert.deepEqual([...tools.keys()], names);
  });
}

test("a tool of the server's own is never shadowed, and the person is told", () => {
  const [rival] = buildCatalog([server(some, ['read_resource'])]).servers;
  assert.deepEqual(
    [
      rival?.tools[0]?.definition.target,
      rival?.tools.length,
      rival?.problems.map(({ where }) => where),
    ],
    [undefined, 1, ['read_resource']],
  );
});

test('patterns, exposure and prefix apply to it as to any tool', () => {
  const reason = (members: Partial<ServerConfiguration>) =>
    buildCatalog([server(some, ['a'], members)]).servers[0]?.tools.map(
      ({ exposedName, availability }) => [exposedName, availability.kind],
    );
  assert.deepEqual(
    [
      reason({ deny: ['read_*'] }),
      reason({ allow: ['a'] }),
      reason({ expose: 'search', prefix: '' }),
    ],
    [
      [
        ['s__a', 'offered'],
        ['s__read_resource', 'leftOut'],
      ],
      [
        ['s__a', 'offered'],
        ['s__read_resource', 'leftOut'],
      ],
      [
        ['a', 'search'],
        ['read_resource', 'search'],
      ],
    ],
  );
  const twins = ['one', 'two'].map((key) => ({
    ...serverOf(configurationOf(key, { prefix: '' }), ['a']),
    resources: some,
  }));
  const names = [...buildCatalog(twins).tools.keys()];
  assert.equal(new Set(names).size, 4);
  assert.ok(
    names.every((name) => /^(a|read_resource)_[0-9a-f]{8}$/.test(name)),
    names.join(' '),
  );
});

test('it only reads, so it asks with "always" alone', () => {
  const tool = buildCatalog([server(some)]).tools.get('s__read_resource');
  assert.ok(tool);
  assert.deepEqual(
    (['always', 'writes', 'never'] as const).map(
      (confirm) =>
        confirmVerdict({ ...tool, configuration: { ...tool.configuration, confirm } }).asks,
    ),
    [true, false, false],
  );
});

test('its description is bounded and does not change while a long list grows', () => {
  const uris = (count: number) => Array.from({ length: count }, (_value, index) => `x:${index}`);
  const described = (resources: ServerResources) => {
    const tool = buildCatalog([server(resources)]).tools.get('s__read_resource');
    return { text: tool?.modelDescription ?? '', fingerprint: tool?.fingerprint };
  };
  const many = described(resourcesOf(uris(30)));
  assert.equal(many.fingerprint, described(resourcesOf(uris(900))).fingerprint);
  assert.match(
    many.text,
    /- x:19 – T x:19\nThere are more; results of other tools may name them\.$/,
  );
  const long = uris(20).map((uri) => uri + 'y'.repeat(250));
  const templates = uris(30).map((uri) => `${uri}${'z'.repeat(200)}/{id}`);
  const huge = described(resourcesOf([...long, 'w'.repeat(5000)], templates));
  assert.ok(huge.text.length <= 2048 && !huge.text.includes('www'), String(huge.text.length));
});
