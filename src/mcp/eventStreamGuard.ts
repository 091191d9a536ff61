import { maxMessageBytes } from './lineReader.ts';

const newline = 0x0a;
const carriageReturn = 0x0d;

/** A server-sent event, or a whole body, that is larger than the limit. */
class TooLargeError extends Error {
  constructor(limit: number) {
    super(`the server sent a message of more than ${limit} bytes`);
    this.name = 'TooLargeError';
  }
}

/** Passes a body on and fails once more than `limit` bytes have come. */
export function bodyGuard(
  limit: number = maxMessageBytes,
): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > limit) controller.error(new TooLargeError(limit));
      else controller.enqueue(chunk);
    },
  });
}

/**
 * Passes an event stream on and fails once one event has more than `limit` bytes. Lines may end in CR, LF
 * or both (HTML specification, "Server-sent events"). `onLine` is told each line of at most 100 bytes.
 */
export function eventStreamGuard(
  onLine: (line: string) => void = () => undefined,
  limit: number = maxMessageBytes,
): TransformStream<Uint8Array, Uint8Array> {
  let event = 0;
  let line: number[] = [];
  let lineLength = 0;
  let previous = 0;
  const endLine = (): void => {
    if (lineLength === 0) event = 0;
    else if (lineLength <= 100) onLine(String.fromCharCode(...line));
    line = [];
    lineLength = 0;
  };
  return new TransformStream({
    transform(chunk, controller) {
      for (const byte of chunk) {
        if (byte === newline || byte === carriageReturn) {
          if (byte === carriageReturn || previous !== carriageReturn) endLine();
        } else {
          lineLength += 1;
          event += 1;
          if (lineLength <= 100) line.push(byte);
        }
        previous = byte;
      }
      if (event > limit) controller.error(new TooLargeError(limit));
      else controller.enqueue(chunk);
    },
  });
}
