import { shortened } from '../boundedText.ts';
import { visibleLine } from '../visibleLine.ts';
import type { BrowserRequest, EditorTokenRequest } from './signIn.ts';

/** Most scopes that are named. */
const maxScopes = 30;

/** What the person is asked before the browser opens: who wants them where, and for what. */
export function signInQuestion({ server, url, scopes, isForCall }: BrowserRequest): {
  title: string;
  detail: string;
} {
  const { host, origin, pathname } = new URL(url);
  const name = visibleLine(shortened(server, 100));
  const title = isForCall
    ? `A call of the MCP server "${name}" needs more rights than it has. Sign in again at ${host}?`
    : `The MCP server "${name}" wants you to sign in at ${host}.`;
  const lines = [
    `Your browser will open ${shortened(`${origin}${pathname}`, 300)}`,
    ...(scopes.length > 0 ? [`Access asked for: ${scopeList(scopes)}`] : []),
    'Go on only if you trust this host with your account.',
  ];
  return { title, detail: lines.join('\n\n') };
}

/** What the person is asked before a server gets a token of one of the editor's accounts. */
export function editorTokenQuestion({
  server,
  host,
  account: { name },
  scopes,
  isForCall,
}: EditorTokenRequest): { title: string; detail: string } {
  const key = visibleLine(shortened(server, 100));
  const place = visibleLine(shortened(host, 300));
  const title = isForCall
    ? `A call of the MCP server "${key}" needs more rights of your ${name} account. Give them?`
    : `Let the MCP server "${key}" use your ${name} account?`;
  const rights = scopes.length === 0 ? 'what you granted the editor' : scopeList(scopes);
  const lines = [
    `${place} gets a token of the ${name} account that the editor is signed in with.`,
    `It can do with it: ${rights}.`,
    `Go on only if you trust ${place} with your ${name} account.`,
  ];
  return { title, detail: lines.join('\n\n') };
}

function scopeList(scopes: readonly string[]): string {
  const named = scopes
    .slice(0, maxScopes)
    .map((scope) => visibleLine(shortened(scope, 100)))
    .join(', ');
  return scopes.length > maxScopes ? `${named}, and ${scopes.length - maxScopes} more` : named;
}
