import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namedHost } from '../../../src/core/network/namedHost.ts';
import type { SettingsScope } from '../../../src/core/settings/serverConfiguration.ts';

function named(url: string, scope: SettingsScope = 'user'): string | undefined {
  return namedHost({ origin: { scope }, launch: { type: 'http', url, headers: {} } });
}

test('an entry of the user names the host that is written out in its address', () => {
  const table: readonly (readonly [url: string, host: string | undefined])[] = [
    ['https://mcp.corp.example/mcp', 'mcp.corp.example'],
    ['HTTPS://MCP.corp.example.:8443?x=${env:X}', 'mcp.corp.example'],
    ['https://10.0.0.5/${env:PATH_PART}', '10.0.0.5'],
    ['https://[fd00::1]:443/', 'fd00::1'],
    ['https://nas.lan:${env:PORT}/', 'nas.lan'],
    ['https://0x0a000005/', '10.0.0.5'],
    ['${env:URL}', undefined],
    ['https://${env:HOST}/mcp', undefined],
    ['https://mcp.${env:DOMAIN}/mcp', undefined],
    ['https://a.example${input:rest}/mcp', undefined],
    ['https://[${env:ADDRESS}]/', undefined],
    ['https:///mcp', undefined],
  ];
  for (const [url, host] of table) assert.equal(named(url), host, url);
});

test('entries of workspaces and extensions name nothing, nor do programs', () => {
  for (const scope of ['workspace', 'folder', 'extension'] as const) {
    assert.equal(named('https://10.0.0.5/mcp', scope), undefined);
  }
  const launch = { type: 'stdio', command: 'https://10.0.0.5/', args: [], env: {} } as const;
  assert.equal(namedHost({ origin: { scope: 'user' }, launch }), undefined);
});
