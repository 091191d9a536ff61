import { assertNever } from '../../base/errors.ts';
import { isWithoutRoom, type CatalogServer } from '../tools/toolCatalog.ts';

/** A server's state in a few words, for a label. */
export function statusText({ server, tools }: CatalogServer): string {
  const { configuration, state } = server;
  if (!configuration.enabled) return 'switched off';
  switch (state.kind) {
    case 'running':
      return server.tools === undefined ? 'running, reading tools…' : toolCount(tools);
    case 'starting':
      return state.isQueued ? 'waiting to start…' : 'starting…';
    case 'stopped':
      if (state.isIdle) return `stopped while idle · ${toolCount(tools)}`;
      if (server.tools === undefined || configuration.start === 'manual') return 'stopped';
      return `stopped · ${toolCount(tools)}`;
    case 'error':
      return state.summary;
    default:
      return assertNever(state);
  }
}

/** `14 tools`, or `12 of 14 tools` when some are left out; also how many have no room beside the others. */
function toolCount(tools: CatalogServer['tools']): string {
  const usable = tools.filter(({ availability }) => availability.kind !== 'leftOut').length;
  const searched = tools.filter(isWithoutRoom).length;
  const noun = tools.length === 1 ? 'tool' : 'tools';
  const count =
    usable === tools.length ? `${usable} ${noun}` : `${usable} of ${tools.length} ${noun}`;
  return searched === 0 ? count : `${count}, ${searched} by search`;
}
