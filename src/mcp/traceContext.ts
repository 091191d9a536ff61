import { randomBytes } from 'node:crypto';

/** A trace of one request, for its server to join (W3C Trace Context; MCP specification 2026-07-28, "OpenTelemetry trace context"). */
export interface TraceContext {
  readonly traceId: string;
  /** The value of the `_meta` key `traceparent`. */
  readonly traceparent: string;
}

/**
 * A new trace. Its ids are random and say nothing of the person or the window; marked as sampled, because servers
 * that sample by their caller's word would record nothing else.
 */
export function newTrace(): TraceContext {
  const traceId = randomBytes(16).toString('hex');
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
}
