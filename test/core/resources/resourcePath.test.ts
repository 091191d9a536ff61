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
    assert.match(path, /^(\/[^/\\?#:\n]+){3}$/u);
    assert.ok(path.length < 600 && path.isWellFormed());
  }
});

const names: readonly (readonly [uri: string, mimeType: string | undefined, name: string])[] = [
  ['file:///a/b/notes.txt', 'text/plain', 'notes.txt'],
  ['file:///a/readme', 'text/markdown', 'readme.md'],
  ['file:///a/readme.txt', 'text/markdown', 'readme.txt'],
  ['demo://resource/static/document/a%20b.md', undefined, 'a b.md'],
  ['db://host/table?x=a/b.html#c/d.js', 'application/json; charset=utf-8', 'table.json'],
  ['https://example.com', 'text/html', 'resource.html'],
  ['https://example.com/', undefined, 'resource'],
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
    assert.equal(resourcePath({ serverId: 's', uri }, mimeType).split('/').at(-1), name);
  });
}

test('other paths are no resources', () => {
  for (const path of [
    '',
    '/',
    '/a',
    '/a/b',
    '/a/b/c/d',
    '/!/b/c',
    '/a b/c/d',
    '/AAA/_w/c',
    '/x/y/',
  ]) {
    assert.equal(parseResourcePath(path), undefined, path);
  }
});
