import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, '../..');

export interface Import {
  /** As written. */
  readonly specifier: string;
  readonly kind: 'static' | 'type' | 'dynamic';
}

export interface SourceFile {
  /** Relative to the repository, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

/** All TypeScript files below `src`. */
export function sourceFiles(): SourceFile[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => {
      const text = readFileSync(join(parentPath, name), 'utf8');
      const path = relative(root, join(parentPath, name)).replaceAll('\\', '/');
      return { path, text, imports: importsOf(text) };
    })
    .toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** The path of the source file an import leads to; `undefined` for a package. */
export function target({ path }: SourceFile, { specifier }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return join(path, '..', specifier).replaceAll('\\', '/');
}

function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const declaration = /^(?:import|export)\b(\s+type\b)?(?:[^'";]*?\bfrom)?\s*'([^']+)'/gm;
  for (const [, type, specifier = ''] of text.matchAll(declaration)) {
    found.push({ specifier, kind: type === undefined ? 'static' : 'type' });
  }
  for (const [, specifier = ''] of text.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g)) {
    found.push({ specifier, kind: 'dynamic' });
  }
  return found;
}
