import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { Workspace, invokeTool, npmServer, registeredTool } from '../bridgeProbe.ts';
import { freePort } from '../freePort.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

/** Valid arguments for tools that need some, and what their answer must show. `{F}` is the workspace folder. */
const calls: Readonly<Record<string, readonly [input: object, answer: RegExp]>> = {
  everything__echo: [{ message: 'hi' }, /Echo: hi/],
  'everything__get-annotated-message': [{ messageType: 'error' }, /Error: Operation failed/],
  'everything__get-env': [{}, /PATH/],
  'everything__get-resource-links': [{ count: 2 }, /demo:\/\/resource/],
  'everything__get-resource-reference': [{ resourceType: 'Text', resourceId: 1 }, /resource/i],
  'everything__get-structured-content': [{ location: 'New York' }, /temperature/],
  'everything__get-sum': [{ a: 2, b: 3 }, /The sum of 2 and 3 is 5/],
  'everything__get-tiny-image': [{}, /\[image\/png\]/],
  'everything__gzip-file-as-resource': [
    { name: 'x.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' },
    /x\.gz/,
  ],
  'everything__toggle-simulated-logging': [{}, /logging/i],
  'everything__toggle-subscriber-updates': [{}, /updates/i],
  'everything__trigger-long-running-operation': [{ duration: 1, steps: 2 }, /completed/i],
  filesystem__read_file: [{ path: '{F}/note.txt' }, /hello file/],
  filesystem__read_text_file: [{ path: '{F}/note.txt' }, /hello file/],
  filesystem__read_media_file: [{ path: '{F}/dot.png' }, /\[image\/png\]/],
  filesystem__read_multiple_files: [{ paths: ['{F}/note.txt'] }, /hello file/],
  filesystem__write_file: [{ path: '{F}/new.txt', content: 'new' }, /new\.txt/],
  filesystem__edit_file: [
    { path: '{F}/new.txt', edits: [{ oldText: 'new', newText: 'newer' }] },
    /newer/,
  ],
  filesystem__create_directory: [{ path: '{F}/sub' }, /sub/],
  filesystem__list_directory: [{ path: '{F}' }, /note\.txt/],
  filesystem__list_directory_with_sizes: [{ path: '{F}' }, /note\.txt/],
  filesystem__directory_tree: [{ path: '{F}' }, /note\.txt/],
  filesystem__move_file: [{ source: '{F}/new.txt', destination: '{F}/sub/moved.txt' }, /moved/],
  filesystem__search_files: [{ path: '{F}', pattern: '**/*.txt' }, /note\.txt/],
  filesystem__get_file_info: [{ path: '{F}/note.txt' }, /size/],
  filesystem__list_allowed_directories: [{}, /mcp-bridge-workspace/],
  'everything__get-roots-list': [{}, /mcp-bridge-workspace/],
  everything__read_resource: [{ uri: 'demo://resource/static/document/features.md' }, /feature/i],
  memory__read_resource: [{ uri: 'memory://knowledge-graph' }, /entities/],
  memory__create_entities: [
    { entities: [{ name: 'Bridge', entityType: 'thing', observations: ['long'] }] },
    /Bridge/,
  ],
  memory__create_relations: [
    { relations: [{ from: 'Bridge', to: 'Bridge', relationType: 'is' }] },
    /Bridge/,
  ],
  memory__add_observations: [
    { observations: [{ entityName: 'Bridge', contents: ['high'] }] },
    /high/,
  ],
  memory__read_graph: [{}, /Bridge/],
  memory__search_nodes: [{ query: 'Bridge' }, /Bridge/],
  memory__open_nodes: [{ names: ['Bridge'] }, /Bridge/],
  memory__delete_observations: [
    { deletions: [{ entityName: 'Bridge', observations: ['high'] }] },
    /success/i,
  ],
  memory__delete_relations: [
    { relations: [{ from: 'Bridge', to: 'Bridge', relationType: 'is' }] },
    /success/i,
  ],
  memory__delete_entities: [{ entityNames: ['Bridge'] }, /success/i],
  thinking__sequentialthinking: [
    { thought: 'hm', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 },
    /thoughtNumber/,
  ],
};

/** Tools of which a call asks the person something; `questions.test.ts` answers such. */
const asking = [
  'everything__simulate-research-query',
  'everything__trigger-elicitation-request',
  'everything__trigger-sampling-request',
  'everything__trigger-url-elicitation',
];

interface RemoteServer extends AsyncDisposable {
  readonly origin: string;
}

/** Starts server-everything as a remote server and waits until it listens. */
async function remoteEverything(transport: 'streamableHttp' | 'sse'): Promise<RemoteServer> {
  const port = await freePort();
  const { command, args } = npmServer('server-everything', transport);
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = once(child, 'exit');
  child.stderr.setEncoding('utf8');
  let said = '';
  for await (const text of child.stderr.iterator({ destroyOnReturn: false })) {
    said += String(text);
    if (said.includes(String(port))) break;
  }
  child.stderr.resume();
  assert.match(said, new RegExp(String(port)), 'the server listens');
  return {
    origin: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('servers over Streamable HTTP and over HTTP+SSE answer calls too', async () => {
  await using workspace = await Workspace.create();
  await using http = await remoteEverything('streamableHttp');
  await using sse = await remoteEverything('sse');
  const session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'mcpBridge.servers': {
        remote: { url: `${http.origin}/mcp`, confirm: 'never' },
        // The address of an old server: the first POST is refused, and the bridge falls back.
        old: { url: `${sse.origin}/sse`, confirm: 'never' },
      },
    },
  });
  try {
    const window = await session.openWindow(workspace.folder);
    for (const name of ['remote__echo', 'old__echo']) {
      await registeredTool(window, name);
      assert.equal(await invokeTool(window, name, { message: name }), `Echo: ${name}`);
    }
  } finally {
    await session.close();
  }
});

test('every tool of four real servers is registered and answers a call', async () => {
  await using workspace = await Workspace.create();
  const { folder } = workspace;
  await writeFile(join(folder, 'note.txt'), 'hello file\n');
  await writeFile(join(folder, 'dot.png'), Buffer.from(png, 'base64'));
  // Tools that say they overwrite or delete must be named one by one.
  const confirm = Object.fromEntries(
    Object.keys(calls).map((name) => [name.replace(/^.*?__/, ''), 'never']),
  );
  const session = await startEditor({
    vsix: [await packageExtension()],
    settings: {
      'mcpBridge.servers': {
        everything: { ...npmServer('server-everything', 'stdio'), confirm },
        filesystem: { ...npmServer('server-filesystem', '${workspaceFolder}'), confirm },
        memory: {
          ...npmServer('server-memory'),
          env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
          confirm,
        },
        thinking: { ...npmServer('server-sequential-thinking'), confirm },
      },
    },
  });
  try {
    const window = await session.openWindow(folder);
    const names = Object.keys(calls);
    for (const server of [
      'everything__echo',
      'filesystem__read_file',
      'memory__read_graph',
      'thinking__sequentialthinking',
    ]) {
      await registeredTool(window, server);
    }
    const registered = await window.evaluate((vscode) =>
      vscode.lm.tools
        .map(({ name }) => name)
        .filter((name) => /^(everything|filesystem|memory|thinking)__/.test(name)),
    );
    assert.deepEqual(registered.toSorted(), [...names, ...asking].toSorted());
    assert.equal(
      await invokeTool(window, 'everything__get-sum', { a: 'x' }),
      'Error: The arguments for "everything__get-sum" do not fit its input schema, so it was not called:\n- "b" is required\n- "a" must be number\nCorrect these and call it again.',
    );
    for (const [name, [input, expected]] of Object.entries(calls)) {
      const args = JSON.parse(JSON.stringify(input).replaceAll('{F}', folder)) as object;
      assert.match(await invokeTool(window, name, args), expected, name);
    }
  } finally {
    await session.close();
  }
});
