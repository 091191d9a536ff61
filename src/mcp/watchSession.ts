import type { Logger } from '../base/log.ts';
import { BridgeError } from '../core/failures.ts';
import type { KnownLists } from './knownLists.ts';
import type { Session } from './session.ts';

interface SessionOwner {
  readonly log: Logger;
  readonly lists: KnownLists;
  /** Whether the session is still the one in use. */
  readonly isCurrent: () => boolean;
  /** The session in use has ended. */
  readonly onEnd: (reason: BridgeError) => void;
}

/** Passes on what a session tells by itself to its owner, for as long as it is in use. */
export function watchSession(
  session: Session,
  { log, lists, isCurrent, onEnd }: SessionOwner,
): void {
  const { changes } = session;
  session.onDidClose(() => {
    if (!isCurrent()) return;
    const reason = session.endReason;
    onEnd(new BridgeError('connectionLost', `The session ended: ${reason}.`, { summary: reason }));
  });
  changes.onDidChangeList((list) => {
    if (isCurrent()) lists.noteChange(session, list);
  });
  changes.onDidFail(() => void session.verify());
  changes.onDidEnd((reason) => {
    log.warn(`changes of its lists are told no longer: ${reason}`);
    lists.noteSilence(session, reason);
  });
}
