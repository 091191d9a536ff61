import type { JsonObject } from '../../../src/base/json.ts';
import { asText } from '../fixture.ts';

/** One event as it stands in a stream: `comment` alone, or `id`, `retry`, `event` and `data`. Each line ends in `eol`. */
export function eventText({ comment, data, ...fields }: JsonObject, eol: string): string {
  if (comment !== undefined) return `: ${asText(comment)}${eol}${eol}`;
  const lines = ['id', 'retry', 'event']
    .filter((name) => fields[name] !== undefined)
    .map((name) => `${name}: ${asText(fields[name])}`);
  if (data !== undefined) {
    lines.push(
      ...asText(data)
        .split('\n')
        .map((line) => (line === '' ? 'data:' : `data: ${line}`)),
    );
  }
  return [...lines, '', ''].join(eol);
}
