import * as vscode from 'vscode';

/** The empty page: it takes script and style from the extension only, and nothing from the network. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const uri = (...path: string[]): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${webview.cspSource}; img-src data:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>MCP tool</title>
<link rel="stylesheet" href="${uri('media', 'toolPage.css')}">
</head>
<body>
<main id="page"></main>
<script nonce="${nonce}" src="${uri('dist', 'toolPage.js')}"></script>
</body>
</html>`;
}
