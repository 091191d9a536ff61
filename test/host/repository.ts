import { join } from 'node:path';

/** The folder of this repository. */
const repositoryRoot = join(import.meta.dirname, '..', '..');

/** A path below the repository. */
export function inRepository(...parts: string[]): string {
  return join(repositoryRoot, ...parts);
}

/** The pinned Node 24 of this repository: it runs the tests, the editor and the MCP servers. */
export const pinnedNode = inRepository(
  'node_modules',
  'node',
  'bin',
  process.platform === 'win32' ? 'node.exe' : 'node',
);

/** The script of a reference MCP server among the development dependencies, such as `server-everything`. */
export function referenceServer(name: string): string {
  return inRepository('node_modules', '@modelcontextprotocol', name, 'dist', 'index.js');
}
