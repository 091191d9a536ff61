import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { zipSync } from 'fflate';
import { inRepository, pinnedNode } from './repository.ts';
import { runProgram } from './runProgram.ts';

interface Manifest {
  readonly name: string;
  readonly publisher: string;
  readonly version: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly engines: { readonly vscode: string };
}

const buildTimeoutMs = 120_000;
let packaged: Promise<string> | undefined;

/**
 * Builds the extension and packs it as dist/mcp-bridge.vsix, once per process; resolves with the path.
 * `$MCP_BRIDGE_VSIX` names a file to use instead of building one.
 */
export function packageExtension(): Promise<string> {
  packaged ??= buildPackage();
  return packaged;
}

async function buildPackage(): Promise<string> {
  const given = process.env['MCP_BRIDGE_VSIX'];
  if (given) return given;
  const file = inRepository('dist', 'mcp-bridge.vsix');
  await mkdir(dirname(file), { recursive: true });
  const options = { cwd: inRepository(), timeoutMs: buildTimeoutMs };
  await runProgram(pinnedNode, ['esbuild.mjs', '--production'], options);
  const vsce = inRepository('node_modules', '@vscode', 'vsce', 'vsce');
  await runProgram(
    pinnedNode,
    [vsce, 'package', '--no-dependencies', '--no-rewrite-relative-links', '-o', file],
    options,
  );
  return file;
}

/**
 * Writes a VSIX to `file`. `files` maps paths inside the extension's folder to their content and must contain `package.json`.
 * Everything is stored uncompressed: these are small files, installed at once.
 */
export async function writeVsix(
  file: string,
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<void> {
  const manifest = JSON.parse(toText(files['package.json'])) as Manifest;
  const encoder = new TextEncoder();
  const entries: Record<string, Uint8Array> = {
    'extension.vsixmanifest': encoder.encode(vsixManifest(manifest)),
    '[Content_Types].xml': encoder.encode(contentTypes(Object.keys(files))),
  };
  for (const [path, content] of Object.entries(files)) {
    entries[`extension/${path}`] = typeof content === 'string' ? encoder.encode(content) : content;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, zipSync(entries, { level: 0 }));
}

/** Packs the extension in `folder` into the VSIX `file`. */
export async function packFolder(folder: string, file: string): Promise<void> {
  const files: Record<string, Uint8Array> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path).split(sep).join('/')] = await readFile(path);
  }
  await writeVsix(file, files);
}

function toText(content: string | Uint8Array | undefined): string {
  if (content === undefined) throw new Error('A VSIX needs a package.json.');
  return typeof content === 'string' ? content : new TextDecoder().decode(content);
}

function vsixManifest(manifest: Manifest): string {
  const { name, publisher, version, displayName = name, description = '' } = manifest;
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}"/>
    <DisplayName>${escapeXml(displayName)}</DisplayName>
    <Description xml:space="preserve">${escapeXml(description)}</Description>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escapeXml(manifest.engines.vscode)}"/>
    </Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
  </Assets>
</PackageManifest>
`;
}

function contentTypes(paths: readonly string[]): string {
  const extensions = new Set(paths.map((path) => path.slice(path.lastIndexOf('.') + 1)));
  extensions.add('vsixmanifest');
  const types = [...extensions].map(
    (extension) => `<Default Extension=".${extension}" ContentType="application/octet-stream"/>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types.join('')}</Types>
`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
