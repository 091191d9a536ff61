import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/base/json.ts';
import { buildCatalog, type CatalogServer } from '../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf, toolOf } from '../support/builders.ts';
import {
  argumentCheckProblems,
  exampleProblems,
  listingProblems,
  nameProblems,
  parameterProblems,
  registrationProblems,
} from './catalogProblems.ts';
import { schemaOddities } from './schemaOddities.ts';

const onlyServer = (server: ReturnType<typeof serverOf>): CatalogServer => {
  const [found] = buildCatalog([server]).servers;
  assert.ok(found);
  return found;
};

test('a tool that is lost without a reason is found', () => {
  const server = serverOf('srv', ['kept', 'invented']);
  assert.deepEqual(listingProblems([{ name: 'kept' }, { name: 'lost' }], server), [
    '"lost" is lost without a reason',
    '"invented" is not listed',
  ]);
  const excused = {
    ...server,
    tools: { ...server.tools, tools: [toolOf('kept')], isFromCache: false },
  };
  const problems = [{ where: 'lost', message: 'Left out: no name.' }];
  assert.deepEqual(
    listingProblems([{ name: 'kept' }, { name: 'lost' }], {
      ...excused,
      tools: { ...excused.tools, problems },
    }),
    [],
  );
});

test('a tool that is missing in the catalog is found, one that is denied is excused', () => {
  const whole = onlyServer(serverOf('srv', ['one', 'two']));
  assert.deepEqual(registrationProblems(whole), []);
  assert.deepEqual(registrationProblems({ ...whole, tools: whole.tools.slice(1) }), [
    '"one" is not in the catalog',
  ]);
  const denied = onlyServer(serverOf(configurationOf('srv', { deny: ['one'] }), ['one', 'two']));
  assert.deepEqual(registrationProblems(denied), []);
});

test('names that a model API refuses are found', () => {
  const { servers, tools } = buildCatalog([serverOf('srv', ['one', 'two'])]);
  const twice = servers.map((server) => ({
    ...server,
    tools: server.tools.map((tool) => ({ ...tool, exposedName: 'a b' })),
  }));
  assert.deepEqual(nameProblems({ servers, tools }), []);
  assert.deepEqual(nameProblems({ servers: twice, tools: new Map() }), [
    'bad: a b',
    'bad: a b',
    'twice: a b',
    '2 names, 0 tools by name',
  ]);
});

test('a schema that checks no arguments is found', () => {
  const broken = toolOf('broken', {
    // Larger than what is compiled.
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`p${index}`, {}])),
    },
  });
  const fine = toolOf('fine', { inputSchema: { type: 'object', required: ['a'] } });
  assert.deepEqual(argumentCheckProblems(onlyServer(serverOf('srv', [broken, fine]))), [
    'the schema of "broken" cannot be compiled',
  ]);
});

test('a parameter that models do not get, and arguments that they are led to and that are refused, are found', () => {
  const inputSchema = {
    type: 'object',
    properties: { $a: { type: 'string' }, b: { type: 'integer', minimum: 1 } },
    required: ['$a', 'b'],
  };
  const whole = onlyServer(serverOf('srv', [toolOf('one', { inputSchema })]));
  assert.deepEqual(parameterProblems(whole), []);
  assert.deepEqual(exampleProblems(whole), []);
  const withModelSchema = (modelSchema: JsonObject): CatalogServer => ({
    ...whole,
    tools: whole.tools.map((tool) => ({ ...tool, modelSchema })),
  });
  const poorer = withModelSchema({ type: 'object', properties: { b: { type: 'integer' } } });
  assert.deepEqual(parameterProblems(poorer), [
    'srv__one lost "$a"',
    'srv__one does not require "$a"',
    'srv__one does not require "b"',
  ]);
  const misleading = withModelSchema({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'array', items: { type: 'boolean' } } },
  });
  assert.match(exampleProblems(misleading).join(), /^srv__one .*"b" must be/);
});

test('what is unusual in a schema is counted', () => {
  const definition = {
    type: ['object', 'null'],
    properties: { $ref: { type: 'string' }, next: { $ref: '#/$defs/node' } },
  };
  const schema = {
    type: 'object',
    $defs: { node: definition },
    properties: {
      list: { type: 'array' },
      any: { description: 'Anything.' },
      choice: { enum: ['a', null], default: { $ref: 'a value' } },
      at: { type: 'string', format: 'date-time' },
    },
  };
  assert.deepEqual(schemaOddities('', schema), {
    'no description': 1,
    $defs: 1,
    'type list': 1,
    $ref: 1,
    '$ref within a definition': 1,
    'array without items object': 1,
    'schema for anything': 1,
    'enum with null': 1,
    default: 1,
    'format date-time': 1,
  });
});
