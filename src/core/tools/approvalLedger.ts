import { canonicalJson, isDeeperThan, type JsonObject } from '../../base/json.ts';
import { shortHash } from '../hash.ts';
import type { CatalogTool } from './toolCatalog.ts';

/** How long a question may stay open before its answer counts no more: a person may be away from the desk. */
const lifetimeMs = 60 * 60 * 1000;
const maxTickets = 256;
/** Deepest arguments that are told apart. */
const maxDepth = 500;

interface Ticket {
  readonly tool: string;
  readonly args: string;
  readonly expiresAt: number;
}

/**
 * Which calls the editor was told to ask about. The editor prepares every call before it makes it: a ticket is
 * issued then, and used up by the call. A call that needs consent and finds no ticket came past the editor's question.
 *
 * A ticket is for one tool exactly as it was shown (server, launch and definition), so one that changed meanwhile
 * needs a new one. Its arguments count too, with one exception: in the chat a person can edit them in the
 * question itself, and the editor then calls with what they wrote without preparing again. So a call from
 * the chat may use the ticket of another call of the same tool; the number of calls never exceeds that of questions.
 */
export class ApprovalLedger {
  readonly #now: () => number;
  /** Oldest first. */
  #tickets: Ticket[] = [];

  /** `now` gives milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  issue(tool: CatalogTool, args: JsonObject): void {
    const ticket = { ...identify(tool, args), expiresAt: this.#now() + lifetimeMs };
    this.#tickets = [...this.#open(), ticket].slice(-maxTickets);
  }

  /** Uses up a ticket for the call. Gives false when there is none. */
  redeem(tool: CatalogTool, args: JsonObject, { mayBeEdited }: { mayBeEdited: boolean }): boolean {
    const call = identify(tool, args);
    const open = this.#open();
    const ofTool = open.filter((ticket) => ticket.tool === call.tool);
    const ticket =
      ofTool.find((candidate) => candidate.args === call.args) ??
      (mayBeEdited ? ofTool[0] : undefined);
    this.#tickets = open.filter((candidate) => candidate !== ticket);
    return ticket !== undefined;
  }

  #open(): Ticket[] {
    const now = this.#now();
    return this.#tickets.filter(({ expiresAt }) => expiresAt > now);
  }
}

/** A hash of all that makes the tool what it was when the person was asked. */
export function toolIdentity({ exposedName, configuration, definition }: CatalogTool): string {
  const { id, launch } = configuration;
  return shortHash(canonicalJson([exposedName, id, launch, definition]), 64);
}

function identify(tool: CatalogTool, args: JsonObject): Pick<Ticket, 'tool' | 'args'> {
  return {
    tool: toolIdentity(tool),
    args: isDeeperThan(args, maxDepth) ? 'too deep' : shortHash(canonicalJson(args), 64),
  };
}
