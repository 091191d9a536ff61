import type { KnownSecrets } from '../core/redact.ts';
import type { Problem } from '../core/problem.ts';
import type { Registrations } from '../core/servers/registrations.ts';
import type { WantedClient } from '../core/servers/clientHost.ts';
import type { WantedServer } from '../core/servers/serverHost.ts';
import { hostProblems } from '../core/network/allowedHosts.ts';
import { findInput, parseInputs } from '../core/settings/inputs.ts';
import { parseSettings } from '../core/settings/parseSettings.ts';
import type {
  ParsedSettings,
  SettingsLayer,
  SettingsProblem,
} from '../core/settings/parseSettings.ts';
import { resolveLaunch, type ResolvedLaunch } from '../core/settings/resolveLaunch.ts';
import type {
  ConfigurationOrigin,
  ServerConfiguration,
  ServerLaunch,
} from '../core/settings/serverConfiguration.ts';
import { workspaceVariableProblems } from '../core/trust/workspaceVariables.ts';
import type { GivenValues } from './givenValues.ts';
import { allowedHostsInSettings } from './networkSettings.ts';
import { readInputLayers, variableLookup } from './settingsSource.ts';

interface ReadOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly values: GivenValues;
  /** Takes in the secrets of the launches. */
  readonly known: KnownSecrets;
  readonly registrations: Registrations;
}

type Input = ReturnType<typeof findInput>;

interface ReadServers {
  readonly parsed: ParsedSettings;
  readonly wanted: readonly WantedServer[];
  readonly clients: readonly WantedClient[];
  /** The definition of an input, as an entry of that origin sees it. */
  readonly findInput: (id: string, origin: ConfigurationOrigin) => Input;
  /** All that is wrong, with the place it stands at. */
  readonly problems: readonly SettingsProblem[];
}

/** Reads the settings and expands their variables with what people gave. */
export async function readServers(
  layers: readonly SettingsLayer[],
  options: ReadOptions,
): Promise<ReadServers> {
  const { values, registrations } = options;
  const { inputs, problems } = parseInputs(readInputLayers());
  const read = parseSettings(layers);
  const hosts = located({ scope: 'user' }, hostProblems(allowedHostsInSettings()));
  const parsed = { ...read, problems: [...read.problems, ...problems, ...hosts] };
  await values.load(parsed.configurations);
  const find = (id: string, origin: ConfigurationOrigin): Input => findInput(inputs, id, origin);
  const wanted: WantedServer[] = [];
  const clients: WantedClient[] = [];
  for (const configuration of parsed.configurations) {
    const { launch } = configuration;
    if (launch.type !== 'client') {
      wanted.push(wantedServer(configuration, launch, find, options));
      continue;
    }
    const client = registrations.client(configuration.id);
    if (client !== undefined) clients.push({ configuration, client });
  }
  return {
    ...{ parsed, wanted, clients, findInput: find },
    problems: [
      ...parsed.problems,
      ...parsed.invalid.flatMap(({ origin, problems: all }) => located(origin, all)),
      ...wanted.flatMap(({ configuration: { origin }, resolved }) =>
        'problems' in resolved ? located(origin, resolved.problems) : [],
      ),
    ],
  };
}

function wantedServer(
  configuration: ServerConfiguration,
  launch: ServerLaunch,
  find: ReadServers['findInput'],
  { environment, userHome, values, known }: ReadOptions,
): WantedServer {
  const { id, key, origin } = configuration;
  const lookup = variableLookup(origin, environment, userHome, (kind, variable) =>
    values.get({ kind, id: variable }, configuration),
  );
  const forbidden = workspaceVariableProblems(configuration);
  const resolved: ResolvedLaunch =
    forbidden.length > 0
      ? { problems: forbidden }
      : resolveLaunch({ key, launch }, lookup, (variable) =>
          variable.kind === 'secret' || find(variable.id, origin) !== undefined
            ? 'ask'
            : 'definition',
        );
  if ('launch' in resolved) known.addLaunch(resolved.launch, resolved.secrets ?? []);
  return { id, configuration, resolved };
}

function located(origin: ConfigurationOrigin, problems: readonly Problem[]): SettingsProblem[] {
  return problems.map((problem) => ({ ...problem, origin }));
}
