import type { PageCall } from '../core/toolPage/pageState.ts';
import type { ToolResultPart } from '../core/tools/toolCall.ts';
import { button, element } from './elements.ts';

/** The result of a call, as a person reads it and as the model gets it. */
export function resultView(call: PageCall, copy: (text: string) => void): HTMLElement {
  return element(
    'div',
    {},
    element('h3', {}, 'As you see it'),
    ...call.parts.map(forPerson),
    element('h3', {}, `As the model gets it (${call.tokens} of text)`),
    ...call.parts.map(forModel),
    button('Copy Result as JSON', () => copy(JSON.stringify(call.parts, null, 2))),
  );
}

function forPerson(part: ToolResultPart): HTMLElement {
  if (part.kind === 'text') return element('pre', { tabindex: '0' }, pretty(part.text));
  const src = `data:${part.mimeType};base64,${part.base64}`;
  return element('img', { src, alt: `Image of the result, ${part.mimeType}` });
}

function forModel(part: ToolResultPart): HTMLElement {
  const text =
    part.kind === 'text'
      ? part.text
      : `[image, ${part.mimeType}, ${part.base64.length} characters]`;
  return element('pre', { tabindex: '0' }, text);
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
