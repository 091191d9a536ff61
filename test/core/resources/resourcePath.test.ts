import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseResourcePath, resourcePath } from '../../../src/core/resources/resourcePath.ts';
import { Random } from '../../support/random.ts';

test('server and URI come back from a path, whatever they hold', () => {
  const random = new Random(7);
  const characters = [
    'a',
    'Z',
    '/',
    '..',
    '%2F',
    '?',
    '#',
    '\\',
    ' ',
    'ü',
    '🎉',
    '\u202E',
    ':',
    '\n',
    '&',
    '+',
  ] as const;
  const text = (): string =>
    Array.from({ length: 1 + random.below(20) }, () => random.pick(characters)).join('');
  for (let round = 0; round < 500; round++) {
    const address = { serverId: text(), uri: text() };
    const path = resourcePath(address, round % 2 === 0 ? 'text/markdown' : undefined);
    assert.deepEqual(parseResourcePath(path), address);
    assert.match(path.path, /^(\/[^/\\?#:\n]+){2}$/u);
    assert.match(path.query, /^[\w.-]+$/);
    assert.ok(path.path.isWellFormed());
  }
});

const names: readonly (readonly [uri: string, mimeType: string | undefined, name: string])[] = [
  ['file:///a/b/notes.txt', 'text/plain', 'notes.txt'],
  ['file:///a/readme', 'text/markdown', 'readme.md'],
  ['file:///a/readme.txt', 'text/markdown', 'readme.txt'],
  ['demo://resource/static/document/a%20b.md', undefined, 'a b.md'],
  ['db://host/table?x=a/b.html#c/d.js', 'application/json; charset=utf-8', 'table.json'],
  ['https://example.com', 'text/html', 'example.com.html'],
  ['note://pixel', 'image/png', 'pixel.png'],
  ['a:///', undefined, 'resource'],
  ['screenshot:latest', 'image/png', 'latest.png'],
  ['a:/picture.bin', 'image/jpeg', 'picture.bin.jpg'],
  ['a:/picture.JPG', 'image/jpeg', 'picture.JPG'],
  ['a:/x', 'text/x-unheard', 'x.txt'],
  ['a:/x', 'application/x-unheard', 'x'],
  ['a:/..', 'text/plain', 'resource.txt'],
  ['a:/%2e%2e%2f%2e%2e%2fetc%2fpasswd', undefined, '_.._etc_passwd'],
  ['a:/%E0%A4%A', undefined, '_E0_A4_A'],
  ['a:/\u202Egpj.exe', undefined, '_gpj.exe'],
];

for (const [uri, mimeType, name] of names) {
  test(`${JSON.stringify(uri)} of type ${mimeType} is called ${name}`, () => {
    assert.equal(resourcePath({ serverId: 's', uri }, mimeType).path.split('/').at(-1), name);
  });
}

test('the path names the server as people do', () => {
  const { path } = resourcePath({ serverId: 'folder:file%3A%2F%2Fx/my/server', uri: 'a:/b.md' });
  assert.equal(path, '/my_server/b.md');
});

test('other addresses are no resources', () => {
  for (const query of ['', 'a', '.', 'a.', 'a.b.c', '!.b', 'a b.c', 'AAA._w']) {
    assert.equal(parseResourcePath({ path: '/s/x', query }), undefined, query);
  }
});
