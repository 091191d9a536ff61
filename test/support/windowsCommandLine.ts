// Models of what Windows does with a command line, written from its documentation and without a look at how ours are made.

/** The command line Node hands to `CreateProcess` for these options of `spawn`. */
export function commandLineOf(
  file: string,
  args: readonly string[],
  windowsVerbatimArguments: boolean,
): string {
  return [file, ...args]
    .map((word) => (windowsVerbatimArguments ? word : quotedByNode(word)))
    .join(' ');
}

/** As libuv quotes: backslashes are doubled before a quote only. */
function quotedByNode(word: string): string {
  if (word !== '' && !/[\s"]/.test(word)) return word;
  let result = '"';
  let slashes = 0;
  for (const char of word) {
    if (char === '"') result += `${'\\'.repeat(slashes)}\\"`;
    else result += char;
    slashes = char === '\\' ? slashes + 1 : 0;
  }
  return `${result}${'\\'.repeat(slashes)}"`;
}

/**
 * The arguments a program sees, its own name left out. `crt`: the C runtime since 2008, what programs in C, Node,
 * Python, Go and Rust see; `shell32`: `CommandLineToArgvW`, which reads `""` in quotes as a quote that ends the quoted part.
 */
export function argumentsOf(line: string, parser: Parser = 'crt'): string[] {
  const args: string[] = [];
  let rest = line.replace(/^("[^"]*"|[^ \t]*)/, '').replace(/^[ \t]+/, '');
  while (rest !== '') {
    const [word, after] = readWord(rest, parser);
    args.push(word);
    rest = after.replace(/^[ \t]+/, '');
  }
  return args;
}

type Parser = 'crt' | 'shell32';

function readWord(text: string, parser: Parser): [word: string, rest: string] {
  let word = '';
  let isQuoted = false;
  let rest = text;
  while (rest !== '' && (isQuoted || !/^[ \t]/.test(rest))) {
    const slashes = /^\\*/.exec(rest)?.[0].length ?? 0;
    rest = rest.slice(slashes);
    if (!rest.startsWith('"')) {
      // One character at a time, so that a space ends the word.
      const length = slashes > 0 ? 0 : 1;
      word += '\\'.repeat(slashes) + rest.slice(0, length);
      rest = rest.slice(length);
      continue;
    }
    word += '\\'.repeat(Math.floor(slashes / 2));
    const isPair = isQuoted && rest.startsWith('""');
    if (slashes % 2 === 1) word += '"';
    else if (isPair) {
      word += '"';
      isQuoted = parser === 'crt';
    } else isQuoted = !isQuoted;
    rest = rest.slice(slashes % 2 === 0 && isPair ? 2 : 1);
  }
  return [word, rest];
}

/** Variables in the environment of the modelled `cmd.exe`; `CD` is there always. */
const variables: ReadonlyMap<string, string> = new Map([
  ['PATH', 'C:\\Windows'],
  ['CD', 'C:\\work'],
  ['OS', 'Windows_NT & calc'],
]);

/** A line as `cmd.exe` takes it apart after its first two phases. */
interface ReadLine {
  /** The commands, each without its carets. */
  readonly commands: readonly string[];
  /** Targets and sources of redirections, whether or not they are files. */
  readonly redirections: readonly string[];
}

/**
 * What a program sees that a batch file `@"node.exe" "cli.js" %*` starts when `cmd.exe` is run with this command line, and what
 * else is run. `levels`: so many batch files call each other, each with `%*`.
 */
export function runBatch(
  commandLine: string,
  levels = 1,
): { program: string; args: string[]; extra: string[] } {
  let line = readLine(expandVariables(afterSwitches(commandLine)));
  const extra: string[] = [];
  let program: string | undefined;
  for (let level = levels; level > 0; level--) {
    const { commands, redirections } = line;
    extra.push(...commands.slice(1), ...redirections);
    const [called, rest] = splitCommand(commands[0] ?? '');
    program ??= called;
    // The batch file is read anew: `%*` becomes the text of its arguments, and no percent sign in that has a meaning.
    line = readLine(level > 1 ? `C:\\next.cmd ${rest}` : `"C:\\node.exe" "C:\\cli.js" ${rest}`);
  }
  extra.push(...line.commands.slice(1), ...line.redirections);
  return { program: program ?? '', args: argumentsOf(line.commands[0] ?? '').slice(1), extra };
}

/** The command of `cmd.exe … /c command`, its outer quotes taken off as `/s` says. */
function afterSwitches(commandLine: string): string {
  const [, switches = '', rest = ''] = /^\S+((?: \/\S+)*?) \/c (.*)$/is.exec(commandLine) ?? [];
  if (!/ \/s\b/i.test(switches) || !/ \/v:off\b/i.test(switches) || !/ \/d\b/i.test(switches)) {
    throw new Error(`cmd.exe is not run with /d /v:off /s: ${commandLine}`);
  }
  if (!rest.startsWith('"')) return rest;
  const last = rest.lastIndexOf('"');
  return rest.slice(1, last) + rest.slice(last + 1);
}

/** Phase 1 on the command line: what is no variable stays, percent signs and all. */
function expandVariables(text: string): string {
  let result = '';
  for (let index = 0; index < text.length; index++) {
    const found = /^%([^%:]*)(?::([^%]*))?%/.exec(text.slice(index));
    const value = found === null ? undefined : variables.get((found[1] ?? '').toUpperCase());
    if (found === null || value === undefined) {
      result += text.charAt(index);
      continue;
    }
    result += changed(value, found[2]);
    index += found[0].length - 1;
  }
  return result;
}

/** `%X:~start,length%`; a length that is left out after the comma is 0. */
function changed(value: string, operation: string | undefined): string {
  if (operation === undefined) return value;
  const [, start = '', comma, length = ''] = /^~(-?\d*)(,(-?\d*))?$/.exec(operation) ?? [];
  const part = value.slice(Number(start));
  return comma === undefined ? part : part.slice(0, Number(length));
}

/** Phase 2: quotes, carets, operators. */
function readLine(text: string): ReadLine {
  const commands: string[] = [''];
  const redirections: string[] = [];
  let isQuoted = false;
  let target: string[] = commands;
  for (let index = 0; index < text.length; index++) {
    let char = text.charAt(index);
    if (char === '\n' || char === '\r') break;
    if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === '^') char = text.charAt((index += 1));
    else if (!isQuoted && /[&|<>]/.test(char)) {
      while (text.charAt(index + 1) === char) index += 1;
      target = /[<>]/.test(char) ? redirections : commands;
      target.push('');
      continue;
    }
    target.push((target.pop() ?? '') + char);
  }
  return { commands, redirections };
}

/** The command without its quotes, and the text after it. */
function splitCommand(command: string): [called: string, rest: string] {
  const [, called = '', rest = ''] =
    /^\s*((?:"[^"]*"|[^\s"(),;=])+)[\s,;=]*(.*)$/s.exec(command) ?? [];
  return [called.replaceAll('"', ''), rest];
}
