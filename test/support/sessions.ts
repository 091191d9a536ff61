import { openSession } from '../../src/mcp/openSession.ts';
import type { Session } from '../../src/mcp/session.ts';
import type {
  ConfigurationOrigin,
  Protocol,
  ServerLaunch,
  Timeouts,
} from '../../src/core/settings/serverConfiguration.ts';
import type { NetworkPorts } from '../../src/core/network/networkPorts.ts';
import type { EraCache } from '../../src/core/servers/eraCache.ts';
import type { CallProgress } from '../../src/core/tools/toolCall.ts';
import type { BridgeError } from '../../src/core/failures.ts';
import { configurationOf } from './builders.ts';
import { TestClientFeatures } from './clientFeatures.ts';
import { RecordingLogger } from './recordingLogger.ts';

export interface OpenTestOptions {
  readonly connectSeconds?: number;
  readonly protocol?: Protocol;
  readonly features?: TestClientFeatures;
  readonly signal?: AbortSignal;
  readonly log?: RecordingLogger;
  readonly eras?: EraCache;
  readonly network?: NetworkPorts;
  /** Default: the user's own settings. */
  readonly origin?: ConfigurationOrigin;
}

/** Opens a session that closes at the end of its scope. */
export async function open(
  launch: ServerLaunch,
  {
    connectSeconds = 20,
    protocol = 'auto',
    features = new TestClientFeatures(),
    signal,
    log = new RecordingLogger(),
    eras,
    network,
    origin = { scope: 'user' },
  }: OpenTestOptions = {},
): Promise<Session & AsyncDisposable> {
  const session = await openSession({
    launch,
    configuration: configurationOf('srv', {
      ...{ launch, protocol, origin },
      timeouts: { connect: connectSeconds, call: 20, total: 20 },
    }),
    features,
    network,
    ...(eras !== undefined && { eras }),
    version: '0.0.0',
    log,
    signal: signal ?? new AbortController().signal,
  });
  return Object.assign(session, { [Symbol.asyncDispose]: () => session.close() });
}

/** The code and message of the error a start ends with. */
export async function openFailure(
  launch: ServerLaunch,
  options: OpenTestOptions = {},
): Promise<Pick<BridgeError, 'code' | 'message'>> {
  try {
    await using _session = await open(launch, options);
  } catch (error: unknown) {
    const { code, message } = error as BridgeError;
    return { code, message };
  }
  throw new Error('The session was opened.');
}

/** Names of all tools of a session. */
export async function toolNames(session: Session): Promise<string[]> {
  const { tools } = await session.listTools(20, new AbortController().signal);
  return tools.map(({ name }) => name);
}

export interface CallTestOptions {
  readonly timeouts?: Partial<Timeouts>;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: CallProgress) => void;
}

/** Calls a tool of a session that stands for a server named `srv`. */
export function call(
  session: Session,
  tool: string,
  args: object = {},
  { timeouts, signal = new AbortController().signal, onProgress }: CallTestOptions = {},
): Promise<unknown> {
  return session.callTool({
    server: 'srv',
    tool,
    arguments: args as Record<string, never>,
    timeouts: { connect: 20, call: 20, total: 20, ...timeouts },
    ...{ signal, onProgress },
  });
}
