// The scripted language model: answers from a queue, records every request.
'use strict';
const crypto = require('node:crypto');
const { demoAnswer } = require('./demo.js');

function createModel(vscode) {
  const demo = process.env.MCP_BRIDGE_PROBE_DEMO === '1';
  let answers = [];
  let requests = [];

  /** Texts and data parts of a message or of a tool result. */
  const flatten = (parts) => {
    const texts = [];
    const data = [];
    for (const part of parts ?? []) {
      if (typeof part === 'string') texts.push(part);
      else if (part instanceof vscode.LanguageModelTextPart) texts.push(part.value);
      else if (part instanceof vscode.LanguageModelDataPart)
        data.push({ mimeType: part.mimeType, bytes: part.data.byteLength });
      else if (typeof part?.value === 'string') texts.push(part.value);
      else if (part?.value !== undefined) texts.push(JSON.stringify(part.value));
    }
    return { text: texts.join('\n'), data };
  };
  const { LanguageModelToolCallPart, LanguageModelToolResultPart } = vscode;
  const isResult = (part) => part instanceof LanguageModelToolResultPart;
  const isCall = (part) => part instanceof LanguageModelToolCallPart;
  const describe = (message) => {
    const content = typeof message.content === 'string' ? [message.content] : [...message.content];
    const roles = vscode.LanguageModelChatMessageRole;
    return {
      role: { [roles.User]: 'user', [roles.Assistant]: 'assistant' }[message.role] ?? 'system',
      ...flatten(content.filter((part) => !isCall(part) && !isResult(part))),
      toolCalls: content.filter(isCall).map(({ callId, name, input }) => ({ callId, name, input })),
      toolResults: content
        .filter(isResult)
        .map((part) => ({ callId: part.callId, ...flatten(part.content) })),
    };
  };

  const provider = {
    provideLanguageModelChatInformation: () => [
      {
        id: 'scripted',
        name: 'Scripted',
        family: 'scripted',
        version: '1',
        maxInputTokens: 200_000,
        maxOutputTokens: 16_000,
        capabilities: { toolCalling: true, imageInput: true },
        isUserSelectable: true,
      },
    ],
    provideLanguageModelChatResponse(_model, messages, options, progress) {
      const tools = (options.tools ?? []).map(({ name, description, inputSchema }) => ({
        name,
        description,
        inputSchema,
      }));
      const described = messages.map(describe);
      const side = tools.length === 0;
      let answer = [{ text: side ? 'Scripted' : 'done' }];
      if (!side) answer = answers.shift() ?? (demo ? demoAnswer(described, tools) : answer);
      requests.push({ side, tools, messages: described, answer });
      for (const part of answer) {
        if (part.toolCall) {
          const id = `call_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}`;
          progress.report(
            new LanguageModelToolCallPart(id, part.toolCall.name, part.toolCall.input ?? {}),
          );
        } else progress.report(new vscode.LanguageModelTextPart(part.text));
      }
      return Promise.resolve();
    },
    provideTokenCount: (_model, text) =>
      Promise.resolve(
        Math.ceil((typeof text === 'string' ? text : flatten(text.content).text).length / 4),
      ),
  };

  return {
    provider,
    queue(more) {
      answers.push(...more);
    },
    requests: () => requests,
    clear() {
      answers = [];
      requests = [];
    },
  };
}

module.exports = { createModel };
