/** Longest command line `cmd.exe` takes, in characters. */
const maxLength = 8191;

/**
 * The command line with which `cmd.exe /e:on /v:off /s /c` runs a batch file, arguments unchanged. `cmd.exe` reads it
 * at least twice: itself, and again where the batch file says `%*`. So that both readings leave everything as it is, nothing is escaped with carets:
 * all that has a meaning stands between quotes, a quote itself is doubled (the C runtime reads `""` in quotes as one
 * quote, and for `cmd.exe` the quotes stay balanced), and a percent sign is followed by a variable that is always empty,
 * which keeps it from beginning the name of one. Throws an `Error` whose message says what cannot be handed over.
 */
export function batchLine(program: string, args: readonly string[]): string {
  for (const [index, argument] of args.entries()) {
    if (/[\r\n\0]/.test(argument)) {
      throw new Error(
        `it is a batch file (${program}), and Windows cannot hand it an argument with a line break (argument ${index + 1}). Write the program that it starts into "command", for example node with its script`,
      );
    }
  }
  const length = args.reduce((sum, argument) => sum + argument.length + 1, program.length);
  const line =
    length > maxLength
      ? ''
      : [quoted(program), ...args.map(argumentFor)].map(percentSafe).join(' ');
  if (length > maxLength || line.length > maxLength - 100) {
    throw new Error(
      `it is a batch file (${program}), and its arguments are longer than the ${maxLength} characters Windows can hand to one. Write the program that it starts into "command", for example node with its script`,
    );
  }
  return line;
}

function argumentFor(argument: string): string {
  // Batch files that look at single arguments compare them with plain words.
  return /^[\w+\-./:@\\]*[\w+\-./:@]$/.test(argument) ? argument : quoted(argument);
}

/** Backslashes are literal to the C runtime unless a quote follows them. */
function quoted(text: string): string {
  const inner = text.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&');
  return `"${inner}"`;
}

function percentSafe(text: string): string {
  return text.replaceAll('%', '%%cd:~,%');
}
