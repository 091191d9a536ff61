import { withTimeout } from '../../../src/base/async.ts';
import { errorMessage } from '../../../src/base/errors.ts';
import { Workspace, invokeTool, registeredTool } from '../../host/bridgeProbe.ts';
import type { EditorSession } from '../../host/editorSession.ts';
import type { EditorWindow } from '../../host/editorWindow.ts';
import { startEditor } from '../../host/startEditor.ts';
import { packageExtension } from '../../host/vsix.ts';
import { echoTool } from '../fake/defaults.ts';
import { FakeServer } from '../fakeServer.ts';
import { FixtureError, objectOf, textsOf, type Fixture } from '../fixture.ts';
import { assertKnown, runChecks, type Check, type Checks, type Report } from '../report.ts';

const key = 'fake';
/** Milliseconds any call may take. */
const patience = 60_000;

interface Invocation {
  /** The text of the result, or the message of the error. */
  readonly text: string;
  readonly hasThrown: boolean;
  readonly milliseconds: number;
}

/** What the steps showed. */
interface Seen {
  readonly listed: readonly string[];
  readonly exposedName: string;
  readonly invocations: readonly Invocation[];
}

/** Carries out steps in words in a real editor. A sentence that is not known is an error. */
export async function runEditorHost({ input, expect }: Fixture, report: Report): Promise<void> {
  assertKnown(input, ['steps']);
  const steps = textsOf(input['steps'], 'steps').map(understand);
  await using stage = new Stage();
  for (const step of steps) await step(stage);
  runChecks(expect, checks, stage, report);
}

type Step = (stage: Stage) => Promise<void>;

/** The sentences that are known; groups are the arguments of the step. */
const sentences: readonly (readonly [RegExp, (...words: string[]) => Step])[] = [
  [
    /^start the extension with (?:one|a) fake stdio server that lists (?:the )?tool `([^`]+)`$/,
    (tool = '') =>
      (stage) =>
        stage.start(tool),
  ],
  [/^wait for the tool list$/, () => (stage) => stage.waitForTools()],
  [/^read vscode\.lm\.tools$/, () => (stage) => stage.readTools()],
  [/^invoke (?:the exposed tool|again)$/, () => (stage) => stage.invoke()],
  [
    /^(stop|start|restart) the server$/,
    (verb = '') =>
      (stage) =>
        stage.command(verb),
  ],
  [/^reload the window$/, () => (stage) => stage.reload()],
];

function understand(sentence: string): Step {
  for (const [pattern, make] of sentences) {
    const match = pattern.exec(sentence.trim());
    if (match !== null) return make(...match.slice(1));
  }
  throw new FixtureError(`unknown step: ${JSON.stringify(sentence)}`);
}

/** An editor with the bridge and one scripted server. */
class Stage implements Seen, AsyncDisposable {
  listed: readonly string[] = [];
  readonly invocations: Invocation[] = [];
  #tool = '';
  #fake: FakeServer | undefined;
  #workspace: Workspace | undefined;
  #session: EditorSession | undefined;
  #window: EditorWindow | undefined;

  get exposedName(): string {
    return `${key}__${this.#tool}`;
  }

  async start(tool: string): Promise<void> {
    this.#tool = tool;
    const tools = [{ ...echoTool, name: tool }];
    this.#fake = await FakeServer.create([
      { when: 'request:tools/list', do: [{ result: { tools } }] },
    ]);
    this.#workspace = await Workspace.create();
    this.#session = await startEditor({
      vsix: [await packageExtension()],
      settings: { 'mcpBridge.servers': { [key]: { ...this.#fake.entry, confirm: 'never' } } },
    });
    this.#window = await this.#session.openWindow(this.#workspace.folder);
  }

  async waitForTools(): Promise<void> {
    await registeredTool(this.window, this.exposedName);
  }

  async readTools(): Promise<void> {
    this.listed = await this.window.evaluate((vscode) => vscode.lm.tools.map(({ name }) => name));
  }

  async invoke(): Promise<void> {
    const startedAt = performance.now();
    let text: string;
    let hasThrown = false;
    try {
      text = await withTimeout(invokeTool(this.window, this.exposedName, {}), patience);
    } catch (error: unknown) {
      text = errorMessage(error);
      hasThrown = true;
    }
    this.invocations.push({ text, hasThrown, milliseconds: performance.now() - startedAt });
  }

  async command(verb: string): Promise<void> {
    await this.window.run(`mcpBridge.${verb}Server`, key);
  }

  reload(): Promise<void> {
    return this.window.reload();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.close();
    await this.#workspace?.[Symbol.asyncDispose]();
    await this.#fake?.[Symbol.asyncDispose]();
  }

  private get window(): EditorWindow {
    if (this.#window === undefined) throw new FixtureError('the steps do not start the extension.');
    return this.#window;
  }
}

const checks: Checks<Seen> = {
  toolListed: (expected, { listed, exposedName }, report) =>
    report.check(listed.includes(exposedName) === expected, 'toolListed', expected, listed),
  firstInvoke: invocation(0),
  secondInvoke: invocation(1),
  thirdInvoke: invocation(2),
};

function invocation(at: number): Check<Seen> {
  return (expected, { invocations }, report) => {
    const seen = invocations[at];
    if (seen === undefined) report.fail(`invocation ${at + 1}`, 'an invocation', 'none');
    else runChecks(objectOf(expected, 'invoke'), invocationChecks, seen, report);
  };
}

const invocationChecks: Checks<Invocation> = {
  textContains: (expected, { text, hasThrown }, report) => {
    for (const part of textsOf(expected, 'textContains')) {
      report.check(!hasThrown && text.includes(part), 'textContains', part, text);
    }
  },
  throwsOrErrorText: (expected, { text, hasThrown }, report) =>
    report.check(
      (hasThrown || text.startsWith('Error: ')) === expected,
      'throwsOrErrorText',
      expected,
      text,
    ),
  mentions: (expected, { text }, report) => report.mentions('mentions', expected, text),
  noHangMs: (expected, { milliseconds }, report) =>
    report.atMost('noHangMs', expected, Math.round(milliseconds)),
};
