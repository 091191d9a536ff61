import { shapeOf } from './argumentShape.ts';
import type { AuditEvent } from './auditPort.ts';

/** Longest line, in characters. */
export const maxLine = 16_384;
const maxValues = 8192;

/**
 * An event as one line of JSON, without its end. Of the arguments it holds names and sizes, and their values only with `values`.
 * `mask` takes out what is known to be secret.
 */
export function auditLine(
  event: AuditEvent,
  { time, values, mask }: { time: Date; values: boolean; mask: (text: string) => string },
): string {
  const entry =
    event.kind === 'call'
      ? { ...event, arguments: shapeOf(event.arguments), durationMs: Math.round(event.duration) }
      : event;
  const { duration: _duration, ...members } = { duration: undefined, ...entry };
  const text = event.kind === 'call' && values ? valuesText(event.arguments) : undefined;
  const line = lineOf({
    time: time.toISOString(),
    ...members,
    ...(text !== undefined && { values: text }),
  });
  const short =
    line.length <= maxLine
      ? line
      : lineOf({ time: time.toISOString(), ...members, arguments: '…' });
  // Masked in JSON form, in which secrets are looked for too; a mask has nothing that would break JSON.
  return mask(short.slice(0, maxLine));
}

function lineOf(value: object): string {
  return JSON.stringify(value);
}

function valuesText(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > maxValues ? `${text.slice(0, maxValues)}…` : text;
}
