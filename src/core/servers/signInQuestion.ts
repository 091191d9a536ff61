import { shortened } from '../boundedText.ts';
import { visibleLine } from '../visibleLine.ts';
import type { BrowserRequest } from './signIn.ts';

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
  const named = scopes
    .slice(0, maxScopes)
    .map((scope) => visibleLine(shortened(scope, 100)))
    .join(', ');
  const more = scopes.length > maxScopes ? `, and ${scopes.length - maxScopes} more` : '';
  const lines = [
    `Your browser will open ${shortened(`${origin}${pathname}`, 300)}`,
    ...(scopes.length > 0 ? [`Access asked for: ${named}${more}`] : []),
    'Go on only if you trust this host with your account.',
  ];
  return { title, detail: lines.join('\n\n') };
}
