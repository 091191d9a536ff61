import * as vscode from 'vscode';
import { assertNever } from '../base/errors.ts';
import type { ConnectionState } from '../core/servers/connectionState.ts';
import { flagsOf } from '../core/pins/flags.ts';
import { healthLines } from '../core/servers/serverHealth.ts';
import { literalSecrets } from '../core/settings/literalSecrets.ts';
import type { ServerConfiguration } from '../core/settings/serverConfiguration.ts';
import { confirmVerdict } from '../core/tools/confirmation.ts';
import {
  isWithoutRoom,
  type CatalogServer,
  type CatalogTool,
  type ToolCatalog,
} from '../core/tools/toolCatalog.ts';

/** Most characters of a schema or description shown on hover. */
const maxShown = 4000;

/** Everything about a tool. Text of the server is shown literally: no links, images or icons become active. */
export function toolTooltip(tool: CatalogTool): vscode.MarkdownString {
  const { exposedName, definition, availability, repairs } = tool;
  const text = titled(definition.title ?? definition.name);
  if (availability.kind === 'leftOut') {
    text.appendMarkdown('Left out: ').appendText(availability.reason).appendMarkdown('\n\n');
  } else if (availability.kind === 'search') {
    text.appendMarkdown('Reached through `mcp_bridge_find_tools`');
    text.appendMarkdown(availability.reason === 'budget' ? `: ${noRoom}\n\n` : '.\n\n');
  }
  if (definition.description !== '') {
    text.appendText(shorten(definition.description)).appendMarkdown('\n\n');
  }
  row(text, 'Name for agents', exposedName);
  row(text, 'Name on the server', definition.name);
  row(text, 'Approval', approvalNeed(tool));
  for (const { where, what } of flagsOf(definition).slice(0, 10)) {
    row(text, 'Conspicuous', `${what}, in ${where}`);
  }
  const claims = Object.entries(definition.annotations)
    .filter(([name, value]) => name.endsWith('Hint') && value === true)
    .map(([name]) => name);
  if (claims.length > 0) row(text, 'The server claims', claims.join(', '));
  text.appendMarkdown('\n\nInput schema');
  text.appendCodeblock(shorten(JSON.stringify(definition.inputSchema, null, 2)), 'json');
  for (const { where, message } of repairs.slice(0, 10)) row(text, `Repaired ${where}`, message);
  return text;
}

const noRoom =
  'there is no room for it among the tools that are offered directly. Put it into `pin`, give its server a higher `priority`, or raise `mcpBridge.toolBudget`.';

/** What it means that not all tools are offered directly, and what can be done. */
export function shortageTooltip({
  places,
  wanted,
}: NonNullable<ToolCatalog['shortage']>): vscode.MarkdownString {
  return new vscode.MarkdownString(
    `A request to a model has room for ${places} of these ${wanted} tools, beside those of the editor and of other extensions. Agents find and call the others with \`mcp_bridge_find_tools\` and \`mcp_bridge_call_tool\`.\n\nTools in \`pin\` keep their place first, then those of servers with a higher \`priority\`. The number is the setting \`mcpBridge.toolBudget\`.`,
  );
}

/** State of a server, its reason, how its calls went, and where the entry stands. True at the time `now`. */
export function serverTooltip(
  { server, prefix, tools }: CatalogServer,
  now: number,
): vscode.MarkdownString {
  const { configuration, state, health } = server;
  const time = (at: number): string => timeText(at, now);
  const text = titled(configuration.key);
  stateRows(text, state, time);
  const lines = health === undefined ? [] : healthLines(health.figures, time);
  for (const [label, value] of lines) row(text, label, value);
  if (server.tools?.isFromCache === true) {
    text.appendMarkdown('\n\nThe tools are those of its last session.\n\n');
  }
  const searched = tools.filter(isWithoutRoom).length;
  if (searched > 0) row(text, 'Only through search', `${searched} tools, for lack of room`);
  row(text, 'Prefix of its tools', prefix === '' ? '(none)' : `${prefix}__`);
  const { launch, origin } = configuration;
  row(text, 'Launch', launchText(launch));
  if (origin.scope === 'extension') row(text, 'Registered by', origin.extension ?? '');
  else {
    const { folder } = origin;
    row(
      text,
      'Settings',
      origin.scope === 'folder' ? `folder ${folder?.name ?? ''}` : origin.scope,
    );
  }
  return text;
}

function stateRows(
  text: vscode.MarkdownString,
  state: ConnectionState,
  time: (at: number) => string,
): void {
  switch (state.kind) {
    case 'error':
      text.appendText(state.message).appendMarkdown('\n\n');
      row(text, 'Failed at', time(state.since));
      if (state.retryAt !== undefined) row(text, 'Started again at', time(state.retryAt));
      break;
    case 'running':
      row(text, 'Running since', time(state.since));
      if (state.transport !== 'client') {
        row(text, 'Protocol', `${state.protocolVersion} over ${state.transport}`);
      }
      if (state.serverInfo !== undefined) {
        row(text, 'Server', `${state.serverInfo.name} ${state.serverInfo.version}`);
      }
      if (state.pid !== undefined) row(text, 'Process', String(state.pid));
      break;
    case 'starting':
      row(text, state.isQueued ? 'Waiting to start since' : 'Starting since', time(state.since));
      if (state.isQueued) {
        text.appendMarkdown(
          '\n\nOther servers start first. A call, or *Start Server*, starts it now.',
        );
      }
      break;
    case 'stopped':
      if (state.since === undefined) text.appendMarkdown('Not started yet.\n\n');
      else row(text, 'Stopped since', time(state.since));
      if (state.isIdle) {
        text.appendMarkdown(
          '\n\nIt was not used for a while (`idleStop`). The next call starts it.',
        );
      }
      break;
    default:
      assertNever(state);
  }
}

/** A point in time for a text that may be read much later: never "a minute ago". */
function timeText(at: number, now: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** As written: variables are not expanded, so no secret of the environment is shown; nor is a query. */
function launchText(launch: ServerConfiguration['launch']): string {
  switch (launch.type) {
    case 'stdio':
      return withoutSecrets(launch, [launch.command, ...launch.args].join(' '));
    case 'client':
      return 'a client that its extension connected';
    case 'http':
    case 'sse':
      return withoutSecrets(launch, launch.url.replace(/\?.*$/s, '?…'));
  }
}

/** A secret that is written out in the settings is not repeated. */
function withoutSecrets(launch: object, text: string): string {
  const secrets = literalSecrets(launch).map(({ value }) => value);
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '•••'), text);
}

/** A text that begins with a title, shown literally. */
export function titled(title: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  return text.appendMarkdown('**').appendText(title).appendMarkdown('**\n\n');
}

/** Adds a line `label: value`; both are shown literally. */
export function row(text: vscode.MarkdownString, label: string, value: string): void {
  text.appendMarkdown('\n\n').appendText(label).appendMarkdown(': ').appendText(shorten(value));
}

function approvalNeed(tool: CatalogTool): string {
  const { asks, why } = confirmVerdict(tool);
  return `${asks ? 'asks before each call' : 'does not ask'}, because ${why}`;
}

function shorten(value: string): string {
  return value.length <= maxShown ? value : `${value.slice(0, maxShown).toWellFormed()}…`;
}
