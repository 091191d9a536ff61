import type { PageTool } from '../core/toolPage/pageState.ts';
import { element } from './elements.ts';

const columns = ['Name', 'Type', 'Required', 'Default', 'Rules', 'Description'];

/** What a tool is: description, hints of its server, and its schema as a table and as it was sent. */
export function definitionView(tool: PageTool): HTMLElement {
  const head = columns.map((name) => element('th', { scope: 'col' }, name));
  const rows = tool.rows.map((row) => {
    const name = element('th', { scope: 'row', class: `depth${row.depth}` }, row.name);
    const cells = [
      row.type,
      row.isRequired ? 'yes' : 'no',
      row.initial,
      row.rules,
      row.description,
    ];
    return element('tr', {}, name, ...cells.map((text) => element('td', {}, text)));
  });
  const table = element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows),
  );
  return element(
    'section',
    {},
    element('h1', {}, tool.title),
    element('p', { class: 'help' }, tool.subtitle),
    element('p', { class: 'text' }, tool.description),
    list('What its server says of it', tool.annotations),
    element('h2', {}, 'Arguments'),
    tool.rows.length > 0 ? table : element('p', {}, 'This tool takes no named arguments.'),
    list('Repaired for the model', tool.repairs),
    element(
      'details',
      {},
      element('summary', {}, 'Schema as its server sent it'),
      element('pre', { tabindex: '0' }, tool.schema),
    ),
  );
}

function list(title: string, lines: readonly string[]): HTMLElement {
  if (lines.length === 0) return element('div');
  const items = lines.map((line) => element('li', {}, line));
  return element('div', {}, element('h2', {}, title), element('ul', {}, ...items));
}
