import * as vscode from 'vscode';
import { Sequencer } from '../../base/async.ts';
import type { AuditPort } from '../../core/audit/auditPort.ts';
import { launchDifference } from '../../core/trust/launchFacts.ts';
import { launchQuestion, type LaunchQuestion } from '../../core/trust/launchText.ts';
import { isWorkspaces } from '../../core/trust/workspaceVariables.ts';
import type { WantedServer } from '../../core/servers/serverHost.ts';
import type { ServerConfiguration } from '../../core/settings/serverConfiguration.ts';
import { commandIds } from '../contributionIds.ts';
import { launchRefusal } from '../launchGate.ts';
import type { LaunchApprovals, Launchable } from './launchApprovals.ts';

interface ReviewPorts {
  readonly approvals: LaunchApprovals;
  readonly audit: AuditPort;
  /** Ids of entries that the person is just adding. */
  readonly added: Set<string>;
  /** Takes over what was approved. */
  readonly reload: () => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Milliseconds between two notifications at least. */
const coolDown = 30_000;

/** Asks the person about launches of workspace servers: only on their order, one dialog at a time. */
export class LaunchReview {
  readonly #ports: ReviewPorts;
  readonly #sequencer = new Sequencer();
  #wanted: readonly WantedServer[] = [];
  /** What the person was told of, and when. */
  #told = '';
  #toldAt = -Infinity;

  constructor(ports: ReviewPorts) {
    this.#ports = ports;
  }

  /** The settings were read: asks about what the person has just added, and tells of what waits. */
  update(wanted: readonly WantedServer[]): void {
    this.#wanted = wanted;
    const { added, onError } = this.#ports;
    for (const server of wanted) {
      if (added.delete(server.id) && launchableOf(server) !== undefined) {
        this.#askAndReload(server.id).catch(onError);
      }
    }
    this.#tell().catch(onError);
  }

  /** Asks about a server that the person wants to start. Resolves with whether it may be. */
  async ask(id: string): Promise<boolean> {
    const launchable = launchableOf(this.#wanted.find((server) => server.id === id));
    if (launchable === undefined) return true;
    return this.#sequencer.run(() => this.#ask(launchable));
  }

  /** Lets the person choose among the servers that wait, and asks about each chosen one. */
  async reviewAll(): Promise<void> {
    const waiting = await this.#waiting();
    const [only] = waiting;
    const chosen =
      waiting.length === 1 && only !== undefined
        ? [only]
        : (
            (await vscode.window.showQuickPick(
              waiting.map((server) => ({
                label: server.configuration.key,
                detail: summary(server.configuration),
                server,
              })),
              {
                canPickMany: true,
                title: 'MCP servers of this workspace that wait for your approval',
              },
            )) ?? []
          ).map(({ server }) => server);
    for (const { id } of chosen) await this.ask(id);
    if (chosen.length > 0) await this.#ports.reload();
  }

  /** Takes the approval of a server back; it is stopped with the next reading of the settings. */
  async revoke(configuration: ServerConfiguration): Promise<void> {
    await this.#ports.approvals.revoke(configuration);
    this.#record(configuration, 'revoked');
    await this.#ports.reload();
  }

  async #askAndReload(id: string): Promise<void> {
    if (await this.ask(id)) await this.#ports.reload();
  }

  async #ask(launchable: Launchable): Promise<boolean> {
    const { approvals } = this.#ports;
    const { configuration } = launchable;
    const facts = await approvals.factsOf(launchable);
    if (typeof facts === 'string') throw new Error(`"${configuration.key}": ${facts}`);
    if (approvals.isApproved(configuration, facts)) return true;
    const before = approvals.approved(configuration);
    const question = launchQuestion(configuration, facts, before);
    if (!(await isAgreed(question))) {
      this.#record(configuration, 'refused', facts.key);
      return false;
    }
    // What was shown must be what there is now.
    const now = await approvals.factsOf(launchable);
    if (typeof now === 'string' || now.key !== facts.key) {
      throw new Error(
        `The launch of "${configuration.key}" changed while you were asked. Look at it again.`,
      );
    }
    const about = before === undefined ? undefined : launchDifference(before, facts.facts);
    await this.#approve(configuration, facts, about);
    return true;
  }

  async #approve(
    configuration: ServerConfiguration,
    facts: Parameters<LaunchApprovals['approve']>[1],
    about: readonly string[] = [],
  ): Promise<void> {
    await this.#ports.approvals.approve(configuration, facts);
    const names = about.map((line) => line.split(':', 1)[0] ?? '');
    this.#record(configuration, 'approved', facts.key, names);
  }

  async #waiting(): Promise<readonly WantedServer[]> {
    const checked = await Promise.all(
      this.#wanted.map(async (server) => {
        const launchable = launchableOf(server);
        const isWaiting =
          launchable !== undefined &&
          (await this.#ports.approvals.refusal(launchable)) !== undefined;
        return isWaiting ? [server] : [];
      }),
    );
    return checked.flat();
  }

  /** One notification for all of them, and none again while nothing is different. */
  async #tell(): Promise<void> {
    const waiting = (await this.#waiting()).filter(
      ({ configuration: { start } }) => start !== 'manual',
    );
    const set = waiting.map(({ id }) => id).join();
    if (set === '') this.#told = '';
    if (set === '' || set === this.#told || Date.now() - this.#toldAt < coolDown) return;
    this.#told = set;
    this.#toldAt = Date.now();
    const [only] = waiting;
    const what =
      waiting.length === 1
        ? `The MCP server "${only?.configuration.key}" of this workspace waits for your approval.`
        : `${waiting.length} MCP servers of this workspace wait for your approval.`;
    const review = 'Review…';
    const choice = await vscode.window.showWarningMessage(what, review);
    if (choice === review) await vscode.commands.executeCommand(commandIds.reviewLaunches);
  }

  #record(
    { key, origin }: ServerConfiguration,
    decision: 'approved' | 'refused' | 'revoked',
    hash?: string,
    about: readonly string[] = [],
  ): void {
    this.#ports.audit.record({
      ...{ kind: 'decision', subject: 'launch', server: key, scope: origin.scope, decision },
      ...(hash !== undefined && { hash }),
      ...(about.length > 0 && { about }),
    });
  }
}

/** The server if it needs an approval at all, and may be launched apart from that. */
function launchableOf(server: WantedServer | undefined): Launchable | undefined {
  if (server === undefined || !isWorkspaces(server.configuration)) return undefined;
  if (!('launch' in server.resolved) || launchRefusal(server.configuration) !== undefined) {
    return undefined;
  }
  return { configuration: server.configuration, launch: server.resolved.launch };
}

/** The first button has the focus: a key that was meant for something else must not approve. */
const notNow = 'Not Now';
const approve = 'Approve';

async function isAgreed({ title, text, isLong }: LaunchQuestion): Promise<boolean> {
  const { window } = vscode;
  if (!isLong) {
    const options = { modal: true, detail: text };
    return (await window.showWarningMessage(title, options, notNow, approve)) === approve;
  }
  const show = 'Show Full Launch';
  const options = {
    modal: true,
    detail: 'It is too long for a dialog. Read it in an editor, and approve it there.',
  };
  if ((await window.showWarningMessage(title, options, show)) !== show) return false;
  const document = await vscode.workspace.openTextDocument({ content: `${title}\n\n${text}\n` });
  await window.showTextDocument(document, { preview: true });
  return (
    (await window.showWarningMessage(`${title} Read it in the editor first.`, approve)) === approve
  );
}

function summary({ launch }: ServerConfiguration): string {
  if (launch.type === 'client') return '';
  return launch.type === 'stdio' ? [launch.command, ...launch.args].join(' ') : launch.url;
}
