import { z } from 'zod';
import { isJsonObject } from '../../base/json.ts';
import { limitNames, maxLimits } from './limits.ts';

/** `args` written as one string or with numbers and booleans in it are common slips; both are read as text. */
const argument = z.union([z.string(), z.number().transform(String), z.boolean().transform(String)]);
const environmentValue = z.union([
  z.string(),
  z.number().transform(String),
  z.boolean().transform(String),
  z.null(),
]);
const confirmRule = z.enum(['always', 'writes', 'never']);
const seconds = z.number().min(1).max(3600);
const globs = z.array(z.string().min(1).max(256)).max(1000);
const text = z.string().max(32_768);
const auth = z.object({
  clientId: text.min(1).optional(),
  clientSecret: text.min(1).optional(),
  scopes: z
    .union([
      z.array(z.string().min(1)).max(100),
      z.string().transform((list) => list.split(/\s+/).filter((scope) => scope !== '')),
    ])
    .optional(),
  redirectPort: z.number().int().min(1).max(65_535).optional(),
  clientMetadataUrl: text.min(1).optional(),
});
/** Each limit of the interface `Limits`, from 1 to its ceiling. */
const limits = z.object(
  Object.fromEntries(
    limitNames.map((name) => [name, z.number().int().min(1).max(maxLimits[name]).optional()]),
  ) as Record<(typeof limitNames)[number], z.ZodOptional<z.ZodNumber>>,
);

/** Types in any case; those other clients write for Streamable HTTP mean the same. */
const transportTypes: ReadonlyMap<string, 'stdio' | 'http' | 'sse'> = new Map([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['sse', 'sse'],
  ['streamable-http', 'http'],
  ['streamablehttp', 'http'],
  ['streamable_http', 'http'],
]);

const transportType = z.string().transform((type, context) => {
  const known = transportTypes.get(type.trim().toLowerCase());
  if (known !== undefined) return known;
  const message = `there is no transport ${JSON.stringify(type.slice(0, 50))}; write "stdio", "http" or "sse"`;
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

/**
 * What an entry of `mcpBridge.servers` may hold. Keys that other clients use (`disabled`, `transport`,
 * `httpUrl`, …) are understood; foreign keys are ignored, so that an entry can be pasted as it is.
 */
export const entrySchema = z.object({
  type: transportType.optional(),
  command: text.trim().min(1).optional(),
  args: z.union([z.array(argument).max(1000), text]).optional(),
  cwd: text.min(1).optional(),
  env: z.record(z.string(), environmentValue).optional(),
  envFile: text.min(1).optional(),
  url: text.trim().min(1).optional(),
  headers: z.record(z.string(), argument).optional(),
  auth: z.union([z.literal(false), auth]).optional(),
  enabled: z.boolean().optional(),
  start: z.enum(['auto', 'onUse', 'manual']).optional(),
  idleStop: z.number().min(0).max(1440).optional(),
  protocol: z.enum(['auto', 'modern', 'legacy']).optional(),
  prefix: z.string().max(64).optional(),
  allow: globs.optional(),
  deny: globs.optional(),
  confirm: z.union([confirmRule, z.record(z.string(), confirmRule)]).optional(),
  trustAnnotations: z.boolean().optional(),
  newTools: z.enum(['allow', 'ask']).optional(),
  changedTools: z.enum(['block', 'allow']).optional(),
  expose: z.enum(['tools', 'search']).optional(),
  rename: z.record(z.string(), z.string().min(1).max(64)).optional(),
  priority: z.number().int().min(-1000).max(1000).optional(),
  pin: globs.optional(),
  resources: z.boolean().optional(),
  prompts: z.boolean().optional(),
  elicitation: z.boolean().optional(),
  sampling: z.boolean().optional(),
  limits: limits.optional(),
  timeouts: z
    .object({
      connect: seconds.optional(),
      call: seconds.optional(),
      total: seconds.optional(),
      tools: z
        .record(z.string(), z.object({ call: seconds.optional(), total: seconds.optional() }))
        .optional(),
    })
    .optional(),
});

export type Entry = z.infer<typeof entrySchema>;

/** Other clients' spellings, each with ours. Ours wins where both stand. */
const spellings: readonly (readonly [theirs: string, ours: string])[] = [
  ['transport', 'type'],
  ['transportType', 'type'],
  ['httpUrl', 'url'],
];

/** Lists of other clients that we do not obey, each with what to write instead. Said only when there is something in them. */
const notObeyed: readonly (readonly [theirs: string, instead: string])[] = [
  ['autoApprove', '"confirm" with a rule for each tool'],
  ['alwaysAllow', '"confirm" with a rule for each tool'],
  ['trust', '"confirm": "never" (in your user settings)'],
  ['includeTools', '"allow"'],
  ['enabledTools', '"allow"'],
  ['excludeTools', '"deny"'],
  ['disabledTools', '"deny"'],
];

/** Keys that stand in the files of other clients; what they say is read, spoken of elsewhere, or of no account. */
export const foreignKeys: ReadonlySet<string> = new Set([
  ...spellings.map(([theirs]) => theirs),
  ...notObeyed.map(([theirs]) => theirs),
  ...['disabled', 'oauth', 'auth', 'serverUrl', '$schema', 'name', 'title', 'description', 'icon'],
  ...[
    'icons',
    'version',
    'dev',
    'gallery',
    'sandbox',
    'sandboxEnabled',
    'tags',
    'tools',
    'timeout',
  ],
  ...['source', 'settings', 'cwdMode', 'restart', 'id', 'author', 'homepage', 'repository'],
  ...['_comment', 'comment', '//', 'inputs', 'requestInit', 'sessionId', 'capabilities', 'notes'],
]);

/** What other clients' keys in an entry ask for and we do not do: the key, and what to write instead. */
export function ignoredKeys(
  entry: Readonly<Record<string, unknown>>,
): { readonly name: string; readonly instead: string }[] {
  return notObeyed.flatMap(([name, instead]) => {
    const value = Object.hasOwn(entry, name) ? entry[name] : undefined;
    const isAsking = Array.isArray(value) ? value.length > 0 : value === true;
    return isAsking ? [{ name, instead }] : [];
  });
}

/** The entry with other clients' spellings replaced by ours. Values are not checked here. */
export function translateSpellings(
  entry: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const result: Record<string, unknown> = { ...entry };
  for (const [theirs, ours] of spellings) {
    if (typeof result[theirs] === 'string') result[ours] ??= result[theirs];
  }
  if (result['disabled'] === true) result['enabled'] ??= false;
  const { auth, oauth } = result;
  if (auth === false || auth === 'none' || oauth === false) result['auth'] = false;
  else if (isJsonObject(auth ?? oauth)) result['auth'] = translateAuth(auth ?? oauth);
  // Other clients name the kind of sign-in here (`"oauth"`, `true`); ours is found out.
  else delete result['auth'];
  return result;
}

/** Of `auth`, other clients' spellings. */
const authSpellings: typeof spellings = [
  ['scope', 'scopes'],
  ['callbackPort', 'redirectPort'],
  ['client_id', 'clientId'],
  ['client_secret', 'clientSecret'],
];

function translateAuth(auth: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = { ...(auth as object) };
  for (const [theirs, ours] of authSpellings) {
    if (result[theirs] !== undefined) result[ours] ??= result[theirs];
  }
  return result;
}
