import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Registrations,
  maxRegistrations,
  readClientOptions,
  readServerDefinition,
} from '../../../src/core/servers/registrations.ts';
import { parseSettings } from '../../../src/core/settings/parseSettings.ts';

const installed = (id: string): string | undefined =>
  /^pub\.ext$/i.test(id) ? 'pub.ext' : undefined;
const duck = { listTools: () => [], callTool: () => ({}) };
const server = { extension: 'pub.ext', key: 'it', entry: { command: 'x' } };
const client = { extension: 'pub.ext', key: 'it', client: duck };
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

const wrongServers: readonly (readonly [value: unknown, says: RegExp])[] = [
  [undefined, /needs an object with "extension" and "key"/],
  [{ ...server, extension: 'no.such' }, /"extension" must be the id of your extension/],
  [{ ...server, extension: 1 }, /"extension" must be the id/],
  [{ ...server, key: ' ' }, /"key" must be a name of 1 to 64 characters/],
  [{ ...server, key: 'x'.repeat(65) }, /"key" must be a name/],
  [{ ...server, entry: undefined }, /the entry of "it" must be an object/],
  [{ ...server, entry: cyclic }, /the entry of "it" cannot be read: .*circular/],
  [{ ...server, entry: {} }, /"it" needs "command" .* or "url"/],
  [{ ...server, entry: { command: 'x', allow: 'all' } }, /"it\.allow": /],
  [{ ...server, entry: { type: 'stdio' } }, /"it" has type "stdio" but no "command"/],
  [{ ...server, key: '__proto__', entry: { command: '' } }, /"__proto__\.command": /],
];

for (const [value, says] of wrongServers) {
  test(`a wrong definition of a server is refused: ${says.source}`, async () => {
    const registrations = new Registrations();
    await assert.rejects(
      async () => registrations.add(readServerDefinition(value, installed)),
      (error) => error instanceof Error && says.test(error.message),
    );
    assert.deepEqual(registrations.layers, []);
  });
}

const wrongClients: readonly (readonly [value: unknown, says: RegExp])[] = [
  [{ ...client, client: {} }, /"client" of "it" must be an object with the methods/],
  [{ ...client, client: null }, /"client" of "it" must be/],
  [{ ...client, filter: 'a*' }, /"filter" of "it" must be a function/],
  [{ ...client, deny: [''] }, /"it\.deny\.0": /],
];

for (const [value, says] of wrongClients) {
  test(`wrong options of a client are refused: ${says.source}`, async () => {
    const registrations = new Registrations();
    await assert.rejects(
      async () => registrations.add(readClientOptions(value, installed)),
      (error) => error instanceof Error && says.test(error.message),
    );
    assert.deepEqual(registrations.layers, []);
  });
}

test('a registration is a layer of settings of its own origin, until it is deleted', async () => {
  const registrations = new Registrations();
  const entry = { command: 'x', deny: ['a'] };
  const registration = readServerDefinition({ ...server, extension: 'Pub.Ext', entry }, installed);
  await registrations.add(registration);
  entry.deny.push('b');
  const { configurations, problems } = parseSettings(registrations.layers);
  assert.deepEqual(
    configurations.map(({ id, origin, deny }) => ({ id, origin, deny })),
    [
      {
        id: 'extension:pub.ext/it',
        origin: { scope: 'extension', extension: 'pub.ext' },
        deny: ['a'],
      },
    ],
  );
  assert.deepEqual(problems, []);
  registrations.delete(registration);
  assert.deepEqual(registrations.layers, []);
});

test('a key can be registered once at a time; a late dispose does not hit the next one', async () => {
  const registrations = new Registrations();
  const first = readClientOptions(client, installed);
  const second = readClientOptions(client, installed);
  await registrations.add(first);
  await assert.rejects(registrations.add(second), /"it" is registered already by pub\.ext/);
  registrations.delete(first);
  await registrations.add(second);
  registrations.delete(first);
  assert.equal(registrations.client('extension:pub.ext/it'), second.client);
});

test('there is a most of registrations', async () => {
  const registrations = new Registrations();
  for (let count = 0; count < maxRegistrations; count++) {
    await registrations.add(readClientOptions({ ...client, key: `k${count}` }, installed));
  }
  await assert.rejects(registrations.add(readClientOptions(client, installed)), /there are 100/);
});
