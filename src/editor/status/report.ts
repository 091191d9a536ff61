import * as vscode from 'vscode';
import { reportText } from '../../core/report/report.ts';
import { statusSummary } from '../../core/servers/statusSummary.ts';
import type { KnownServers } from '../knownServers.ts';

export interface ReportSource {
  readonly known: () => KnownServers;
  readonly userHome: string;
  readonly platform: string;
  /** Masks every secret that is known. */
  readonly mask: (text: string) => string;
  readonly context: vscode.ExtensionContext;
}

/** Characters of the log's end that are taken. */
const maxLog = 20_000;

/** Opens a document that describes what runs and what does not, for somebody who is to help. Nothing is sent anywhere. */
export async function openReport(source: ReportSource): Promise<void> {
  const { catalog, invalid, problems, budget } = source.known();
  const { extension } = source.context;
  const text = reportText({
    surroundings: {
      Extension: String(extension.packageJSON.version),
      Editor: `${vscode.env.appName} ${vscode.version}`,
      System: source.platform,
      Place: `${vscode.env.remoteName ?? 'local'}, ${vscode.env.uiKind === vscode.UIKind.Web ? 'web' : 'desktop'}`,
      Workspace: `${vscode.workspace.workspaceFolders?.length ?? 0} folders, ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}`,
      'Language-model tools': String(typeof vscode.lm?.registerTool === 'function'),
    },
    summary: statusSummary(catalog, invalid.length),
    budget,
    servers: catalog?.servers ?? [],
    problems,
    log: await logEnd(source.context.logUri),
  });
  const home = source.userHome.length > 1 ? source.userHome : undefined;
  const content = source.mask(home === undefined ? text : text.replaceAll(home, '~'));
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}

async function logEnd(logUri: vscode.Uri): Promise<string> {
  try {
    const uri = vscode.Uri.joinPath(logUri, 'MCP Bridge.log');
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    return text.slice(-maxLog).trim();
  } catch (error: unknown) {
    return `(the log cannot be read: ${error instanceof Error ? error.message : String(error)})`;
  }
}
