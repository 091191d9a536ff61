/** An account that people are signed in to in the editor itself (VS Code API, `authentication`). */
export interface EditorAccount {
  /** Id of the editor's authentication provider. */
  readonly provider: 'github' | 'microsoft';
  /** As people call it. */
  readonly name: string;
  /** Scopes that tell the provider which directory is meant. */
  readonly scopes: readonly string[];
}

/** Directories of Microsoft that stand for many. */
const common = new Set(['common', 'organizations', 'consumers']);

/** The account of the editor whose authorization server this is, by exactly its issuer; `undefined` if there is none. */
export function editorAccountOf(issuer: string): EditorAccount | undefined {
  const plain = issuer.replace(/\/$/, '');
  if (plain === 'https://github.com/login/oauth') {
    return { provider: 'github', name: 'GitHub', scopes: [] };
  }
  const [, tenant] =
    /^https:\/\/login\.microsoftonline\.com\/([A-Za-z0-9.-]{1,128})\/v2\.0$/.exec(plain) ?? [];
  if (tenant === undefined) return undefined;
  const scopes = common.has(tenant) ? [] : [`VSCODE_TENANT:${tenant}`];
  return { provider: 'microsoft', name: 'Microsoft', scopes };
}
