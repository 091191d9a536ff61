// The test's foothold in a window: evaluates functions the test sends, and provides the scripted language model.
'use strict';
const vscode = require('vscode');
const http = require('node:http');
const fs = require('node:fs');
const path = require('node:path');
const crypto = require('node:crypto');
const { createModel } = require('./model.js');

const AsyncFunction = (async () => {}).constructor;

/** Runs `source`, a function expression, with the API and the arguments; `require` is in its scope. */
function evaluate({ source, args }) {
  const run = new AsyncFunction(
    'vscode',
    'require',
    'args',
    `return (${source})(vscode, ...args);`,
  );
  return run(vscode, require, args);
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
}

function activate(context) {
  const folder = process.env.MCP_BRIDGE_PROBE_FOLDER;
  if (!folder) return;
  const model = createModel(vscode);
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('scripted', model.provider),
  );
  const token = crypto.randomBytes(16).toString('hex');
  const routes = {
    evaluate,
    queue: ({ answers }) => model.queue(answers),
    requests: () => model.requests(),
    clear: () => model.clear(),
  };
  const server = http.createServer(async (request, response) => {
    const reply = (status, body) => {
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
      response.end(JSON.stringify(body));
    };
    const route = routes[(request.url ?? '').slice(1)];
    if (request.headers.authorization !== `Bearer ${token}` || !route) return reply(404, {});
    try {
      reply(200, { value: (await route(await readBody(request))) ?? null });
    } catch (error) {
      const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const message = error instanceof Error ? error.message : String(error);
      reply(200, { error: { message, stack } });
    }
  });
  if (process.env.MCP_BRIDGE_PROBE_DEMO === '1') {
    openChat().catch((error) => console.error('The chat could not be opened:', error));
  }
  const file = path.join(folder, `${process.pid}-${token.slice(0, 8)}.json`);
  server.listen(0, '127.0.0.1', () => {
    const announcement = {
      port: server.address().port,
      token,
      pid: process.pid,
      folder: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? null,
      workspaceFile: vscode.workspace.workspaceFile?.fsPath ?? null,
    };
    // Renamed into place, so that the test never reads half of it.
    fs.writeFileSync(`${file}.part`, JSON.stringify(announcement));
    fs.renameSync(`${file}.part`, file);
  });
  context.subscriptions.push({
    dispose() {
      fs.rmSync(file, { force: true });
      server.close();
      server.closeAllConnections();
    },
  });
  // For tests of what the editor keeps between restarts.
  return { context };
}

/** Enables the built-in Copilot, which is off until its models are looked at once, and opens the chat in agent mode. */
async function openChat() {
  const copilot = () => vscode.extensions.getExtension('GitHub.copilot-chat');
  if (!copilot()) {
    await vscode.commands.executeCommand('workbench.action.chat.manage');
    await vscode.commands.executeCommand('workbench.action.closeModalEditor');
  }
  for (let tries = 0; !copilot() && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 200));
  await copilot()?.activate();
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    mode: 'agent',
    query: '',
    isPartialQuery: true,
  });
}

module.exports = { activate };
