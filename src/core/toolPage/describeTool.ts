import { estimatedTokens, tokensText } from '../tools/tokenEstimate.ts';
import type { CatalogTool } from '../tools/toolCatalog.ts';
import { visibleText } from '../visibleText.ts';
import { formFields } from './formFields.ts';
import type { PageTool } from './pageState.ts';
import { schemaRows } from './schemaRows.ts';

const hints = [
  ['readOnlyHint', 'only reads', 'changes things'],
  ['destructiveHint', 'can delete or overwrite', 'does not delete or overwrite'],
  ['idempotentHint', 'calling it again changes nothing more', 'calling it again has effects again'],
  ['openWorldHint', 'reaches the outside world', 'stays in its own world'],
] as const;

/** What the page of a tool shows. */
export function describeTool(tool: CatalogTool): PageTool {
  const { definition, configuration, exposedName, availability, repairs } = tool;
  const { annotations, inputSchema } = definition;
  return {
    title: visibleText(definition.title ?? annotations.title ?? definition.name),
    subtitle: `${definition.name} of ${configuration.key} · ${exposedName} · ${tokensText(estimatedTokens(tool))}`,
    description: visibleText(definition.description),
    annotations: hints.flatMap(([name, yes, no]) => {
      const value = annotations[name];
      return value === undefined ? [] : [`${name}: ${value ? yes : no}`];
    }),
    rows: schemaRows(inputSchema),
    repairs: repairs.map(({ where, message }) => `${where}: ${message}`),
    schema: JSON.stringify(inputSchema, null, 2),
    fields: formFields(inputSchema),
    runLabel: annotations.destructiveHint === true ? 'Run (can delete or overwrite)' : 'Run',
    blocked:
      availability.kind === 'leftOut' ? `This tool cannot be run: ${availability.reason}.` : '',
  };
}
