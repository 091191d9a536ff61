import { assertNever } from '../../../base/errors.ts';
import type { CatalogServer } from '../../tools/toolCatalog.ts';
import { statusText } from '../../servers/serverStatus.ts';

/** What a person can do about a server from where its entry stands. */
type LensAction = 'start' | 'stop' | 'restart' | 'signIn' | 'show' | 'showLog';

export interface Lens {
  readonly action: LensAction;
  /** With codicons, such as `$(debug-stop) Stop`. */
  readonly title: string;
}

const start: Lens = { action: 'start', title: '$(debug-start) Start' };
const stop: Lens = { action: 'stop', title: '$(debug-stop) Stop' };
const restart: Lens = { action: 'restart', title: '$(debug-restart) Restart' };
const showLog: Lens = { action: 'showLog', title: '$(output) Log' };

/** The state of a server and what can be done about it, as short texts above its entry. */
export function lensesOf(server: CatalogServer): readonly Lens[] {
  const { configuration, state } = server.server;
  const show = (icon: string): Lens => ({
    action: 'show',
    title: `$(${icon}) ${withoutIcons(statusText(server))}`,
  });
  if (!configuration.enabled) return [show('circle-slash')];
  switch (state.kind) {
    case 'running':
      return [show('pass-filled'), stop, restart];
    case 'starting':
      return [show('loading~spin'), stop];
    case 'stopped':
      return [show('circle-outline'), start];
    case 'error':
      return [
        show('error'),
        ...(state.remedy === 'signIn'
          ? [{ action: 'signIn', title: '$(key) Sign In' } as const]
          : []),
        start,
        showLog,
      ];
    default:
      return assertNever(state);
  }
}

/** A server's words must not become icons. */
function withoutIcons(text: string): string {
  return text.replaceAll('$(', '$\u200b(');
}
