import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Agent } from '../agent.ts';
import {
  Workspace,
  approveLaunch,
  knownServer,
  registeredTool,
  testServer,
  toolsOfferedWhen,
  toolsOffered,
} from '../bridgeProbe.ts';
import { startEditor } from '../startEditor.ts';
import { packageExtension } from '../vsix.ts';

test('two windows whose servers share a name each offer their own definitions only', async () => {
  await using left = await Workspace.create({
    twin: testServer('labelled', 'left', 'shared', 'a'),
  });
  await using right = await Workspace.create({
    twin: testServer('labelled', 'right', 'shared', 'b'),
  });
  const session = await startEditor({ vsix: [await packageExtension()] });
  try {
    const leftWindow = await session.openWindow(left.folder);
    await knownServer(leftWindow, 'twin');
    await approveLaunch(leftWindow, 'twin');
    await registeredTool(leftWindow, 'twin__shared');
    const leftAgent = await Agent.open(leftWindow);
    assert.equal(
      (await toolsOffered(leftAgent)).get('twin__shared')?.description,
      'shared of left',
    );

    const rightWindow = await session.openWindow(right.folder);
    await rightWindow.focus();
    await knownServer(rightWindow, 'twin');
    await approveLaunch(rightWindow, 'twin');
    await registeredTool(rightWindow, 'twin__b');
    const rightAgent = await Agent.open(rightWindow);
    await toolsOfferedWhen(
      rightAgent,
      (names) => names.has('twin__shared') && names.has('twin__b'),
    );
    const inRight = await toolsOffered(rightAgent);
    assert.equal(inRight.get('twin__shared')?.description, 'shared of right');
    assert.equal(inRight.has('twin__a'), false);

    const behind = await toolsOffered(leftAgent);
    for (const [name, { description }] of behind) {
      if (name.startsWith('twin__')) assert.match(description, / of left$/);
    }

    await leftWindow.focus();
    await toolsOfferedWhen(leftAgent, (names) => names.has('twin__shared') && names.has('twin__a'));
    const inLeft = await toolsOffered(leftAgent);
    assert.equal(inLeft.get('twin__shared')?.description, 'shared of left');
    assert.equal(inLeft.has('twin__b'), false);
  } finally {
    await session.close();
  }
});
