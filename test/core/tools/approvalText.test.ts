import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../src/base/json.ts';
import type { ServerConfiguration } from '../../../src/core/settings/serverConfiguration.ts';
import {
  approvalMarkdown,
  approvalPlainText,
  approvalText,
  plainName,
  shownArguments,
} from '../../../src/core/tools/approvalText.ts';
import { confirmVerdict } from '../../../src/core/tools/confirmation.ts';
import { buildCatalog, type CatalogTool } from '../../../src/core/tools/toolCatalog.ts';
import type { ToolDefinition } from '../../../src/core/tools/toolDefinition.ts';
import { configurationOf, serverOf, toolOf } from '../../support/builders.ts';

interface Subject {
  readonly name?: string;
  readonly key?: string;
  readonly definition?: Partial<ToolDefinition>;
  readonly configuration?: Partial<ServerConfiguration>;
}

function toolWith({ name = 'run.it', key = 'my server', ...members }: Subject = {}): CatalogTool {
  const { tools } = buildCatalog([
    serverOf(configurationOf(key, members.configuration), [toolOf(name, members.definition)]),
  ]);
  return [...tools.values()][0] ?? assert.fail();
}

/** The question in both forms. */
function ask(subject: Subject, args: JsonObject, note?: string) {
  const tool = toolWith(subject);
  const text = approvalText(tool, args, confirmVerdict(tool), note);
  return { title: text.title, markdown: approvalMarkdown(text), plain: approvalPlainText(text) };
}

test('a question names the tool and its server, then the arguments, one a line', () => {
  const args = { path: '/tmp/a b.txt', count: 3, deep: { list: [1, 'two'] }, none: null };
  assert.deepEqual(ask({ definition: { title: 'Run It' } }, args, 'A note.'), {
    title: 'Call run.it on my server?',
    markdown: [
      'Tool `run.it` (`Run It`) of the MCP server `my server`.',
      '',
      '**path**: `/tmp/a b.txt`  ',
      '**count**: `3`  ',
      '**deep**: `{"list":[1,"two"]}`  ',
      '**none**: `null`',
      '',
      'A note.',
    ].join('\n'),
    plain: [
      'Tool ‹run.it› (‹Run It›) of the MCP server ‹my server›.',
      '',
      'path: ‹/tmp/a b.txt›',
      'count: ‹3›',
      'deep: ‹{"list":[1,"two"]}›',
      'none: ‹null›',
      '',
      'A note.',
    ].join('\n'),
  });
});

const folder = { name: 'app`s', uri: 'file:///app', path: '/app' };
const said: readonly (readonly [what: string, subject: Subject, says: RegExp, not?: RegExp])[] = [
  ['no arguments', {}, /\n\nWithout arguments\.$/],
  ['the title of the annotations', { definition: { annotations: { title: 'T' } } }, /\(‹T›\)/],
  ['a title that says nothing new', { definition: { title: 'run.it' } }, /^Tool ‹run\.it› of/],
  [
    'a server of the workspace',
    { configuration: { origin: { scope: 'workspace' } } },
    /‹my server›, which the settings of this workspace define\./,
  ],
  [
    'a server of a folder',
    { configuration: { origin: { scope: 'folder', folder } } },
    /settings of the folder ‹app`s› define\./,
  ],
  [
    'a claim to read',
    { definition: { annotations: { readOnlyHint: true } } },
    /\nThe server says that it only reads\./,
    /You are asked/,
  ],
  [
    'a claim to destroy',
    { definition: { annotations: { destructiveHint: true } } },
    /\nThe server says that it can delete or overwrite\./,
  ],
  [
    'a claim not to',
    { definition: { annotations: { destructiveHint: false, readOnlyHint: false } } },
    /server‹?/,
    /says/,
  ],
  [
    'why a blanket rule does not count',
    { configuration: { confirm: 'never' }, definition: { annotations: { destructiveHint: true } } },
    /\n\nYou are asked because the server says .* "confirm" is "never"\.$/,
  ],
  [
    'why a claim does not count',
    { configuration: { confirm: 'writes' }, definition: { annotations: { readOnlyHint: true } } },
    /\n\nYou are asked because .*"trustAnnotations" is off/,
  ],
];

for (const [what, subject, says, not] of said) {
  test(`a question tells ${what}`, () => {
    const { plain } = ask(subject, {});
    assert.match(plain, says);
    if (not !== undefined) assert.doesNotMatch(plain, not);
  });
}

const values: readonly (readonly [value: JsonObject[string], shown: string])[] = [
  ['text', '`text`'],
  ['', '`""`'],
  [' ', '`" "`'],
  ['a file\n', '`a file⏎`'],
  [' b ', '`  b  `'],
  ['true', '`"true"`'],
  ['truely', '`truely`'],
  ['12', '`"12"`'],
  ['{"a":1}', '`"{\\"a\\":1}"`'],
  ['"quoted"', '`"\\"quoted\\""`'],
  [[], '`[]`'],
  ['one\ntwo', '`one⏎two`'],
  ['a\u{202E}b', '`a‹U+202E›b`'],
  ['a`b``c', '```a`b``c```'],
  ['`', '`` ` ``'],
  ['``` \n# x', '```` ``` ⏎# x ````'],
  ['x'.repeat(200), `\`${'x'.repeat(200)}\``],
  ['x'.repeat(201), `\`${'x'.repeat(200)}\` … 1 more character`],
  ['x'.repeat(5000), `\`${'x'.repeat(200)}\` … 4800 more characters`],
  [['y'.repeat(300)], `\`["${'y'.repeat(198)}\` … 104 more characters`],
];

for (const [value, shown] of values) {
  test(`the argument ${JSON.stringify(value).slice(0, 40)} is shown readably`, () => {
    assert.equal(ask({}, { it: value }).markdown.split('\n')[2], `**it**: ${shown}`);
  });
}

test('T50 of many arguments the declared ones are shown, and the others counted', () => {
  const padding = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`extra${n}`, n]));
  const tool = toolWith({
    definition: { inputSchema: { type: 'object', properties: { path: {}, force: {} } } },
  });
  const args = shownArguments(tool, { ...padding, path: '/', force: true });
  const lines = ask({}, args).plain.split('\n').slice(2);
  assert.deepEqual(
    [lines.length, ...lines.slice(0, 3), ...lines.slice(-2)],
    [21, 'path: ‹/›', 'force: ‹true›', 'extra0: ‹0›', 'extra17: ‹17›', '… and 12 more arguments.'],
  );
});

test('what is no list of arguments is shown as what it is', () => {
  const inputs = [undefined, null, {}, 'text', [1], JSON.parse('{"__proto__":1}')];
  assert.deepEqual(
    inputs.map((input) => JSON.stringify(shownArguments(toolWith(), input))),
    ['{}', '{}', '{}', '{"(not an object)":"text"}', '{"(not an object)":[1]}', '{"__proto__":1}'],
  );
});

test('a value that is nested too deeply says so', () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 20_000; level++) deep = { deep };
  assert.match(ask({}, { deep }).markdown, /\*\*deep\*\*: nested too deeply to be shown/);
});

const hostile: readonly string[] = [
  '[click](command:workbench.action.quit)',
  '![x](https://evil.example/p.png)',
  '<img src=x onerror=alert(1)>',
  '<!-- ',
  '$(warning) trusted',
  'https://evil.example/',
  'www.evil.example',
  'mail@evil.example',
  '`](command:x)',
  '``` \n[x](command:y)',
  '**bold** _it_ ~~no~~ | a | b |',
  '# heading\n- list\n> quote',
  '&lt;b&gt; &#91;x&#93;',
  'a\\',
  '\u{202E}gnp.exe',
  'x›, of the MCP server ‹github',
];

for (const text of hostile) {
  test(`nothing in ${JSON.stringify(text)} becomes active, wherever it stands`, () => {
    const { title, markdown } = ask(
      {
        name: text,
        key: text,
        definition: { title: `${text}!` },
        configuration: { origin: { scope: 'folder', folder: { ...folder, name: text } } },
      },
      { [text]: text, list: [text] },
    );
    assert.doesNotMatch(title, /[[\]()<>`*$#|\\&@:\n‹›\u202e]|www\./);
    // What is left when the code spans are taken out, as CommonMark finds them: words of ours only.
    const outside = markdown.replaceAll(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, '§');
    assert.equal(
      outside,
      'Tool § (§) of the MCP server §, which the settings of the folder § define.\n\n§: §  \n**list**: §',
    );
  });
}

test('a name that is only letters stays, and a long one is cut', () => {
  assert.deepEqual(
    ['get_größe/v1.2-x', 'a'.repeat(300)].map((name) => plainName(name)),
    ['get_größe/v1.2-x', `${'a'.repeat(79)}…`],
  );
});

test('arguments are shown under the names the server gets', () => {
  const inputSchema = { type: 'object', properties: { $top: { type: 'integer' } } };
  const tool = toolWith({ definition: { inputSchema } });
  const [alias = ''] = Object.keys(tool.modelSchema['properties'] as JsonObject);
  assert.notEqual(alias, '$top');
  assert.deepEqual(shownArguments(tool, { [alias]: 5 }), { $top: 5 });
  assert.deepEqual(shownArguments(tool, `{"${alias}":5}`), { $top: 5 });
});
