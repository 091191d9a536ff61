import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportText } from '../../../src/core/report/report.ts';
import { statusSummary } from '../../../src/core/servers/statusSummary.ts';
import { buildCatalog } from '../../../src/core/tools/toolCatalog.ts';
import { configurationOf, serverOf } from '../../support/builders.ts';

const launch = {
  type: 'stdio',
  command: 'program',
  args: ['--password', 'hunter2-secret'],
  env: { TOKEN: 'token-value-1' },
} as const;
const remote = {
  type: 'http',
  url: 'https://user:pw-in-url@host.example/mcp?key=query-value',
  headers: { 'X-Key': 'header-value' },
} as const;

function report(log = 'last line'): string {
  const servers = [
    serverOf(configurationOf('local', { deny: ['two'], launch }), ['one', 'two']),
    serverOf(configurationOf('re`mo`te', { launch: remote }), ['three']),
  ];
  const catalog = buildCatalog(servers);
  return reportText({
    surroundings: { Extension: '0.1.0', Editor: 'VS Code 1.139.1' },
    summary: statusSummary(catalog, 0),
    budget: 30,
    servers: catalog.servers,
    problems: [{ where: 'x.args', message: '"args" must be a list.' }],
    log,
  });
}

test('says what runs, what is left out and why', () => {
  const text = report();
  for (const part of [
    'Extension: ` 0.1.0 `',
    'program with 2 arguments, variables TOKEN',
    'https://host.example, headers X-Key',
    'two: denied by the pattern "two"',
    'x.args: "args" must be a list.',
    'last line',
  ]) {
    assert.ok(text.includes(part), `${part} in ${text}`);
  }
});

test('no value of an argument, a variable, a header or an address stands in it', () => {
  const text = report();
  for (const value of ['hunter2', 'token-value', 'pw-in-url', 'query-value', 'header-value']) {
    assert.ok(!text.includes(value), value);
  }
});

test('text of servers and of the log cannot break out of its place', () => {
  const text = report('```\n# not a heading\n````');
  assert.match(text, /\n`{5}text\n```\n# not a heading\n````\n`{5}\n/);
  assert.ok(text.includes('## Server `` re`mo`te ``'));
});
