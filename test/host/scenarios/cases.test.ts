import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFixtures } from '../../cases/fixture.ts';
import { runEditorHost } from '../../cases/kinds/editorHost.ts';
import { Report } from '../../cases/report.ts';
import { inRepository } from '../repository.ts';

const fixtures = await readFixtures(inRepository('test', 'cases', 'cases.json'));
const inEditor = fixtures.filter(({ kind }) => kind === 'editor-host');

test('there are recorded cases for the editor', () => {
  assert.ok(inEditor.length > 0);
});

for (const fixture of inEditor) {
  test(`${fixture.id} (${fixture.kind})`, async () => {
    const report = new Report();
    await runEditorHost(fixture, report);
    assert.deepEqual(report.failures, []);
  });
}
