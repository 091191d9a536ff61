import { applyEdits, findNodeAtOffset, getNodePath, modify, parseTree } from 'jsonc-parser';
import * as vscode from 'vscode';
import { configurationSection, inputsSetting } from '../contributionIds.ts';
import { unmatchedPatternCode } from './serverDiagnostics.ts';
import type { CompletionSource } from './settingsCompletions.ts';

const formattingOptions = { insertSpaces: true, tabSize: 2 };

/** Corrections for what is marked in a settings file. */
export class SettingsFixes implements vscode.CodeActionProvider {
  readonly #source: CompletionSource;

  constructor(source: CompletionSource) {
    this.#source = source;
  }

  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    return diagnostics
      .filter(({ source }) => source === 'MCP Bridge')
      .flatMap((diagnostic) =>
        diagnostic.code === unmatchedPatternCode
          ? [removal(document, diagnostic)]
          : this.#variableFixes(document, diagnostic),
      );
  }

  /** For variables without a value in the text that is marked. */
  #variableFixes(document: vscode.TextDocument, diagnostic: vscode.Diagnostic) {
    const text = document.getText(diagnostic.range);
    const environment = new Set(this.#source.environmentNames());
    const inputs = new Set(this.#source.inputIds());
    const named = [...text.matchAll(/\$\{(env|input):([^{}:"\\]+)\}/g)];
    return named.flatMap(([variable, kind, name = '']) => {
      if (kind === 'input') return inputs.has(name) ? [] : [definition(document, diagnostic, name)];
      if (environment.has(name)) return [];
      const instead = [`\${secret:${name}}`, `\${env:${name}:-}`] as const;
      const titles = ['Keep it in the secret storage instead', 'Give it an empty default'];
      return instead.map((replacement, index) => {
        const title = `${titles[index]}: ${replacement}`;
        const changed = text.replaceAll(variable, () => replacement);
        return edited(document, diagnostic, title, diagnostic.range, changed);
      });
    });
  }
}

function removal(document: vscode.TextDocument, diagnostic: vscode.Diagnostic): vscode.CodeAction {
  const text = document.getText();
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const node = tree && findNodeAtOffset(tree, document.offsetAt(diagnostic.range.start));
  const changed =
    node === undefined
      ? text
      : applyEdits(text, modify(text, getNodePath(node), undefined, { formattingOptions }));
  return edited(document, diagnostic, 'Remove this pattern', whole(document), changed);
}

/** Adds the definition of an input beside the other settings of the file. */
function definition(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  id: string,
): vscode.CodeAction {
  const text = document.getText();
  const above = document.uri.path.endsWith('.code-workspace') ? ['settings'] : [];
  const path = [...above, `${configurationSection}.${inputsSetting}`, -1];
  const input = { id, type: 'promptString', description: id, password: true };
  const options = { formattingOptions, isArrayInsertion: true };
  const changed = applyEdits(text, modify(text, path, input, options));
  return edited(document, diagnostic, `Define the input "${id}"`, whole(document), changed);
}

function whole(document: vscode.TextDocument): vscode.Range {
  return new vscode.Range(document.positionAt(0), document.positionAt(document.getText().length));
}

function edited(
  document: vscode.TextDocument,
  diagnostic: vscode.Diagnostic,
  title: string,
  range: vscode.Range,
  text: string,
): vscode.CodeAction {
  const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
  action.edit = new vscode.WorkspaceEdit();
  action.edit.replace(document.uri, range, text);
  action.diagnostics = [diagnostic];
  return action;
}
