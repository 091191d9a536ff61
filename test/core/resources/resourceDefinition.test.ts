import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  maxUri,
  readResources,
  readResourceTemplates,
} from '../../../src/core/resources/resourceDefinition.ts';
import { expandTemplate, templateVariables } from '../../../src/core/resources/uriTemplate.ts';

test('a resource keeps what is usable of it, within bounds', () => {
  const { resources, problems } = readResources([
    { uri: 'a:1', name: 'one', title: 'One', description: 'd', mimeType: 'text/plain', size: 3 },
    { uri: 'a:2', name: '', title: 5, description: null, mimeType: {}, size: 'big' },
    { uri: 'a:3', name: 'x'.repeat(9999), description: 'y'.repeat(99_999), size: Infinity },
    { uri: 'a:1', name: 'again' },
  ]);
  const [one, two, three] = resources;
  assert.deepEqual(
    [one, two, three?.name.length, three?.description?.length, three?.size, problems],
    [
      { uri: 'a:1', name: 'one', title: 'One', description: 'd', mimeType: 'text/plain', size: 3 },
      { uri: 'a:2', name: 'a:2' },
      256,
      4096,
      undefined,
      [],
    ],
  );
});

test('entries without a usable address are counted, not listed', () => {
  const bad = [
    null,
    5,
    [],
    {},
    { uri: '' },
    { uri: 1 },
    { uri: '\uD800' },
    { uri: 'x'.repeat(maxUri + 1) },
  ];
  const { resources, problems } = readResources([...bad, { uri: 'ok:' }]);
  assert.deepEqual(
    [resources.map(({ uri }) => uri), problems.map(({ message }) => message.slice(0, 10))],
    [['ok:'], ['8 left out']],
  );
});

test('templates without a usable expression are left out', () => {
  const templates = ['a:{x}', 'a:{', 'a:}', 'a:{}', 'a:{x y}', 'a:{+__proto__*}', 'plain:'];
  const read = readResourceTemplates(templates.map((uriTemplate) => ({ uriTemplate, name: 'n' })));
  assert.deepEqual(
    read.templates.map(({ uriTemplate }) => uriTemplate),
    ['a:{x}', 'a:{+__proto__*}', 'plain:'],
  );
  assert.match(read.problems[0]?.message ?? '', /^4 left out/);
});

const variables: readonly (readonly [template: string, names: readonly string[] | undefined])[] = [
  ['a:{x}/{y}', ['x!', 'y!']],
  ['a:{x,y:3}{?z,x}{&w*}', ['x!', 'y!', 'z', 'w']],
  ['a:{?q}{q}', ['q!']],
  ['a:{+path}{#frag}{.ext}{/seg}{;p}', ['path!', 'frag!', 'ext!', 'seg!', 'p!']],
  [`a:{${Array.from({ length: 21 }, (_value, index) => `v${index}`).join(',')}}`, undefined],
];

for (const [template, names] of variables) {
  test(`the variables of ${template.slice(0, 40)}`, () => {
    const found = templateVariables(template);
    assert.deepEqual(
      found?.map(({ name, required }) => (required ? `${name}!` : name)),
      names,
    );
  });
}

test('values are put into a template, encoded as its operators say', () => {
  const values = new Map([
    ['x', 'a b/ü'],
    ['path', 'd/e f'],
    ['__proto__', 'p'],
  ]);
  assert.deepEqual(
    ['t:{x}', 't:{+path}', 't:{?x,gone}', 't:{__proto__}{constructor}'].map((template) =>
      expandTemplate(template, values),
    ),
    ['t:a%20b%2F%C3%BC', 't:d/e%20f', 't:?x=a%20b%2F%C3%BC', 't:p'],
  );
});
