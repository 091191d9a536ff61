import { canonicalJson } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import type { ServerConfiguration } from './serverConfiguration.ts';
import { givenVariable, type GivenVariable } from './variables.ts';

const maxVariables = 100;

/** The `${input:…}` and `${secret:…}` in the launch of a server. */
export function givenVariables({ launch }: ServerConfiguration): GivenVariable[] {
  const found = JSON.stringify(launch).match(/\$\{(?:input|secret):[^{}$"\\]+\}/g) ?? [];
  return [...new Set(found)].slice(0, maxVariables).flatMap((text) => givenVariable(text) ?? []);
}

/** Whether the entry comes with the workspace, so that its author need not be the person at the editor. */
export function isWorkspaces({ origin }: ServerConfiguration): boolean {
  return origin.scope === 'workspace' || origin.scope === 'folder';
}

/**
 * Where the value of a variable is kept. What is entered for a server of a workspace belongs to exactly this launch: when the
 * repository changes its command or address, it is asked for anew. Secrets have one value for all servers.
 */
export function valueKey({ kind, id }: GivenVariable, configuration: ServerConfiguration): string {
  if (kind === 'secret') return secretKey(id);
  const owner = isWorkspaces(configuration) ? launchHash(configuration) : 'user';
  return `input/${owner}/${id}`;
}

/** Where the person's yes is kept that a server of a workspace gets one of their secrets. */
export function consentKey(id: string, configuration: ServerConfiguration): string {
  return `consent/${launchHash(configuration)}/${id}`;
}

const secretPrefix = 'secret/';

export function secretKey(id: string): string {
  return `${secretPrefix}${id}`;
}

/** The name of the secret kept under that key, if one is. */
export function secretName(key: string): string | undefined {
  return key.startsWith(secretPrefix) ? key.slice(secretPrefix.length) : undefined;
}

function launchHash({ id, origin, launch }: ServerConfiguration): string {
  return shortHash(canonicalJson({ id, folder: origin.folder?.uri ?? '', launch }), 32);
}
