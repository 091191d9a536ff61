import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { AuditPort } from '../../core/audit/auditPort.ts';
import { instructionsOf } from '../../core/pins/pinProblems.ts';
import { settledPins } from '../../core/pins/serverPins.ts';
import { pinOf } from '../../core/pins/toolPin.ts';
import type { ServerConfiguration } from '../../core/settings/serverConfiguration.ts';
import type { CatalogServer, CatalogTool, ToolCatalog } from '../../core/tools/toolCatalog.ts';
import { commandIds } from '../contributionIds.ts';
import type { PinStore } from './pinStore.ts';

interface PinPorts {
  readonly store: PinStore;
  readonly audit: AuditPort;
  readonly onError: (error: unknown) => void;
}

/** Watches over what servers say: pins what may be accepted unasked, and tells the person of what may not. */
export class Pins implements Disposable {
  readonly #ports: PinPorts;
  readonly #store = new DisposableStore();
  readonly #didChange: Emitter<void>;
  /** Something was accepted or refused. */
  readonly onDidChange: Event<void>;
  /** What the person was told of, by server. */
  readonly #told = new Map<string, string>();
  readonly #settling = new Map<string, string>();

  constructor(ports: PinPorts) {
    this.#ports = ports;
    this.#didChange = this.#store.add(new Emitter<void>(ports.onError));
    this.onDidChange = this.#didChange.event;
  }

  get store(): PinStore {
    return this.#ports.store;
  }

  /** The servers are as the catalog says now. */
  update({ servers }: ToolCatalog): void {
    for (const server of servers) {
      this.#settle(server);
      this.#tell(server);
    }
  }

  async accept(tools: readonly CatalogTool[]): Promise<void> {
    for (const [configuration, ours] of byServer(tools)) {
      await this.store.accept(
        configuration,
        ours.map(({ definition }) => definition),
      );
      for (const tool of ours) this.#record(tool, 'approved');
    }
    this.#didChange.fire();
  }

  async refuse(tool: CatalogTool): Promise<void> {
    await this.store.refuse(tool.configuration, tool.definition);
    this.#record(tool, 'refused');
    this.#didChange.fire();
  }

  /** Accepts what the server says of itself now. */
  async acceptInstructions({ server }: CatalogServer): Promise<void> {
    const instructions = instructionsOf(server);
    if (instructions === undefined) return;
    await this.store.accept(server.configuration, [], instructions);
    this.#didChange.fire();
  }

  /** Accepts all that waits for a review, and what the server says of itself. */
  async acceptAll(server: CatalogServer): Promise<void> {
    const { configuration } = server.server;
    const tools = server.tools.filter(({ availability }) => isReviewed(availability));
    const definitions = tools.map(({ definition }) => definition);
    await this.store.accept(configuration, definitions, instructionsOf(server.server));
    for (const tool of tools) this.#record(tool, 'approved');
    this.#didChange.fire();
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Changes nothing about what is offered: that was decided by the same rule. */
  #settle({ server }: CatalogServer): void {
    const { configuration, tools } = server;
    if (tools === undefined) return;
    const { store, onError } = this.#ports;
    const pins = store.pinsOf(configuration);
    const definitions = tools.tools;
    const settled = settledPins(pins, definitions, configuration);
    const instructions = instructionsOf(server);
    const isFirstWord = instructions !== undefined && settled.instructions === undefined;
    if (settled === pins && !isFirstWord) return;
    const fresh = definitions.filter(
      (one) => pins?.tools.get(one.name) !== settled.tools.get(one.name),
    );
    const key = `${fresh.map(pinOf).join()}/${String(isFirstWord)}`;
    if (this.#settling.get(configuration.id) === key) return;
    this.#settling.set(configuration.id, key);
    store
      .accept(configuration, fresh, isFirstWord ? instructions : undefined)
      .catch(onError)
      .finally(() => this.#settling.delete(configuration.id));
  }

  /** Once for each set of changes. */
  #tell({ server, tools }: CatalogServer): void {
    const { id, key } = server.configuration;
    const waiting = tools.filter(({ availability }) => isReviewed(availability));
    if (waiting.length === 0) {
      this.#told.delete(id);
      return;
    }
    const set = waiting.map(({ definition }) => pinOf(definition)).join();
    if (this.#told.get(id) === set) return;
    this.#told.set(id, set);
    for (const tool of waiting) this.#record(tool, 'blocked');
    const review = 'Review';
    const what = waiting.length === 1 ? '1 tool' : `${waiting.length} tools`;
    const message = `${what} of the MCP server "${key}" changed or came anew, so agents do not get ${waiting.length === 1 ? 'it' : 'them'} until you have looked.`;
    vscode.window
      .showWarningMessage(message, review)
      .then(
        (choice) =>
          choice === review ? vscode.commands.executeCommand(commandIds.showServer, id) : undefined,
        this.#ports.onError,
      );
  }

  #record(
    { configuration, definition }: CatalogTool,
    decision: 'approved' | 'refused' | 'blocked',
  ) {
    this.#ports.audit.record({
      kind: 'decision',
      subject: 'tool',
      server: configuration.key,
      scope: configuration.origin.scope,
      tool: definition.name,
      decision,
      hash: pinOf(definition),
    });
  }
}

/** Whether it waits for the person. */
export function isReviewed(availability: CatalogTool['availability']): boolean {
  return (
    availability.kind === 'leftOut' &&
    (availability.review === 'changed' || availability.review === 'new')
  );
}

function byServer(
  tools: readonly CatalogTool[],
): ReadonlyMap<ServerConfiguration, readonly CatalogTool[]> {
  return Map.groupBy(tools, ({ configuration }) => configuration);
}
