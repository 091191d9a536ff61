import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildCatalog } from '../../src/core/tools/toolCatalog.ts';
import {
  apiDigests,
  bridgedServers,
  bridgedTools,
  toToolCallResult,
} from '../../src/editor/apiSnapshots.ts';
import { configurationOf, serverOf, toolOf } from '../support/builders.ts';

const inputSchema = { type: 'object', properties: { n: { type: 'array' } } };
const origin = { scope: 'extension', extension: 'pub.ext' } as const;
const catalogOf = (deny: string[]) =>
  buildCatalog([
    serverOf(configurationOf('s', { deny }), [toolOf('a', { inputSchema, title: 'A' }), 'b']),
    serverOf(configurationOf('x', { origin, expose: 'search' }), ['c'], {
      ...{ kind: 'error', since: 0, code: 'timedOut', summary: 'late', message: 'Too late.' },
    }),
  ]);

test('tools and servers are given as frozen copies', () => {
  const catalog = catalogOf(['b']);
  const tools = bridgedTools(catalog);
  const servers = bridgedServers(catalog);
  assert.deepEqual(tools, [
    {
      ...{ name: 's__a', server: 's', originalName: 'a', title: 'A', description: 'Does a.' },
      inputSchema: { type: 'object', properties: { n: { type: 'array', items: {} } } },
      availability: 'offered',
    },
    {
      ...{ name: 's__b', server: 's', originalName: 'b', description: 'Does b.' },
      inputSchema: { type: 'object', properties: {} },
      ...{ availability: 'leftOut', reason: 'denied by the pattern "b"' },
    },
    {
      ...{ name: 'x__c', server: 'x', originalName: 'c', description: 'Does c.' },
      inputSchema: { type: 'object', properties: {} },
      availability: 'search',
    },
  ]);
  assert.deepEqual(servers, [
    { key: 's', scope: 'user', state: 'stopped' },
    { key: 'x', scope: 'extension', extension: 'pub.ext', state: 'error', message: 'Too late.' },
  ]);
  const properties = tools[0]?.inputSchema['properties'] as { n: object };
  assert.throws(() => Object.assign(properties.n, { evil: 1 }), TypeError);
  assert.throws(() => (tools as unknown[]).push(1), TypeError);
  assert.throws(() => Object.assign(servers[0] ?? {}, { key: 'y' }), TypeError);
});

test('digests differ when what is seen differs', () => {
  const [one, same, other] = [catalogOf(['b']), catalogOf(['b']), catalogOf([])].map(apiDigests);
  assert.deepEqual(one, same);
  assert.notEqual(one?.tools, other?.tools);
  assert.equal(one?.servers, other?.servers);
});

test('a result has the parts of the specification; a failure is one of them', () => {
  assert.deepEqual(
    [
      toToolCallResult({
        kind: 'result',
        isError: false,
        warnings: [],
        parts: [
          { kind: 'text', text: 'hi' },
          { kind: 'image', mimeType: 'image/png', base64: 'AAAA' },
        ],
      }),
      toToolCallResult({ kind: 'failure', code: 'timedOut', message: 'Too late.' }),
    ],
    [
      {
        isError: false,
        content: [
          { type: 'text', text: 'hi' },
          { type: 'image', mimeType: 'image/png', data: 'AAAA' },
        ],
      },
      { isError: true, content: [{ type: 'text', text: 'Error: Too late.' }] },
    ],
  );
});
