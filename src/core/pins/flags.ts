import { isJsonObject } from '../../base/json.ts';
import type { ToolDefinition } from '../tools/toolDefinition.ts';

/** Something conspicuous in what a server says; a hint for the person, never a proof. */
export interface Flag {
  /** Where it stands, such as `inputSchema.properties.path.description`. */
  readonly where: string;
  /** Completes "It has …" or stands alone: `hidden characters (12)`. */
  readonly what: string;
}

/** Characters that show nothing: zero width, direction, tags, variation selectors in number, blank letters. */
const hidden = new RegExp(
  [
    String.raw`[\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\u00AD\u{34F}\u061C]`,
    String.raw`[\u115F\u1160\u180E\u3164\uFFA0\u{E0000}-\u{E007F}]|(?<=\S)\uFEFF`,
    String.raw`[\u{FE00}-\u{FE0E}\u{E0100}-\u{E01EF}]`,
  ].join('|'),
  'gu',
);
// oxlint-disable-next-line no-control-regex -- control characters are what this is about
const terminal = /\u001B[[\]P^_]/;

/** Ways to address the model over the head of the person. Each is rare in honest descriptions. */
const phrases: readonly (readonly [what: string, pattern: RegExp])[] = [
  [
    'a heading that addresses the model',
    /<\/?\s*(?:important|system|secret|instructions?|admin|hidden|critical|assistant)\b[^>]{0,40}>/i,
  ],
  [
    'a chat marker',
    /<\|(?:im_start|im_end|system|endoftext)[^>]{0,20}\|?>|\[\/?INST\]|^\s*(?:system|assistant)\s*:/im,
  ],
  [
    'a wish to be kept from the user',
    /\b(?:do(?:es)?\s*n[o']t|never|without|must not|should not|avoid|no need to)\s+(?:\w+\s+){0,3}(?:tell|telling|mention|mentioning|inform|informing|notify|notifying|reveal|show|showing|disclos\w+|alert|alerting|ask|asking|let)\b[^.\n]{0,40}\b(?:user|human|person|anyone|them|him|her)\b/i,
  ],
  [
    'a wish to be kept from the user',
    /\b(?:hide|conceal|keep)\b[^.\n]{0,40}\b(?:secret|hidden|from the (?:user|human))/i,
  ],
  [
    'an order about other tools',
    /\b(?:before|after|instead of|prior to|whenever)\s+(?:you\s+)?(?:(?:us|call|invok|runn?)(?:e|ing|es)?\s+)?(?:any|every|all|each|another|other)\s+(?:other\s+)?(?:tools?|functions?|mcp)\b/i,
  ],
  [
    'an order about other tools',
    /\b(?:do not|don't|never|must not|stop)\s+(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing))\s+(?:the\s+)?(?:any\s+)?(?:other|built-?in|original|regular|default)\b/i,
  ],
  [
    'an order about other tools',
    /\b(?:when|if|whenever)\b[^.\n]{0,60}\b(?:send_?\w*|write_?\w*|delete_?\w*|email|message|transfer)\b[^.\n]{0,30}\btool\b[^.\n]{0,80}\b(?:must|always|instead|change|replace|bcc|forward)\b/i,
  ],
  [
    'an order to set instructions aside',
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|system|other|safety|existing)\b[^.\n]{0,30}\b(?:instructions?|rules?|prompts?|guidelines?|polic(?:y|ies)|context)\b/i,
  ],
  [
    'a place where secrets are kept',
    /~\/\.(?:ssh|aws|kube|gnupg|docker|npmrc|netrc|config\/gcloud)|\bid_rsa\b|\bid_ed25519\b|\/etc\/(?:passwd|shadow)\b|\.cursor\/mcp\.json|\bclaude_desktop_config\.json\b/i,
  ],
  [
    'a wish for what was said or for secrets',
    /\b(?:include|pass|send|attach|append|put|copy|provide|fill|insert|read)\b[^.\n]{0,60}\b(?:conversation(?: history)?|chat history|system prompt|previous messages|all (?:prior|previous) messages|(?:user'?s?|your|all|any) (?:api[ _-]?keys?|credentials|passwords?|private keys?|secrets|environment variables|tokens))\b/i,
  ],
  ['a long text in Base64', /(?:^|[\s"'(:=])[A-Za-z0-9+/]{200,}={0,2}(?:$|[\s"'),.])/],
];

/** Most flags given of one tool, most strings looked at, longest part of a string. */
const maxFlags = 20;
const maxStrings = 20_000;
const maxLength = 65_536;

const known = new WeakMap<ToolDefinition, readonly Flag[]>();

/** What is conspicuous in anything a server says of a tool: every text and every key of it. */
export function flagsOf(definition: ToolDefinition): readonly Flag[] {
  const before = known.get(definition);
  if (before !== undefined) return before;
  const { name, title, description, inputSchema, outputSchema, annotations } = definition;
  const found = flagsIn({
    ...{ name, title, description, inputSchema, outputSchema },
    annotations: { title: annotations.title },
  });
  known.set(definition, found);
  return found;
}

/** The same of what a server says of itself. */
export function flagsOfInstructions(instructions: string): readonly Flag[] {
  return flagsIn({ instructions });
}

function flagsIn(value: unknown): Flag[] {
  const found: Flag[] = [];
  let strings = 0;
  const look = (where: string, text: string): void => {
    strings += 1;
    if (strings > maxStrings || found.length >= maxFlags) return;
    for (const what of conspicuous(text.slice(0, maxLength))) found.push({ where, what });
  };
  const visit = (where: string, one: unknown): void => {
    if (strings > maxStrings) return;
    if (typeof one === 'string') look(where, one);
    else if (Array.isArray(one)) one.forEach((item, index) => visit(`${where}[${index}]`, item));
    else if (isJsonObject(one)) {
      for (const [key, item] of Object.entries(one)) {
        const below = where === '' ? key : `${where}.${key}`;
        look(below, key);
        visit(below, item);
      }
    }
  };
  visit('', value);
  return found;
}

function conspicuous(text: string): string[] {
  const found = new Set<string>();
  const count = text.match(hidden)?.length ?? 0;
  if (count > 0) found.add(`hidden characters (${count})`);
  if (terminal.test(text)) found.add('control sequences of a terminal');
  for (const [what, pattern] of phrases) if (pattern.test(text)) found.add(what);
  return [...found];
}
