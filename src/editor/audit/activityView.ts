import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import type { AuditEntry } from '../../core/audit/auditEntry.ts';
import type { AuditLog } from '../../core/audit/auditLog.ts';
import { activityViewId, commandIds } from '../contributionIds.ts';
import { row, titled } from '../tooltips.ts';

/** Milliseconds after which the view follows the log: a burst of calls draws it once. */
const settleTime = 300;

/** What agents did and what the person decided, newest first. */
export class ActivityView implements vscode.TreeDataProvider<AuditEntry>, Disposable {
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new vscode.EventEmitter<undefined>());
  readonly onDidChangeTreeData = this.#didChange.event;
  readonly #log: AuditLog;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(log: AuditLog) {
    this.#log = log;
    this.#store.add(vscode.window.createTreeView(activityViewId, { treeDataProvider: this }));
    this.#store.add(
      log.onDidRecord(() => {
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#didChange.fire(undefined);
        }, settleTime);
      }),
    );
  }

  /** The commands of the view, by id. */
  get handlers(): Readonly<Record<string, () => Promise<void>>> {
    return {
      [commandIds.openAudit]: async () => {
        const content = await this.#log.text();
        const document = await vscode.workspace.openTextDocument({ language: 'jsonl', content });
        await vscode.window.showTextDocument(document);
      },
      [commandIds.exportAudit]: async () => {
        const uri = await vscode.window.showSaveDialog({
          title: 'Export Audit Log',
          filters: { 'JSON Lines': ['jsonl'] },
        });
        if (uri === undefined) return;
        await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(await this.#log.text()));
      },
    };
  }

  async getChildren(entry?: AuditEntry): Promise<AuditEntry[]> {
    return entry === undefined ? [...(await this.#log.recent())] : [];
  }

  getTreeItem(entry: AuditEntry): vscode.TreeItem {
    const what = entry.tool ?? (entry.subject === 'launch' ? 'launch' : 'instructions');
    const item = new vscode.TreeItem(entry.server === '' ? what : `${what} · ${entry.server}`);
    const outcome = outcomeText(entry);
    const time = new Date(entry.time);
    item.description = `${outcome}, ${time.toLocaleTimeString()}`;
    item.iconPath = iconOf(entry);
    item.tooltip = tooltipOf(entry);
    item.accessibilityInformation = {
      label: `${what} of ${entry.server}: ${outcome}, ${time.toLocaleString()}`,
    };
    return item;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#store.dispose();
  }
}

const outcomes: Readonly<Record<string, string>> = {
  result: 'answered',
  toolError: 'the tool reported an error',
  failure: 'not answered',
  cancelled: 'cancelled',
};

function outcomeText({ kind, outcome = '', decision = '', approval, code }: AuditEntry): string {
  if (kind === 'decision') return decision;
  if (approval === 'refused' || approval === 'unanswered') return 'not allowed';
  const text = outcomes[outcome] ?? outcome;
  return code === undefined ? text : `${text} (${code})`;
}

function iconOf({ kind, outcome, decision }: AuditEntry): vscode.ThemeIcon {
  if (kind === 'decision') {
    return new vscode.ThemeIcon(decision === 'approved' ? 'verified' : 'shield');
  }
  if (outcome === 'result') {
    return new vscode.ThemeIcon('check', new vscode.ThemeColor('testing.iconPassed'));
  }
  return outcome === 'cancelled'
    ? new vscode.ThemeIcon('circle-slash')
    : new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
}

const approvals: Readonly<Record<string, string>> = {
  editor: 'the editor was told to ask',
  dialog: 'you, in a dialog of MCP Bridge',
  rule: 'your rules: no question',
  person: 'you made the call by hand',
  refused: 'you refused it',
  unanswered: 'the question was not answered',
  none: 'it did not come to that',
};

function tooltipOf(entry: AuditEntry): vscode.MarkdownString {
  const text = titled(entry.exposedName ?? entry.tool ?? entry.server);
  row(text, 'Time', new Date(entry.time).toLocaleString());
  row(text, 'Server', `${entry.server} (${entry.scope})`);
  row(text, 'Outcome', outcomeText(entry));
  if (entry.approval !== undefined) {
    row(text, 'Approved by', approvals[entry.approval] ?? entry.approval);
  }
  if (entry.durationMs !== undefined) row(text, 'Duration', `${entry.durationMs} ms`);
  if (entry.about !== undefined) row(text, 'About', entry.about.join(', '));
  if (entry.arguments !== undefined) {
    text.appendMarkdown('\n\nArguments, without their values');
    text.appendCodeblock(JSON.stringify(entry.arguments, null, 2), 'json');
  }
  return text;
}
