import { readFile, writeFile } from 'node:fs/promises';

/** The bundles of the editor that decide whether an extension may use a proposed API. */
const bundlesWithProposedApiCheck = [
  'out/vs/code/browser/workbench/workbench.js',
  'out/vs/workbench/api/node/extensionHostProcess.js',
  'out/vs/workbench/api/worker/extensionHostWorkerMain.js',
  'out/server-main.js',
] as const;

const alwaysYes =
  /function ([A-Za-z_$][\w$]*)\(([A-Za-z_$][\w$]*),([A-Za-z_$][\w$]*)\)\{return!0\}/g;

/**
 * Returns the source of a bundle with the check restored: code-server compiles it to a function that always says
 * yes, a released editor says yes only to what the extension lists in `enabledApiProposals`.
 * The function is the one that guards the error "CANNOT use API proposal". Throws when there is not exactly one.
 */
function restoreProposedApiCheck(source: string, file: string): string {
  const found = [...source.matchAll(alwaysYes)].filter(([, name = '']) =>
    guardsTheError(source, name),
  );
  const [match] = found;
  if (found.length !== 1 || match === undefined) {
    throw new Error(
      `${file}: expected one function that answers yes to every proposed API, found ${found.length}. ` +
        'The editor version changed: update test/host/restoreProposedApiCheck.ts.',
    );
  }
  const [whole, name, extension, proposal] = match;
  const check = `function ${name}(${extension},${proposal}){return!!${extension}?.enabledApiProposals?.includes(${proposal})}`;
  return source.replace(whole, () => check);
}

function guardsTheError(source: string, name: string): boolean {
  const call = name.replaceAll('$', String.raw`\$`);
  return new RegExp(
    String.raw`if\(!${call}\([\w$]+,[\w$]+\)\)throw new Error\(\`Extension '[^\`]{0,80}' CANNOT use API proposal`,
  ).test(source);
}

/** Restores the check in every bundle below `vscodeFolder` (`lib/vscode` of code-server). */
export async function restoreProposedApiChecks(vscodeFolder: string): Promise<void> {
  for (const bundle of bundlesWithProposedApiCheck) {
    const file = `${vscodeFolder}/${bundle}`;
    await writeFile(file, restoreProposedApiCheck(await readFile(file, 'utf8'), bundle));
  }
}
