import type { JsonObject, JsonValue } from '../../../src/base/json.ts';
import { FakeServer } from '../fakeServer.ts';
import { FixtureError, expand, numberOf, objectOf, type Fixture } from '../fixture.ts';
import { assertKnown, runChecks, type Report } from '../report.ts';
import { key, runSession } from '../sessionRun.ts';
import { TestBridge } from '../testBridge.ts';
import { stdioChecks } from './stdioChecks.ts';

const otherKey = 'other';
const inputs = ['script', 'actions', 'startTimeoutMs', 'timeScaleAllowed', 'client', 'spawn'];

/** Runs a scripted server under the bridge: connects, calls, watches, stops. Pauses are never shortened. */
export async function runStdio({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, inputs);
  await using fake = await FakeServer.create(input['script'] ?? []);
  await using other = await FakeServer.create([]);
  const hasOther = expect['otherServersReadyWithinMs'] !== undefined;
  const startedAt = performance.now();
  await using bridge = new TestBridge({
    [key]: entryOf(input, fake),
    ...(hasOther && { [otherKey]: other.entry }),
  });
  const otherReady = hasOther
    ? bridge.settled(otherKey).then(() => performance.now() - startedAt)
    : undefined;
  const seen = await runSession(bridge, fake, input['actions'], expect);
  const otherReadyMs = await otherReady;
  runChecks(expect, stdioChecks, { ...seen, otherReadyMs, peer: fake }, report);
}

function entryOf(input: JsonObject, fake: FakeServer): JsonObject {
  const { spawn, client = {}, startTimeoutMs } = input;
  const timeouts: Record<string, JsonValue> = {};
  const limit = (name: string, ms: JsonValue): void => {
    // The settings take whole seconds from 1 on.
    timeouts[name] = Math.max(1, Math.ceil(numberOf(ms, name) / 1000));
  };
  if (startTimeoutMs !== undefined) limit('connect', startTimeoutMs);
  for (const [name, value] of Object.entries(objectOf(client, 'client'))) {
    const setting = Object.hasOwn(clientTimeouts, name) ? clientTimeouts[name] : undefined;
    if (setting !== undefined) limit(setting, value);
    // Without a person there is nobody to answer: whatever is asked is cancelled or declined.
    else if (name !== 'answerElicitation')
      throw new FixtureError(`unknown setting in "client": ${name}`);
  }
  if (spawn === undefined) return { ...fake.entry, timeouts };
  const program = objectOf(expand(spawn), 'spawn');
  assertKnown(program, ['command', 'args', 'cwd', 'env']);
  return { cwd: fake.folder, ...program, timeouts };
}

/** Time limits as cases may name them, and the setting that stands for each. */
const clientTimeouts: Readonly<Record<string, string>> = {
  startTimeoutMs: 'connect',
  connectTimeoutMs: 'connect',
  callTimeoutMs: 'call',
  requestTimeoutMs: 'call',
  timeoutMs: 'call',
  maxTotalTimeoutMs: 'total',
  totalTimeoutMs: 'total',
};
