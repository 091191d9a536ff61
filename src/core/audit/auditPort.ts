/** How a decision of the person, or a rule of theirs, let something through or kept it back. */
interface AuditDecision {
  readonly kind: 'decision';
  readonly subject: 'launch' | 'tool' | 'instructions';
  /** Key of the server, and where its entry stands. */
  readonly server: string;
  readonly scope: string;
  /** The server's own name of the tool. */
  readonly tool?: string;
  readonly decision: 'approved' | 'refused' | 'revoked' | 'pinned' | 'blocked';
  /** What it was about, in a few words without values: names of the fields that differ. */
  readonly about?: readonly string[];
  /** Hash of what was decided about. */
  readonly hash?: string;
}

/** A call that an agent, an extension or a person wanted. Holds names and sizes; values only where the person switched that on. */
export interface AuditCall {
  readonly kind: 'call';
  readonly server: string;
  readonly scope: string;
  readonly tool: string;
  readonly exposedName: string;
  readonly arguments: unknown;
  /** Who said that it may be made: the editor asked, we did, the person ordered it by hand, or the rules ask for nothing. */
  readonly approval: 'editor' | 'person' | 'dialog' | 'rule' | 'refused' | 'unanswered' | 'none';
  readonly outcome: 'result' | 'toolError' | 'failure' | 'cancelled';
  /** With `failure`: its code. */
  readonly code?: string;
  /** Milliseconds, without the time the person was asked. */
  readonly duration: number;
}

export type AuditEvent = AuditDecision | AuditCall;

/** Port: keeps what happened. Returns at once and never throws; what cannot be kept is reported elsewhere. */
export interface AuditPort {
  record(event: AuditEvent): void;
}
