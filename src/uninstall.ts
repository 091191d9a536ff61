import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { withoutManifests } from './core/manifests/extensionList.ts';
import { isManifestName } from './core/manifests/toolManifest.ts';

/** Removes every tool manifest from an extensions folder: first from the editor's list, then its files. */
async function removeManifests(extensionsFolder: string): Promise<void> {
  const listFile = join(extensionsFolder, 'extensions.json');
  const text = await readFile(listFile, 'utf8').catch(() => '');
  const list = withoutManifests(text);
  if (list !== undefined) {
    // Replaced in one step: the editor may be reading it.
    const temporary = `${listFile}.mcp-bridge`;
    await writeFile(temporary, list);
    await rename(temporary, listFile);
  }
  const folders = await readdir(extensionsFolder);
  await Promise.all(
    folders
      .filter(isManifestName)
      .map((folder) => rm(join(extensionsFolder, folder), { recursive: true, force: true })),
  );
}

// The editor runs this after MCP Bridge was uninstalled; it lies in <extensions>/<MCP Bridge>/dist.
removeManifests(dirname(dirname(__dirname))).catch((error: unknown) => {
  process.stderr.write(
    `MCP Bridge: its tool declarations could not be removed: ${String(error)}\n`,
  );
  process.exitCode = 1;
});
