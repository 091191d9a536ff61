/** What a text at some place of an entry of `mcpBridge.servers` stands for. */
export type ValuePlace =
  /** A glob on the server's own tool names, or the exact name of a tool. */
  | 'toolPattern'
  /** The exact name of a tool. */
  | 'toolName'
  /** Part of the launch: variables may stand in it. */
  | 'launch';

/** Where names of members stand for tools; `*` is any member. */
const keyPlaces: ReadonlyMap<string, ValuePlace> = new Map([
  ['confirm.*', 'toolPattern'],
  ['timeouts.tools.*', 'toolPattern'],
  ['rename.*', 'toolName'],
]);
const textPlaces: ReadonlyMap<string, ValuePlace> = new Map([
  ...['allow', 'deny', 'pin'].map((name) => [`${name}.*`, 'toolPattern'] as const),
  ...[
    'command',
    'cwd',
    'envFile',
    'url',
    'serverUrl',
    'httpUrl',
    'args.*',
    'env.*',
    'headers.*',
  ].map((name) => [name, 'launch'] as const),
  ['auth.*', 'launch'],
  ['auth.scopes.*', 'launch'],
]);

/**
 * `path`: below the entry, such as `['allow', 0]`. `isKey`: the text is the name of a member, the last of the path.
 * `undefined` where nothing is known of the text.
 */
export function valuePlace(
  path: readonly (string | number)[],
  isKey: boolean,
): ValuePlace | undefined {
  const shape = [...path.slice(0, -1), '*'].join('.');
  const places = isKey ? keyPlaces : textPlaces;
  return path.length === 1 ? places.get(String(path[0])) : places.get(shape);
}

/** The variable that is being written at the end of `before`, from its `${` on; `undefined` if none is open. */
export function openVariable(before: string): string | undefined {
  const start = before.lastIndexOf('${');
  return start < 0 || before.indexOf('}', start) >= 0 ? undefined : before.slice(start);
}

/** The variable of `text` that the character at `offset` belongs to, and where it begins. */
export function variableAt(
  text: string,
  offset: number,
): { readonly variable: string; readonly start: number } | undefined {
  const start = text.lastIndexOf('${', offset);
  const end = start < 0 ? -1 : text.indexOf('}', start);
  return start < 0 || end < offset ? undefined : { variable: text.slice(start, end + 1), start };
}
