import { canonicalJson } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import { literalSecrets } from '../settings/literalSecrets.ts';
import type {
  ConfigurationOrigin,
  ServerConfiguration,
  ServerLaunch,
} from '../settings/serverConfiguration.ts';

/** One thing that a launch consists of. */
export interface LaunchFact {
  /** Such as `args[2]` or `env.TOKEN`. */
  readonly name: string;
  /** As a person may see it: without secrets, with hidden characters written out. */
  readonly shown: string;
  /** Tells values apart that are shown alike. Not to be turned back into the value. */
  readonly digest: string;
}

/** All that decides what is run or contacted by a server, and what it is given. */
export interface LaunchFacts {
  readonly facts: readonly LaunchFact[];
  /** SHA-256 of all of it, as hexadecimal digits. */
  readonly key: string;
}

/** What only the machine can tell about a launch. */
export interface LaunchInspection {
  /** Real path of the program that would be started. */
  readonly program?: string;
  /** Hash of the content of `envFile`. */
  readonly envFile?: string;
}

interface Launched {
  readonly configuration: ServerConfiguration;
  /** With its variables expanded. */
  readonly launch: ServerLaunch;
  readonly inspection: LaunchInspection;
}

/**
 * Of values of `env`, `headers` and `auth` it takes what the settings say, so that a new token of the person's is no other launch;
 * of everything else what the variables expand to. `digest` is a keyed hash, `mask` hides known secrets.
 */
export function launchFacts(
  { configuration, launch, inspection }: Launched,
  digest: (name: string, value: string) => string,
  mask: (text: string) => string,
): LaunchFacts {
  const { origin, launch: written } = configuration;
  const literals = literalSecrets(written).map(({ value }) => value);
  const hidden = (text: string): string =>
    mask(literals.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text));
  const values: (readonly [name: string, value: string])[] = [['settings', placeOf(origin)]];
  const add = (name: string, value: string | undefined): void => {
    if (value !== undefined) values.push([name, value]);
  };
  add('transport', launch.type);
  if (launch.type === 'stdio') {
    add('command', launch.command);
    add('program', inspection.program ?? '(not found)');
    launch.args.forEach((argument, index) => add(`args[${index}]`, argument));
    add('cwd', launch.cwd);
    add('envFile', launch.envFile);
    if (launch.envFile !== undefined) add('content of envFile', inspection.envFile ?? '(none)');
  } else add('url', launch.url);
  for (const [name, value] of writtenValues(written)) add(name, value);
  const facts = values.map(([name, value]): LaunchFact => {
    const shown = name === 'content of envFile' ? '(hash)' : visible(hidden(value));
    return { name: visible(name), shown, digest: digest(name, value) };
  });
  // The order of members in a settings file makes no difference; that of arguments is in their names.
  const sorted = facts.map(({ name, digest: hash }) => `${name}\0${hash}`).toSorted();
  const key = shortHash(canonicalJson(sorted), 64);
  return { facts, key };
}

function writtenValues(launch: ServerConfiguration['launch']): [name: string, value: string][] {
  if (launch.type === 'client') return [];
  if (launch.type === 'stdio') {
    return Object.entries(launch.env).map(([name, value]) => [`env.${name}`, value ?? '(removed)']);
  }
  const { auth } = launch;
  return [
    ...Object.entries(launch.headers).map(([name, value]): [string, string] => [
      `headers.${name}`,
      value,
    ]),
    ...(auth === false ? [['auth', 'false'] as [string, string]] : []),
    ...Object.entries(auth || {}).map(([name, value]): [string, string] => [
      `auth.${name}`,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ];
}

function placeOf({ scope, folder }: ConfigurationOrigin): string {
  return folder === undefined ? scope : `${scope} ${folder.uri}`;
}

/** JSON writes control characters out; what else is invisible or turns the direction of writing is written as its code point. */
function visible(text: string): string {
  const escaped = JSON.stringify(text.toWellFormed()).slice(1, -1);
  return escaped.replace(
    /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u0080-\u009F]|(?! )\p{Zs}/gu,
    (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`,
  );
}

/** What differs between an approved launch and the one of now, a line each; empty if nothing does. */
export function launchDifference(
  before: readonly LaunchFact[],
  now: readonly LaunchFact[],
): string[] {
  const old = new Map(before.map((fact) => [fact.name, fact]));
  const current = new Map(now.map((fact) => [fact.name, fact]));
  const names = [...new Set([...old.keys(), ...current.keys()])];
  return names.flatMap((name) => {
    const [was, is] = [old.get(name), current.get(name)];
    if (was?.digest === is?.digest) return [];
    if (was === undefined) return [`${name}: new: ${is?.shown ?? ''}`];
    if (is === undefined) return [`${name}: removed, was ${was.shown}`];
    const change = was.shown === is.shown ? 'another value' : `${was.shown} → ${is.shown}`;
    return [`${name}: ${change}`];
  });
}
