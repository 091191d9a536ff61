import { strToU8, zipSync } from 'fflate';
import type { ToolManifest } from './toolManifest.ts';

/** A fixed date, so that equal manifests give equal bytes. */
const date = new Date('2026-01-01T00:00:00Z');

/** The bytes of a VSIX file (an OPC zip package) that holds the manifest and nothing else. */
export function vsixPackage({ packageJson }: ToolManifest): Uint8Array {
  const files = {
    '[Content_Types].xml': contentTypes,
    'extension.vsixmanifest': vsixManifest(packageJson),
    'extension/package.json': JSON.stringify(packageJson),
  };
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([path, text]) => [path, [strToU8(text), { mtime: date }]]),
    ),
  );
}

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>`;

function vsixManifest(packageJson: ToolManifest['packageJson']): string {
  const value = (name: string): string => {
    const text = packageJson[name];
    return typeof text === 'string' ? escapeXml(text) : '';
  };
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${value('name')}" Version="${value('version')}" Publisher="${value('publisher')}"/>
    <DisplayName>${value('displayName')}</DisplayName>
    <Description xml:space="preserve">${value('description')}</Description>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.106.0"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>`;
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[^\t\n\r\u0020-\ufffd]/g, '');
}
