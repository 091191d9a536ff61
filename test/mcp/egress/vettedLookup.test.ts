import assert from 'node:assert/strict';
import type { LookupAddress, LookupOptions } from 'node:dns';
import { test } from 'node:test';
import type { Resolve } from '../../../src/core/network/networkPorts.ts';
import { resolveInTime, vettedLookup } from '../../../src/mcp/egress/vettedLookup.ts';

const resolveTo =
  (...addresses: readonly string[]): Resolve =>
  () =>
    Promise.resolve(
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

/** What a socket that asks so gets for a name that leads to these addresses, those beginning with `10.` refused. */
function lookUp(resolve: Resolve, options: LookupOptions): Promise<string> {
  const lookup = vettedLookup(
    (address) => (address.startsWith('10.') ? new Error(`refused ${address}`) : undefined),
    resolve,
  );
  return new Promise((done, fail) => {
    lookup('host.example', options, (error, found: string | LookupAddress[], family) => {
      if (error !== null) return fail(error);
      return done(
        typeof found === 'string'
          ? `${found}/${family}`
          : found.map((one) => `${one.address}/${one.family}`).join(' '),
      );
    });
  });
}

test('a socket gets the addresses that were checked, of the family it asks for', async () => {
  const both = resolveTo('1.1.1.1', '2606:4700::1111', '1.0.0.1');
  assert.equal(await lookUp(both, { all: true }), '1.1.1.1/4 2606:4700::1111/6 1.0.0.1/4');
  assert.equal(await lookUp(both, {}), '1.1.1.1/4');
  assert.equal(await lookUp(both, { family: 6 }), '2606:4700::1111/6');
  assert.equal(await lookUp(both, { family: 'IPv4', all: true }), '1.1.1.1/4 1.0.0.1/4');
  assert.equal(await lookUp(both, { family: 0, all: true }), await lookUp(both, { all: true }));
  await assert.rejects(lookUp(resolveTo('1.1.1.1'), { family: 6 }), { code: 'ENOTFOUND' });
});

test('one address that is refused is enough to refuse the name', async () => {
  for (const options of [{}, { all: true }, { family: 4 }, { family: 6 }] as const) {
    const resolve = resolveTo('1.1.1.1', '2606:4700::1111', '10.0.0.1');
    await assert.rejects(lookUp(resolve, options), /refused 10\.0\.0\.1/);
  }
});

test('of very many addresses all are checked and some are tried', async () => {
  const many = Array.from({ length: 200 }, (_, index) => `1.1.1.${index}`);
  const tried = await lookUp(resolveTo(...many), { all: true });
  assert.equal(tried.split(' ').length, 16);
  await assert.rejects(lookUp(resolveTo(...many, '10.0.0.1'), { all: true }), /refused/);
});

test('errors of the system are passed on, and an empty answer is one', async () => {
  const error = Object.assign(new Error('no'), { code: 'EAI_AGAIN' });
  await assert.rejects(
    lookUp(() => Promise.reject(error), { all: true }),
    error,
  );
  await assert.rejects(lookUp(resolveTo(), { all: true }), { code: 'ENOTFOUND' });
});

test('a name that is looked up for ever ends after ten seconds', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const found = resolveInTime('slow.example', () => new Promise(() => undefined));
  context.mock.timers.tick(9_999);
  let isOver = false;
  found.catch(() => (isOver = true));
  await Promise.resolve();
  assert.ok(!isOver);
  context.mock.timers.tick(1);
  await assert.rejects(found, { code: 'EAI_AGAIN' });
});
