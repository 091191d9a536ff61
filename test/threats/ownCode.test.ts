import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root, sourceFiles } from '../support/sources.ts';

interface Locked {
  readonly version: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const files = sourceFiles();
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Readonly<Record<string, Locked>>;
};

test('T10 nothing that a person decided or gave is handed to Settings Sync', () => {
  assert.deepEqual(
    files.filter(({ text }) => text.includes('setKeysForSync')).map(({ path }) => path),
    [],
  );
});

test('T65 every page of ours forbids all but its own scripts', () => {
  const panels = files.filter(({ text }) => text.includes('createWebviewPanel'));
  const pages = files.filter(({ text }) => /<!doctype html/i.test(text));
  assert.ok(panels.length > 0);
  for (const { path, text } of panels) {
    assert.match(text, /from '\.\/pageHtml\.ts'/, `${path} makes its page by itself`);
  }
  for (const { path, text } of pages) {
    assert.match(text, /Content-Security-Policy|const page = /, path);
    assert.doesNotMatch(text, /unsafe-eval|script-src[^;"]*unsafe-inline/, path);
  }
  const page = pages.find(({ path }) => path.endsWith('pageHtml.ts'));
  assert.match(page?.text ?? '', /default-src 'none'/);
  assert.match(page?.text ?? '', /script-src 'nonce-/);
});

test('T66 what is shipped has no install scripts, and the SDK is one without the known holes', () => {
  const shipped = Object.entries(lock.packages).filter(
    ([path, { dev }]) => path !== '' && dev !== true,
  );
  assert.ok(shipped.length > 3 && shipped.length < 40, String(shipped.length));
  assert.deepEqual(
    shipped.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([path]) => path),
    [],
  );
  const { version } = lock.packages['node_modules/@modelcontextprotocol/client'] ?? {
    version: '0',
  };
  const [major = 0, minor = 0] = version.split('.').map(Number);
  // CVE-2026-111769 and CVE-2026-104850 are fixed in 2.3.0.
  assert.ok(major > 2 || (major === 2 && minor >= 3), version);
});

test('T67 no address is built in: only what the person configured is contacted', () => {
  const built = files.flatMap(({ path, text }) =>
    [...text.matchAll(/['"`](https?:\/\/[^'"`\s]+)/g)]
      .map(([, address = '']) => address)
      // Compared with, never contacted.
      .filter((address) => address !== 'https://github.com/login/oauth')
      .filter(
        (address) =>
          !/^https?:\/\/(?:schemas\.|127\.0\.0\.1|localhost|\$\{|example\.|[\w.-]*example(?:\.com)?\b)/.test(
            address,
          ),
      )
      .map((address) => `${path} ${address}`),
  );
  assert.deepEqual(built, []);
});
