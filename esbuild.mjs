import { build, context } from 'esbuild';

const isProduction = process.argv.includes('--production');

/**
 * zod carries its error messages in fifty languages, a quarter of the bundle; English is enough for us.
 * @type {import('esbuild').Plugin}
 */
const englishOnly = {
  name: 'english-only',
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: {
    extension: 'src/extension.ts',
    uninstall: 'src/uninstall.ts',
    sampleServer: 'src/sample/sampleServer.ts',
  },
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  format: 'cjs',
  platform: 'node',
  // Node of the oldest editor in `engines.vscode`.
  target: 'node22',
  external: ['vscode'],
  // The `main` of jsonc-parser hides its modules from bundlers.
  mainFields: ['module', 'main'],
  plugins: [englishOnly],
  minify: isProduction,
  sourcemap: !isProduction,
  logLevel: 'info',
};

/**
 * What runs in the tab of a tool.
 * @type {import('esbuild').BuildOptions}
 */
const pageOptions = {
  entryPoints: { toolPage: 'src/webview/toolPage.ts' },
  outdir: 'dist',
  bundle: true,
  format: 'iife',
  platform: 'browser',
  target: 'es2024',
  minify: isProduction,
  // No source map: the page may load nothing but its script.
  logLevel: 'info',
};

for (const each of [options, pageOptions]) {
  if (process.argv.includes('--watch')) await (await context(each)).watch();
  else await build(each);
}
