import type { Logger } from '../base/log.ts';
import { BridgeError, givenUp } from '../core/failures.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import type { ServerHostPorts, WantedServer } from '../core/servers/serverHost.ts';
import type { ServerConfiguration, ServerLaunch } from '../core/settings/serverConfiguration.ts';
import type { Session } from './session.ts';

type StateOf<Kind extends ConnectionState['kind']> = Extract<
  ConnectionState,
  { readonly kind: Kind }
>;

export function runningState({
  transport,
  protocolVersion,
  serverInfo,
  instructions,
}: Session): StateOf<'running'> {
  return {
    kind: 'running',
    since: Date.now(),
    protocolVersion,
    transport: transport.kind,
    ...(serverInfo !== undefined && { serverInfo }),
    ...(instructions !== undefined && instructions !== '' && { instructions }),
    ...(transport.pid !== undefined && { pid: transport.pid }),
  };
}

/** After a failure, which is logged; `wait` as `RestartSchedule.plan` gives it. */
export function errorState(
  failure: BridgeError,
  wait: number | undefined,
  mask: (text: string) => string,
  log: Logger,
): StateOf<'error'> {
  const isGivenUp = wait === Infinity;
  const { code, message, summary, remedy } = isGivenUp ? givenUp(failure) : failure;
  log.error(message);
  if (wait !== undefined && !isGivenUp)
    log.info(`starting again in ${Math.round(wait / 100) / 10} s`);
  const since = Date.now();
  return {
    ...{ kind: 'error', since, code, message: mask(message), summary: mask(summary) },
    ...(isGivenUp && { isGivenUp }),
    ...(remedy && { remedy }),
    ...(wait !== undefined && !isGivenUp && { retryAt: since + wait }),
  };
}

/** Stopped now, if it was not before. */
export function stoppedState(before: ConnectionState, isIdle: boolean): StateOf<'stopped'> {
  const since = before.kind === 'stopped' ? before.since : Date.now();
  return { kind: 'stopped', ...(since !== undefined && { since }), ...(isIdle && { isIdle }) };
}

/** Why a request may not start a server that does not run; `undefined` if it may. */
export function startRefusal(
  { start }: ServerConfiguration,
  state: ConnectionState,
  { isHeld, isHopeless }: { readonly isHeld: boolean; readonly isHopeless: boolean },
): string | undefined {
  if (state.kind === 'error' && isHopeless) return state.message;
  if (isHeld) return 'the user stopped it in the sidebar.';
  const isIdle = state.kind === 'stopped' && state.isIdle === true;
  return start === 'manual' && !isIdle
    ? 'it is set to be started by hand and is not running.'
    : undefined;
}

/** How to launch a server. Rejects with the reason why that may not or cannot be done now. */
export async function permittedLaunch(
  { configuration, resolved }: WantedServer,
  { mayLaunch }: Pick<ServerHostPorts, 'mayLaunch'>,
): Promise<ServerLaunch> {
  const refusal = await mayLaunch({ configuration, resolved });
  if (refusal !== undefined) throw new BridgeError('notTrusted', refusal);
  if ('launch' in resolved) return resolved.launch;
  const message = resolved.problems.map((problem) => problem.message).join(' ');
  throw new BridgeError('invalidSettings', message, {
    summary:
      resolved.waitsFor === undefined
        ? 'its settings need a correction'
        : 'waits for a value: start it to be asked',
  });
}
