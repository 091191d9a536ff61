import { registerHooks } from 'node:module';

/** Makes `import 'vscode'` give the stand-in, in this process, for what is imported dynamically from now on. */
export function useFakeVscode(): void {
  const url = new URL('./vscode.ts', import.meta.url).href;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url, shortCircuit: true } : next(specifier, context),
  });
}
