import { Socket } from 'node:net';
import process from 'node:process';

/** Something that watches this process until it is disposed. */
interface Observer<T> extends Disposable {
  readonly seen: T;
}

/** Counts the network connections this process opens, by whatever library: all end in `net.Socket`. */
export function countConnections(): Observer<number> {
  let count = 0;
  // The property is put back as it was.
  // eslint-disable-next-line typescript/unbound-method
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function (this: Socket, ...args: never[]) {
    count += 1;
    return Reflect.apply(connect, this, args) as Socket;
  };
  return {
    get seen() {
      return count;
    },
    [Symbol.dispose]: () => {
      Socket.prototype.connect = connect;
    },
  };
}

const methods = ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const;

/** Collects what this process writes to the console, to stderr, or as a warning of Node. */
export function watchConsole(): Observer<string[]> {
  const written: string[] = [];
  const originals = methods.map((method) => [method, console[method]] as const);
  for (const [method] of originals) {
    console[method] = (...args: unknown[]) => void written.push(args.map(String).join(' '));
  }
  const { stderr } = process;
  const original = stderr.write.bind(stderr);
  stderr.write = (chunk: unknown, ...rest: never[]) => {
    written.push(String(chunk));
    return Reflect.apply(original, stderr, [chunk, ...rest]) as boolean;
  };
  const onWarning = (warning: Error): void => void written.push(String(warning));
  process.on('warning', onWarning);
  return {
    seen: written,
    [Symbol.dispose]: () => {
      for (const [method, original] of originals) console[method] = original;
      stderr.write = original;
      process.off('warning', onWarning);
    },
  };
}
