// The client that the conformance suite starts for each of its scenarios: a session of the bridge with the suite's server, whose
// address is the last argument. Lists everything and calls every tool once, or as the scenario says.
import process from 'node:process';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/base/json.ts';
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from '../../src/core/clientFeatures/clientFeatures.ts';
import type { ServerTools } from '../../src/core/servers/mcpServers.ts';
import { BridgeError } from '../../src/core/failures.ts';
import { KnownSecrets } from '../../src/core/redact.ts';
import type { AuthSettings } from '../../src/core/settings/serverConfiguration.ts';
import { ServerAuthorization } from '../../src/mcp/auth/serverAuthorization.ts';
import { openSession } from '../../src/mcp/openSession.ts';
import type { Session } from '../../src/mcp/session.ts';
import { configurationOf } from '../support/builders.ts';
import { fullValue } from '../support/modelArguments.ts';
import { RecordingLogger } from '../support/recordingLogger.ts';
import { TestClientFeatures } from '../support/clientFeatures.ts';
import { TestSignIn } from '../support/signIn.ts';

interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

const timeouts = { connect: 45, call: 50, total: 55 };
const { signal } = new AbortController();

/** Takes every default of a form, as a person does who only presses Enter. */
class Agreeable extends TestClientFeatures {
  override elicit(
    _configuration: unknown,
    request: ElicitationRequest,
  ): Promise<ElicitationAnswer> {
    const fields = request.mode === 'form' ? request.fields : [];
    const preset = fields.flatMap(({ name, defaultValue }): [string, JsonValue][] =>
      defaultValue === undefined ? [] : [[name, defaultValue]],
    );
    return Promise.resolve({ action: 'accept', content: Object.fromEntries(preset) });
  }
}

/** What the scenario gives its client. */
function context(): JsonObject {
  const value: unknown = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}');
  return isJsonObject(value) ? value : {};
}

/** The entry of the settings that a person would write for the scenario. */
function authSettings(): AuthSettings {
  const { client_id: clientId, client_secret: clientSecret } = context();
  if (typeof clientId === 'string' && typeof clientSecret === 'string') {
    return { clientId, clientSecret };
  }
  // Where the suite has its document; asked for only where the authorization server takes such.
  return { clientMetadataUrl: 'https://conformance-test.local/client-metadata.json' };
}

/** Signs in whenever a session says that this would help, as a willing person does, but not for ever. */
class WillingPerson {
  readonly #authorization: ServerAuthorization;
  #patience = 3;

  constructor(authorization: ServerAuthorization) {
    this.#authorization = authorization;
  }

  async try<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (error: unknown) {
      const canSignIn = error instanceof BridgeError && error.remedy === 'signIn';
      if (!canSignIn || --this.#patience < 0) throw error;
      await this.#authorization.signIn(signal);
      return this.try(action);
    }
  }
}

/** The calls that the scenario prescribes; else one of each tool, with everything its schema names. */
function callsOf({ tools }: ServerTools): ToolCall[] {
  const prescribed = context()['toolCalls'];
  if (Array.isArray(prescribed)) {
    return prescribed.filter(isJsonObject).map(({ name, arguments: args }) => ({
      tool: typeof name === 'string' ? name : '',
      arguments: isJsonObject(args) ? args : {},
    }));
  }
  // This scenario wants the schema back that it sent.
  const dialect = tools.find(({ name }) => name === 'json_schema_2020_12_tool');
  return tools.map(({ name, inputSchema }) => ({
    tool: name,
    arguments:
      name === 'json_schema_echo' && dialect !== undefined
        ? { schema: dialect.inputSchema }
        : argumentsFor(inputSchema),
  }));
}

function argumentsFor(schema: JsonObject): JsonObject {
  const value = fullValue({ ...schema, type: 'object' });
  return isJsonObject(value) ? value : {};
}

async function visit(session: Session, person: WillingPerson): Promise<void> {
  const tools = await person.try(() => session.listTools(timeouts.connect, signal));
  for (const { message } of tools.problems) console.error(message);
  const options = { seconds: timeouts.connect, maxPages: 10, signal };
  const { resources } = await session.listResources(options);
  const { prompts } = await session.listPrompts(options);
  const request = { server: 'suite', seconds: timeouts.call, signal };
  for (const { uri } of resources) await session.readResource(uri, request);
  for (const { name } of prompts) await session.getPrompt(name, new Map(), request);
  for (const call of callsOf(tools)) {
    try {
      await person.try(() => session.callTool({ server: 'suite', ...call, timeouts, signal }));
    } catch (error: unknown) {
      // Not every tool of the suite can be called; what counts is what its server has seen.
      console.error(String(error));
    }
  }
}

async function drive(url: string): Promise<void> {
  const log = new RecordingLogger();
  const launch = { type: 'http', url, headers: {} } as const;
  const configuration = configurationOf('suite', { launch, timeouts });
  const features = new Agreeable();
  const authorization = new ServerAuthorization({
    ...{ id: 'user/suite', server: 'suite', url, auth: authSettings(), log },
    ports: new TestSignIn(),
    masks: new KnownSecrets(),
  });
  const person = new WillingPerson(authorization);
  const options = { launch, configuration, features, log, signal, authorization };
  try {
    const session = await person.try(() => openSession({ ...options, version: '0.0.0' }));
    try {
      await visit(session, person);
    } finally {
      await session.close();
    }
  } catch (error: unknown) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  if (log.text !== '') console.error(log.text);
}

const url = process.argv.at(-1) ?? '';
if (url !== '--warm-up') await drive(url);
