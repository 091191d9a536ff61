import process from 'node:process';
import { setImmediate as turn } from 'node:timers/promises';
import type { JsonObject } from '../../../src/base/json.ts';
import { asText } from '../fixture.ts';

/** Writes to stdout in order, cut and decorated as the `wire` of a step says. */
export class Wire {
  #queue: Promise<void> = Promise.resolve();
  #isFirst = true;

  /** Writes one message and resolves when the system has taken it. */
  send(message: JsonObject, wire: JsonObject = {}): Promise<void> {
    const { bom, eol = '\n', splitEveryBytes } = wire;
    const hasMark = bom === 'every' || (bom === 'first' && this.#isFirst);
    this.#isFirst = false;
    const text = `${hasMark ? '\uFEFF' : ''}${JSON.stringify(message)}${asText(eol)}`;
    const size = typeof splitEveryBytes === 'number' ? splitEveryBytes : undefined;
    return this.#enqueue(Buffer.from(text, 'utf8'), size);
  }

  /** Writes text as it is. */
  raw(text: string): Promise<void> {
    return this.#enqueue(Buffer.from(text, 'utf8'));
  }

  /** Resolves when everything is written. */
  flush(): Promise<void> {
    return this.#queue;
  }

  #enqueue(bytes: Buffer, size = bytes.length): Promise<void> {
    this.#queue = this.#queue.then(() => writePieces(bytes, size));
    return this.#queue;
  }
}

async function writePieces(bytes: Buffer, size: number): Promise<void> {
  for (let start = 0, piece = 0; start < bytes.length; start += size, piece++) {
    await write(bytes.subarray(start, start + size));
    // The reader should see the pieces one by one; with very many that would only cost time.
    if (size < bytes.length && (piece < 256 || piece % 32 === 0)) await turn();
  }
}

function write(bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
