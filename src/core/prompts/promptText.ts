import { isJsonObject, type JsonObject } from '../../base/json.ts';
import { boundedText } from '../boundedText.ts';
import { visibleText } from '../visibleText.ts';

/** Longest text made of a prompt, in characters. */
export const maxPromptText = 200_000;
const maxMessages = 200;

/**
 * A `GetPromptResult` (MCP specification, "Prompts") as one text for a person to read and send. Messages of
 * another role than `user` are headed with it; whatever is no text is described. Empty when the server gave
 * no message.
 */
export function promptText(result: unknown): string {
  const messages = isJsonObject(result) ? result['messages'] : undefined;
  const read = (Array.isArray(messages) ? messages : [])
    .slice(0, maxMessages)
    .filter(isJsonObject)
    .map((message) => ({ role: roleOf(message), text: contentText(message['content']) }))
    .filter(({ text }) => text !== '');
  const isConversation = read.some(({ role }) => role !== 'user');
  const text = read
    .map((message) =>
      isConversation ? `${heading(message.role)}\n\n${message.text}` : message.text,
    )
    .join('\n\n');
  const shown = visibleText(text.slice(0, maxPromptText).replaceAll('\r\n', '\n'));
  return text.length <= maxPromptText
    ? shown
    : `${shown}\n\n[${text.length - maxPromptText} more characters left out]`;
}

function roleOf({ role }: JsonObject): string {
  return boundedText(role, 40) ?? 'user';
}

function heading(role: string): string {
  return `**${role.slice(0, 1).toUpperCase()}${role.slice(1)}:**`;
}

function contentText(content: unknown): string {
  if (Array.isArray(content)) return content.slice(0, maxMessages).map(contentText).join('\n\n');
  if (typeof content === 'string') return content;
  if (!isJsonObject(content)) return '';
  const type = boundedText(content['mimeType'], 100) ?? 'unknown type';
  switch (content['type']) {
    case 'text':
      return boundedText(content['text'], maxPromptText + 1) ?? '';
    case 'image':
    case 'audio':
      return `[${content['type']}, ${type}: not taken over]`;
    case 'resource':
      return embedded(content['resource']);
    case 'resource_link':
      return `[resource ${boundedText(content['uri'], 2048) ?? 'without a URI'}]`;
    default:
      return `[content of the unknown type ${boundedText(content['type'], 100) ?? '(none)'}]`;
  }
}

/** The text of a resource in a fence that nothing in it can close. */
function embedded(resource: unknown): string {
  if (!isJsonObject(resource)) return '[resource without content]';
  const uri = boundedText(resource['uri'], 2048) ?? '(no URI)';
  const { text } = resource;
  if (typeof text !== 'string') {
    return `[resource ${uri}, ${boundedText(resource['mimeType'], 100) ?? 'unknown type'}: not taken over]`;
  }
  const body = text.slice(0, maxPromptText + 1);
  const longest = Math.max(2, ...Array.from(body.matchAll(/`{3,}/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `Resource ${uri}:\n\n${fence}\n${body}\n${fence}`;
}
