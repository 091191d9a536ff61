import { z } from 'zod';
import { isWorkspaces } from '../../core/trust/workspaceVariables.ts';
import {
  launchFacts,
  type LaunchFact,
  type LaunchFacts,
  type LaunchInspection,
} from '../../core/trust/launchFacts.ts';
import type { ServerConfiguration, ServerLaunch } from '../../core/settings/serverConfiguration.ts';
import type { SealedState } from '../sealedState.ts';

const prefix = 'mcpBridge.launch/';
const storedSchema = z.object({
  key: z.string(),
  facts: z.array(z.object({ name: z.string(), shown: z.string(), digest: z.string() })).max(10_000),
});

/** Looks at what a launch would run; gives a sentence when it cannot be allowed. */
export type InspectLaunch = (launch: ServerLaunch) => Promise<LaunchInspection | string>;

export interface Launchable {
  readonly configuration: ServerConfiguration;
  readonly launch: ServerLaunch;
}

/** Which launches of workspace servers the person has approved: exactly those, and none that differs in anything. */
export class LaunchApprovals {
  readonly #state: SealedState;
  readonly #inspect: InspectLaunch;
  readonly #mask: (text: string) => string;

  constructor(state: SealedState, inspect: InspectLaunch, mask: (text: string) => string) {
    this.#state = state;
    this.#inspect = inspect;
    this.#mask = mask;
  }

  /** What there is to approve, or why it cannot be. */
  async factsOf({ configuration, launch }: Launchable): Promise<LaunchFacts | string> {
    const inspection = await this.#inspect(launch);
    if (typeof inspection === 'string') return inspection;
    const digest = (name: string, value: string): string => this.#state.digest(name, value);
    return launchFacts({ configuration, launch, inspection }, digest, this.#mask);
  }

  /** What was approved last; `undefined` if nothing was. */
  approved(configuration: ServerConfiguration): readonly LaunchFact[] | undefined {
    return this.#stored(configuration)?.facts;
  }

  isApproved(configuration: ServerConfiguration, { key }: LaunchFacts): boolean {
    return this.#stored(configuration)?.key === key;
  }

  async approve(configuration: ServerConfiguration, facts: LaunchFacts): Promise<void> {
    await this.#state.update(nameOf(configuration), facts);
  }

  async revoke(configuration: ServerConfiguration): Promise<void> {
    await this.#state.update(nameOf(configuration), undefined);
  }

  /** Forgets all of them, those of other workspaces too. Resolves with their number. */
  async revokeAll(): Promise<number> {
    const names = this.#state.names(prefix);
    for (const name of names) await this.#state.update(name, undefined);
    return names.length;
  }

  /** Why the server may not be launched now; `undefined` if it may. */
  async refusal(launchable: Launchable): Promise<string | undefined> {
    const { configuration } = launchable;
    if (!isWorkspaces(configuration)) return undefined;
    const facts = await this.factsOf(launchable);
    if (typeof facts === 'string') return facts;
    if (this.isApproved(configuration, facts)) return undefined;
    return this.approved(configuration) === undefined
      ? 'Waits for your approval. It comes from the settings of this workspace: start it to see what would be run, and to approve that.'
      : 'Changed, waits for your approval. Its launch is no longer what you approved: start it to see the difference.';
  }

  #stored(configuration: ServerConfiguration): z.infer<typeof storedSchema> | undefined {
    const parsed = storedSchema.safeParse(this.#state.get(nameOf(configuration)));
    return parsed.success ? parsed.data : undefined;
  }
}

/** Ids of workspace servers are the same in every workspace. */
function nameOf({ id, origin }: ServerConfiguration): string {
  return `${prefix}${id}@${origin.folder?.uri ?? ''}`;
}
