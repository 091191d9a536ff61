import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { inRepository } from '../host/repository.ts';
import { packageExtension } from '../host/vsix.ts';

test('the VSIX holds what it needs, nothing else, and stays below 900 KB', async (context) => {
  const file = await packageExtension();
  const { size } = await stat(file);
  context.diagnostic(`${(size / 1024).toFixed(1)} KB`);
  assert.ok(size < 900 * 1024, `${size} bytes`);
  assert.deepEqual(Object.keys(unzipSync(await readFile(file))).toSorted(), [
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/changelog.md',
    'extension/dist/extension.cjs',
    'extension/dist/sampleServer.cjs',
    'extension/dist/toolPage.js',
    'extension/dist/uninstall.cjs',
    'extension/media/bridge.svg',
    'extension/media/icon.png',
    'extension/media/toolPage.css',
    'extension/media/walkthrough/add.svg',
    'extension/media/walkthrough/agent.svg',
    'extension/media/walkthrough/browse.svg',
    'extension/media/walkthrough/restrict.svg',
    'extension/media/walkthrough/sample.svg',
    'extension/package.json',
    'extension/readme.md',
  ]);
});

test('uninstalling removes the tool manifests and nothing else', async () => {
  await packageExtension();
  const folder = await mkdtemp(join(tmpdir(), 'mcp-bridge-extensions-'));
  try {
    const own = join(folder, 'mcp-bridge.mcp-bridge-0.1.0', 'dist');
    const manifest = join(folder, 'mcp-bridge-tools.github-1234-1.0.0');
    const other = join(folder, 'someone.else-1.0.0');
    for (const path of [own, manifest, other]) await mkdir(path, { recursive: true });
    await cp(inRepository('dist', 'uninstall.cjs'), join(own, 'uninstall.cjs'));
    const entry = (id: string): object => ({ identifier: { id }, version: '1.0.0' });
    const list = [entry('mcp-bridge-tools.github-1234'), entry('someone.else')];
    await writeFile(join(folder, 'extensions.json'), JSON.stringify(list));
    execFileSync(process.execPath, [join(own, 'uninstall.cjs')]);
    assert.deepEqual(
      {
        list: JSON.parse(await readFile(join(folder, 'extensions.json'), 'utf8')),
        manifest: existsSync(manifest),
        other: existsSync(other),
      },
      { list: [entry('someone.else')], manifest: false, other: true },
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
