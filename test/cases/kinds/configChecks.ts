import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/base/json.ts';
import type { Reconciliation } from '../../../src/core/servers/reconcile.ts';
import type { ParsedSettings } from '../../../src/core/settings/parseSettings.ts';
import type { ResolvedLaunch } from '../../../src/core/settings/resolveLaunch.ts';
import type { ServerLaunch, StdioLaunch } from '../../../src/core/settings/serverConfiguration.ts';
import { childEnvironment } from '../../../src/mcp/environment.ts';
import { objectOf, objectsOf, textsOf } from '../fixture.ts';
import { assertKnown, isMatch, isSameSet, type Checks, type Report } from '../report.ts';
import { own } from '../schemaWalk.ts';

export interface ConfiguredServer {
  readonly id: string;
  readonly key: string;
  readonly isEnabled: boolean;
  readonly resolved: ResolvedLaunch;
}

/** What the bridge made of settings. */
export interface SeenConfig {
  readonly settings: ParsedSettings;
  readonly servers: readonly ConfiguredServer[];
  /** What becomes of the servers when the file has changed. */
  readonly changes: Reconciliation<ConfiguredServer>;
  /** Environment of each local server, by key. */
  readonly environments: ReadonlyMap<string, Readonly<Record<string, string>>>;
  /** All that was logged and shown while the servers ran, if they did. */
  readonly log: string | undefined;
}

/** The environment each local server is started with. */
export async function environmentsOf(
  servers: readonly ConfiguredServer[],
  host: Readonly<Record<string, string>>,
  platform: NodeJS.Platform,
): Promise<Map<string, Record<string, string>>> {
  const local = servers.flatMap(({ key, resolved }): (readonly [string, StdioLaunch])[] =>
    'launch' in resolved && resolved.launch.type === 'stdio' ? [[key, resolved.launch]] : [],
  );
  return new Map(
    await Promise.all(
      local.map(
        async ([key, launch]) => [key, await childEnvironment(launch, host, platform)] as const,
      ),
    ),
  );
}

export const configChecks: Checks<SeenConfig> = {
  servers: (expected, seen, report) => {
    for (const [key, fields] of Object.entries(objectOf(expected, 'servers'))) {
      checkLaunch(key, objectOf(fields, key), seen, report);
    }
  },
  started: (expected, seen, report) => {
    const wanted = textsOf(expected, 'started');
    const started = seen.servers.filter(isStarted).map(({ key }) => key);
    report.check(isSameSet(wanted, started), 'started', wanted, started);
  },
  problems: (expected, seen, report) =>
    checkProblems(objectsOf(expected, 'problems'), seen, report),
  transports: (expected, seen, report) => {
    const wanted = objectOf(expected, 'transports');
    const transports = Object.keys(wanted).map((key) => [key, launchOf(key, seen)?.type ?? 'none']);
    report.equal('transports', wanted, Object.fromEntries(transports));
  },
  warnMentions: (expected, seen, report) =>
    report.mentions(
      'warnMentions',
      expected,
      saidOf(seen)
        .map(({ message }) => message)
        .join('\n'),
    ),
  childEnv: (expected, seen, report) => checkEnvironments(expected, seen, report, (name) => name),
  childEnvCaseInsensitive: (expected, seen, report) =>
    checkEnvironments(expected, seen, report, (name) => name.toUpperCase()),
  onlyOnePathKey: (expected, { environments }, report) => {
    const doubled = [...environments.values()].filter(
      (env) => Object.keys(env).filter((name) => name.toUpperCase() === 'PATH').length > 1,
    );
    report.check((doubled.length === 0) === expected, 'onlyOnePathKey', expected, doubled);
  },
  neverSent: (expected, { servers }, report) => {
    const launched = JSON.stringify(servers.filter(isStarted).map(({ resolved }) => resolved));
    report.mentionsNot('neverSent', expected, launched);
  },
  neverLogged: (expected, { log, settings }, report) => {
    const problems = [...settings.problems, ...settings.invalid.flatMap((one) => one.problems)];
    const text = [log, ...problems.map(({ where, message }) => `${where} ${message}`)].join('\n');
    report.mentionsNot('neverLogged', expected, text);
  },
  // Wanted, not required.
  shouldNotLog: () => undefined,
  stillRunning: (expected, { changes }, report) => {
    const kept = changes.kept.filter(isStarted).map(({ key }) => key);
    for (const key of textsOf(expected, 'stillRunning')) {
      report.check(kept.includes(key), 'stillRunning', key, kept);
    }
  },
  restarts: (expected, { changes }, report) => {
    const changed = changes.changed.map(({ key }) => key);
    if (typeof expected === 'number') report.equal('restarts', expected, changed.length);
    else
      report.check(
        isSameSet(textsOf(expected, 'restarts'), changed),
        'restarts',
        expected,
        changed,
      );
  },
  eitherAcceptedOrProblem: (expected, seen, report) => {
    const {
      server,
      acceptedAs,
      mentions = [],
      ...others
    } = objectOf(expected, 'eitherAcceptedOrProblem');
    assertKnown(others, []);
    const problems = saidOf(seen).filter((one) => server === undefined || one.server === server);
    const text = problems.map(({ message }) => message.toLowerCase()).join('\n');
    const isReported =
      problems.length > 0 &&
      textsOf(mentions, 'mentions').every((word) => text.includes(word.toLowerCase()));
    const accepted = seen.servers.filter(
      (one) => isStarted(one) && (server === undefined || one.key === server),
    );
    const isAccepted = accepted.some(
      ({ key }) =>
        acceptedAs === undefined ||
        differences(objectOf(acceptedAs, 'acceptedAs'), launchOf(key, seen)).length === 0,
    );
    report.check(isAccepted || isReported, 'eitherAcceptedOrProblem', expected, {
      accepted: accepted.map(({ resolved }) => resolved),
      problems,
    });
  },
};

function isStarted({ isEnabled, resolved }: ConfiguredServer): boolean {
  return isEnabled && 'launch' in resolved;
}

function launchOf(key: string, { servers }: SeenConfig): ServerLaunch | undefined {
  const resolved = servers.find((server) => server.key === key)?.resolved;
  return resolved !== undefined && 'launch' in resolved ? resolved.launch : undefined;
}

function checkLaunch(key: string, fields: JsonObject, seen: SeenConfig, report: Report): void {
  const launch = launchOf(key, seen);
  if (launch === undefined) {
    report.fail(
      key,
      fields,
      saidOf(seen).filter(({ server }) => server === key),
    );
    return;
  }
  for (const name of differences(fields, launch)) {
    report.fail(`${key}.${name}`, fields[name], fieldOf(launch, name));
  }
}

/** The named fields that are not as expected. */
function differences(fields: JsonObject, launch: ServerLaunch | undefined): string[] {
  return Object.entries(fields)
    .filter(([name, value]) => launch === undefined || !isMatch(value, fieldOf(launch, name)))
    .map(([name]) => name);
}

function fieldOf(launch: ServerLaunch, name: string): JsonValue | undefined {
  const values = launch as unknown as JsonObject;
  return own(values, name === 'transport' ? 'type' : name);
}

interface Said {
  readonly server: string;
  readonly message: string;
  /** Whether it keeps the server from being used. */
  readonly isFatal: boolean;
}

/** All that is said about settings, by server. */
function saidOf({ settings, servers }: SeenConfig): Said[] {
  const keys = [...servers, ...settings.invalid].map(({ key }) => key);
  return [
    ...settings.invalid.flatMap(({ key, problems }) =>
      problems.map(({ message }) => ({ server: key, message, isFatal: true })),
    ),
    ...servers.flatMap(({ key, resolved }) =>
      'problems' in resolved
        ? resolved.problems.map(({ message }) => ({ server: key, message, isFatal: true }))
        : [],
    ),
    ...settings.problems.map(({ where, message }) => ({
      server: keys.find((key) => where === key || where.startsWith(`${key}.`)) ?? where,
      message,
      isFatal: false,
    })),
  ];
}

/** Each expected problem is there, no other server has one that keeps it from starting; `[]`: nothing is said at all. */
function checkProblems(expected: readonly JsonObject[], seen: SeenConfig, report: Report): void {
  const said = saidOf(seen);
  for (const { server, mentions = [], ...others } of expected) {
    assertKnown(others, []);
    const about = said.filter((one) => server === undefined || one.server === server);
    report.check(about.length > 0, 'problems', `one about ${JSON.stringify(server)}`, said);
    report.mentions(
      `problem of ${JSON.stringify(server)}`,
      mentions,
      about.map(({ message }) => message).join('\n'),
    );
  }
  const known = new Set(expected.map(({ server }) => server));
  if (known.has(undefined)) return;
  const more = said.filter(
    ({ server, isFatal }) => !known.has(server) && (isFatal || expected.length === 0),
  );
  report.check(more.length === 0, 'problems', 'no others', more);
}

function checkEnvironments(
  expected: JsonValue,
  { environments }: SeenConfig,
  report: Report,
  spell: (name: string) => string,
): void {
  for (const [key, variables] of Object.entries(objectOf(expected, 'childEnv'))) {
    const made = Object.entries(environments.get(key) ?? {}).map(([name, value]) => [
      spell(name),
      value,
    ]);
    const seen = Object.fromEntries(made) as JsonObject;
    for (const [name, value] of Object.entries(isJsonObject(variables) ? variables : {})) {
      const found = own(seen, name);
      report.check(isMatch(value, found), `environment ${name} of ${key}`, value, found);
    }
  }
}
