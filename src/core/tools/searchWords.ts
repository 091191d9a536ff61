/** Words that say nothing about what a tool does. */
const stopWords = new Set(
  (
    'a an and any are as at be by can could do does for from have how i in into is it its me my need of on or ' +
    'our please some something that the their them there this to tool tools us use using want we what when where ' +
    'which who will with would you your'
  ).split(' '),
);

/** What different people and servers call the same. */
const synonyms: readonly (readonly string[])[] = [
  ['create', 'add', 'new', 'make', 'insert', 'write'],
  ['delete', 'remove', 'erase', 'drop', 'cancel'],
  ['get', 'show', 'read', 'fetch', 'view', 'retrieve', 'display', 'give'],
  ['list', 'all', 'enumerate', 'browse'],
  ['search', 'find', 'look', 'query', 'lookup'],
  ['update', 'edit', 'change', 'modify', 'set'],
  ['send', 'post', 'write', 'reply'],
  ['open', 'navigate', 'visit', 'go'],
  ['run', 'execute', 'start'],
  ['move', 'rename', 'transition'],
  ['picture', 'image', 'screenshot', 'photo'],
  ['folder', 'directory'],
  ['mail', 'email', 'emails'],
  ['ticket', 'issue', 'bug'],
  ['repository', 'repo'],
  ['meeting', 'event', 'appointment'],
  ['logs', 'output'],
  ['website', 'page', 'url', 'address'],
  ['sql', 'query', 'statement'],
];

const synonymsOf = new Map<string, readonly string[]>();
for (const group of synonyms) {
  const stems = group.map(stem);
  for (const one of stems) synonymsOf.set(one, [...(synonymsOf.get(one) ?? []), ...stems]);
}

/** Stems of the words of a text; `createIssue`, `create_issue` and `creating issues` give the same. */
export function searchWords(text: string): string[] {
  return splitWords(text).map(stem);
}

/** Stems of a query: of its own words, and of those that mean the same. A query of stop words alone keeps them. */
export function queryWords(query: string): { own: string[]; similar: string[] } {
  const all = splitWords(query);
  const meaningful = all.filter((word) => !stopWords.has(word));
  const own = [...new Set((meaningful.length > 0 ? meaningful : all).map(stem))];
  const similar = new Set(own.flatMap((word) => synonymsOf.get(word) ?? []));
  return { own, similar: [...similar].filter((word) => !own.includes(word)) };
}

/** One spelling for all ways to write a name. */
export function plainName(name: string): string {
  return splitWords(name).join('_');
}

function splitWords(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Takes off the common English endings. What is left need not be a word, only the same for all its forms. */
function stem(word: string): string {
  let result = word;
  if (/[^s]s$/.test(result) && result.length > 3)
    result = result.replace(/ies$/, 'ys').slice(0, -1);
  if (result.length > 5) result = result.replace(/(ing|ed)$/, '');
  return result.length > 3 ? result.replace(/e$/, '') : result;
}
