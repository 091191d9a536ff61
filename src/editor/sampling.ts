import * as vscode from 'vscode';
import type { SamplingAnswer, SamplingRequest } from '../core/clientFeatures/clientFeatures.ts';
import { visibleLine } from '../core/visibleLine.ts';

/** Most characters of the prompt shown in the question, and of the answer given back. */
const maxShown = 1500;
const maxAnswer = 100_000;

/**
 * Lets a language model of the editor answer a server, after the person has seen the prompt. `undefined`: the
 * person refused. Throws when no model is there or the model fails.
 */
export async function sample(
  server: string,
  { systemPrompt, messages, maxTokens, modelHints }: SamplingRequest,
  token: vscode.CancellationToken,
): Promise<SamplingAnswer | undefined> {
  const model = await selectModel(modelHints);
  const prompt = [
    ...(systemPrompt === undefined ? [] : [systemPrompt]),
    ...messages.map(({ text }) => text),
  ].join('\n\n');
  const shown = visibleLine(prompt);
  const allow = 'Allow Once';
  const answer = await vscode.window.showInformationMessage(
    `Let the MCP server "${server}" use the language model ${model.name}?`,
    {
      modal: true,
      detail: `It gets the model's answer to this text (at most ${maxTokens} tokens):\n\n${shown.length <= maxShown ? shown : `${shown.slice(0, maxShown).toWellFormed()}… (${shown.length - maxShown} more characters)`}`,
    },
    allow,
  );
  if (answer !== allow || token.isCancellationRequested) return undefined;
  const response = await model.sendRequest(
    [
      // The API has no message of the system.
      ...(systemPrompt === undefined ? [] : [vscode.LanguageModelChatMessage.User(systemPrompt)]),
      ...messages.map(({ role, text }) =>
        role === 'user'
          ? vscode.LanguageModelChatMessage.User(text)
          : vscode.LanguageModelChatMessage.Assistant(text),
      ),
    ],
    {
      justification: `The MCP server "${server}" asks for it.`,
      modelOptions: { max_tokens: maxTokens },
    },
    token,
  );
  let text = '';
  for await (const part of response.text) {
    text += part;
    if (text.length > maxAnswer) break;
  }
  return { model: model.id, text };
}

async function selectModel(hints: readonly string[]): Promise<vscode.LanguageModelChat> {
  const models = await vscode.lm.selectChatModels();
  const matching = hints.flatMap((hint) =>
    models.filter(({ id, family, name }) =>
      [id, family, name].some((text) => text.toLowerCase().includes(hint.toLowerCase())),
    ),
  );
  const model = matching[0] ?? models[0];
  if (model === undefined) throw new Error('The editor has no language model to offer.');
  return model;
}
