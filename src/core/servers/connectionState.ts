import type { FailureCode } from '../failures.ts';

/** What one server is doing. `since` is milliseconds of the Unix epoch. */
export type ConnectionState =
  | {
      readonly kind: 'stopped';
      /** Missing when it has not run yet. */
      readonly since?: number;
      /** Stopped because nobody used it: the next call starts it. */
      readonly isIdle?: true;
    }
  | {
      readonly kind: 'starting';
      readonly since: number;
      /** It has not begun: others start first. */
      readonly isQueued?: true;
    }
  | {
      readonly kind: 'running';
      readonly since: number;
      readonly protocolVersion: string;
      /** Name and version the server announced; may be missing. */
      readonly serverInfo?: { readonly name: string; readonly version: string };
      /** What the server says of itself; never given to a model by the bridge. */
      readonly instructions?: string;
      /** Process id of a local server. */
      readonly pid?: number;
      /** Transport in use: differs from the settings after a fall back to HTTP+SSE; `client`: that of a registered client. */
      readonly transport: 'stdio' | 'http' | 'sse' | 'client';
    }
  | {
      readonly kind: 'error';
      readonly since: number;
      readonly code: FailureCode;
      /** The reason in a few words. */
      readonly summary: string;
      /** Full sentence for the person: what happened and what to do. */
      readonly message: string;
      /** Signing in may end it. */
      readonly remedy?: 'signIn';
      /** When it is started again by itself, in milliseconds of the Unix epoch. */
      readonly retryAt?: number;
      /** Failed so often that only the person's order starts it again. */
      readonly isGivenUp?: true;
    };
