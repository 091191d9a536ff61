import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import { launchDifference, type LaunchFact, type LaunchFacts } from './launchFacts.ts';

/** What a person is asked before a server of a workspace is launched. */
export interface LaunchQuestion {
  readonly title: string;
  /** Everything, a fact per line; nothing is shortened. */
  readonly text: string;
  /** Too long for a dialog: to be read in an editor first. */
  readonly isLong: boolean;
}

/** What fits into a dialog. */
const maxLines = 40;
const maxCharacters = 3000;

/** `approved`: the facts of the launch that was approved before, if any. */
export function launchQuestion(
  { key, launch }: Pick<ServerConfiguration, 'key' | 'launch'>,
  { facts }: LaunchFacts,
  approved: readonly LaunchFact[] | undefined,
): LaunchQuestion {
  const isLocal = launch.type === 'stdio';
  const difference = approved === undefined ? [] : launchDifference(approved, facts);
  const handed = handedOver(launch);
  const parts = [
    difference.length > 0
      ? [`What is different from what you approved before:`, ...difference, '']
      : [],
    [
      isLocal
        ? 'It is a program that runs on this machine with all your rights. These are its command and each of its arguments, as the program gets them:'
        : 'It is a remote server. This is where requests, and what agents write into them, are sent:',
      ...facts.map(({ name, shown }) => `${name}: ${shown}`),
    ],
    handed.length > 0 ? ['', `It gets values of yours: ${handed.join(', ')}.`] : [],
    ...unpinned(launch).map((warning) => ['', warning]),
    [
      '',
      'It stays approved until any of this changes. The approval is kept outside the workspace.',
    ],
  ];
  const text = parts.flat().join('\n');
  const isLong = text.length > maxCharacters || text.split('\n').length > maxLines;
  const verb = isLocal ? 'start' : 'connect to';
  const title =
    difference.length > 0
      ? `The launch of the MCP server "${key}" has changed in the settings of this workspace. Approve it?`
      : `The settings of this workspace want to ${verb} the MCP server "${key}". Approve it?`;
  return { title, text, isLong };
}

/** Variables whose values come from the person's environment or secrets, and where they go. */
export function handedOver(launch: ServerConfiguration['launch']): string[] {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      for (const [variable] of value.matchAll(/\$\{(?:env|input|secret):[^{}]*\}/g))
        found.add(variable);
    } else if (typeof value === 'object' && value !== null) Object.values(value).forEach(visit);
  };
  visit(launch);
  return [...found];
}

/** A package that is fetched anew, in whatever version there is then. */
export function unpinned(launch: ServerConfiguration['launch']): string[] {
  if (launch.type !== 'stdio') return [];
  const program = /[^/\\]*$/.exec(launch.command)?.[0].replace(/\.(cmd|exe)$/i, '') ?? '';
  const warning = (name: string): string[] => [
    `"${name}" names no version, so what is run can be another program tomorrow.`,
  ];
  if (['npx', 'bunx', 'pnpx'].includes(program)) {
    const name = launch.args.find((argument) => !argument.startsWith('-'));
    return name === undefined || /.@[^@/]*\d/.test(name) ? [] : warning(name);
  }
  if (program === 'uvx' || program === 'pipx') {
    const name = launch.args.find((argument) => !argument.startsWith('-') && argument !== 'run');
    return name === undefined || /==|@\d/.test(name) ? [] : warning(name);
  }
  if (program === 'docker' || program === 'podman') {
    const image = launch.args.find(
      (argument) =>
        /^[\w./-]+(?::[\w.-]+)?(?:@sha256:.*)?$/.test(argument) && /[/:]/.test(argument),
    );
    return image === undefined || image.includes('@sha256:') || /:v?\d/.test(image)
      ? []
      : warning(image);
  }
  return [];
}
