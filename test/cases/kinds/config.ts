import { parse } from 'jsonc-parser';
import {
  isJsonObject,
  jsonEqual,
  type JsonObject,
  type JsonValue,
} from '../../../src/base/json.ts';
import { reconcile } from '../../../src/core/servers/reconcile.ts';
import { serversInText } from '../../../src/core/settings/pastedServers.ts';
import { strayNames } from '../../../src/core/settings/strayNames.ts';
import { parseSettings, type SettingsLayer } from '../../../src/core/settings/parseSettings.ts';
import { resolveLaunch } from '../../../src/core/settings/resolveLaunch.ts';
import type {
  ServerConfiguration,
  WorkspaceFolder,
} from '../../../src/core/settings/serverConfiguration.ts';
import { settingsVariables, type VariableLookup } from '../../../src/core/settings/variables.ts';
import { configurationSection, serversSetting } from '../../../src/editor/contributionIds.ts';
import { FakeServer } from '../fakeServer.ts';
import {
  asText,
  FixtureError,
  expand,
  objectOf,
  objectsOf,
  textsOf,
  type Fixture,
} from '../fixture.ts';
import { assertKnown, runChecks, type Report } from '../report.ts';
import { own } from '../schemaWalk.ts';
import { TestBridge } from '../testBridge.ts';
import {
  configChecks,
  environmentsOf,
  type ConfiguredServer,
  type SeenConfig,
} from './configChecks.ts';
import { resolvable } from '../../support/builders.ts';

const inputs = [
  'platform',
  'home',
  'folders',
  'env',
  'existingFiles',
  'servers',
  'settingsText',
  'fileText',
  'thenFileText',
  'logLevel',
  'run',
  'stderrEcho',
];

/** Reads settings as the editor would hand them over, up to what is launched; starts servers for `run` only. */
export async function runConfig(fixture: Fixture, report: Report): Promise<void> {
  const input = objectOf(expand(fixture.input), 'input');
  assertKnown(input, inputs);
  const read = readConfig(input, valueOf(input), strayOf(input));
  const then = input['thenFileText'];
  const after = then === undefined ? read : readConfig(input, serversIn(asText(then)));
  const seen: SeenConfig = {
    ...read,
    environments: await environmentsOf(
      read.servers,
      environmentOf(input),
      input['platform'] === 'win32' ? 'win32' : 'linux',
    ),
    log: await runServers(input),
    changes: reconcile(
      new Map(read.servers.map((server) => [server.id, server])),
      after.servers,
      (left, right) => jsonEqual(left.resolved, right.resolved),
    ),
  };
  runChecks(fixture.expect, configChecks, seen, report);
}

function readConfig(
  input: JsonObject,
  value: JsonValue | undefined,
  stray: ReadonlyMap<string, JsonValue> = new Map(),
) {
  const settings = parseSettings(layersOf(input, value, stray));
  return {
    settings,
    servers: settings.configurations.map((configuration): ConfiguredServer => ({
      id: configuration.id,
      key: configuration.key,
      isEnabled: configuration.enabled,
      resolved: resolveLaunch(resolvable(configuration), lookupFor(input, configuration)),
    })),
  };
}

/** The value of the setting in the user's settings. */
function valueOf({ servers, settingsText, fileText }: JsonObject): JsonValue | undefined {
  if (settingsText !== undefined) return settingIn(asText(settingsText), serversSetting);
  return fileText === undefined ? servers : serversIn(asText(fileText));
}

/** A setting of ours in the text of a settings file, read with its mistakes as the editor reads it. */
function settingIn(settingsText: string, name: string): JsonValue | undefined {
  const text = settingsText.replace(/^\uFEFF/, '').replaceAll('{{SECTION}}', configurationSection);
  const settings = parse(text, [], { allowTrailingComma: true }) as JsonValue;
  return (
    own(settings, `${configurationSection}.${name}`) ??
    own(own(settings, configurationSection), name)
  );
}

/** What the settings reader would find under names of our section that are not ours. */
function strayOf({ settingsText }: JsonObject): Map<string, JsonValue> {
  if (settingsText === undefined) return new Map();
  const text = asText(settingsText);
  return new Map(
    strayNames.flatMap((name): [string, JsonValue][] => {
      const value = settingIn(text, name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** The servers of a file of ours or of another client. */
function serversIn(text: string): JsonValue | undefined {
  return serversInText(text)?.servers;
}

function layersOf(
  input: JsonObject,
  value: JsonValue | undefined,
  stray: ReadonlyMap<string, JsonValue>,
): SettingsLayer[] {
  return [
    { origin: { scope: 'user' }, value, stray },
    ...objectsOf(input['folders'] ?? [], 'folders').map((entry, at): SettingsLayer => {
      assertKnown(entry, ['name', 'path', 'servers']);
      const folder = foldersOf(input)[at];
      return {
        origin: { scope: 'folder', ...(folder !== undefined && { folder }) },
        value: entry['servers'],
      };
    }),
  ];
}

function foldersOf(input: JsonObject): WorkspaceFolder[] {
  return objectsOf(input['folders'] ?? [], 'folders').map(({ name, path }) => ({
    name: asText(name),
    path: asText(path),
    uri: `file://${asText(path)}`,
  }));
}

/** What variables mean in a trusted window. */
function lookupFor(input: JsonObject, { origin }: ServerConfiguration): VariableLookup {
  const folders = foldersOf(input);
  const environment = environmentOf(input);
  const userHome = asText(input['home']);
  return settingsVariables({ folders, folder: origin.folder, environment, userHome });
}

function environmentOf({ env = {} }: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(objectOf(env, 'env')).map(([name, value]) => [name, asText(value)]),
  );
}

/** Starts all servers where the case says so; each local one prints `stderrEcho` and ends. Gives the whole log. */
async function runServers(input: JsonObject): Promise<string | undefined> {
  const { run, stderrEcho = '' } = input;
  if (run === undefined) return undefined;
  if (run !== 'fail-start') throw new FixtureError(`unknown "run": ${JSON.stringify(run)}`);
  const [echo = ''] = textsOf(stderrEcho, 'stderrEcho');
  await using fake = await FakeServer.create([
    { when: 'spawn', do: [{ stderr: `${echo}\n` }, { exit: 1 }] },
  ]);
  const servers = Object.entries(objectOf(valueOf(input), 'servers')).map(([key, entry]) => [
    key,
    isJsonObject(entry) ? { timeouts: { connect: 10 }, ...entry } : entry,
  ]);
  await using bridge = new TestBridge(
    Object.fromEntries(servers) as JsonObject,
    (configuration) => {
      const resolved = resolveLaunch(resolvable(configuration), lookupFor(input, configuration));
      if (!('launch' in resolved) || resolved.launch.type !== 'stdio') return resolved;
      const { launch } = resolved;
      const { command, args, cwd, env } = fake.launch;
      return {
        launch: {
          ...launch,
          command,
          cwd,
          args: [...args, ...launch.args],
          env: { ...env, ...launch.env },
        },
      };
    },
  );
  const keys = bridge.settings.configurations.map(({ key }) => key);
  const states = await Promise.all(keys.map((key) => bridge.settled(key)));
  const shown = states.map((state) =>
    state.kind === 'error' ? `${state.summary} ${state.message}` : '',
  );
  return [bridge.log.text, ...shown, ...bridge.warnings()].join('\n');
}
