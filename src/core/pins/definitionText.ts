import { canonicalJson } from '../../base/json.ts';
import type { ToolDefinition } from '../tools/toolDefinition.ts';
import { visibleText } from '../visibleText.ts';

/** Longest line of a description. */
const lineLength = 100;

/**
 * A definition as text that can be compared line by line: whatever a server says of the tool stands in it, members of schemas in
 * alphabetical order, and hidden characters are written out.
 */
export function definitionText(definition: ToolDefinition): string {
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  const sorted = (value: unknown): string =>
    visibleText(JSON.stringify(JSON.parse(canonicalJson(value)), null, 2), true);
  const parts = [
    ['Name', visibleText(name)],
    ['Title', visibleText(title ?? '(none)')],
    ['Description', wrapped(visibleText(description)) || '(none)'],
    ['Annotations', sorted(annotations)],
    ['Input schema', sorted(inputSchema)],
    ['Output schema', outputSchema === undefined ? '(none)' : sorted(outputSchema)],
  ];
  return `${parts.map(([heading, text]) => `${heading}\n\n${text}`).join('\n\n')}\n`;
}

/** One sentence may be a long line: a change in it is easier to find in short ones. */
export function wrapped(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const lines: string[] = [];
      let rest = line;
      while (rest.length > lineLength) {
        const space = rest.lastIndexOf(' ', lineLength);
        const end = space > 0 ? space : lineLength;
        lines.push(rest.slice(0, end));
        rest = rest.slice(space > 0 ? end + 1 : end);
      }
      return [...lines, rest];
    })
    .join('\n');
}
