import { toolResultsIn, type ModelRequest } from './scriptedModel.ts';

/** Writes one turn of a conversation as text, from the requests the model received and its answers. */
export function transcriptOf(prompt: string, requests: readonly ModelRequest[]): string {
  const lines = [`User: ${prompt}`];
  let known = requests[0] === undefined ? 0 : toolResultsIn(requests[0]).length;
  for (const request of requests) {
    const results = toolResultsIn(request);
    for (const { text, data } of results.slice(known)) {
      const attachments = data
        .map(({ mimeType, bytes }) => ` [${mimeType}, ${bytes} bytes]`)
        .join('');
      lines.push(`Tool result: ${text}${attachments}`);
    }
    known = results.length;
    for (const part of request.answer) {
      if ('text' in part) lines.push(`Model: ${part.text}`);
      else lines.push(`Tool call: ${part.toolCall.name} ${JSON.stringify(part.toolCall.input)}`);
    }
  }
  return lines.join('\n');
}
