import * as vscode from 'vscode';
import { decodeBase64 } from '../core/results/base64.ts';
import { failureParts, type ToolCallOutcome, type ToolResultPart } from '../core/tools/toolCall.ts';

/** What the model gets of a call. A failure is a text too: an exception would make the editor advise a retry. */
export function toLanguageModelResult(outcome: ToolCallOutcome): vscode.LanguageModelToolResult {
  const parts = outcome.kind === 'result' ? outcome.parts : failureParts(outcome.message);
  return new vscode.LanguageModelToolResult(parts.map(toPart));
}

function toPart(part: ToolResultPart): vscode.LanguageModelTextPart | vscode.LanguageModelDataPart {
  if (part.kind === 'text') return new vscode.LanguageModelTextPart(part.text);
  return vscode.LanguageModelDataPart.image(decodeBase64(part.base64), part.mimeType);
}
