import * as vscode from 'vscode';
import { readServerDefinition, type Registrations } from '../core/servers/registrations.ts';
import { commandIds, viewId } from './contributionIds.ts';

const stateKey = 'mcpBridge.sampleServer';
const key = 'sample';

/** What is asked of the agent to have it use the sample server. */
const question = 'Roll three dice with the sample server, and keep the result as a note.';

interface Ports {
  readonly context: vscode.ExtensionContext;
  readonly registrations: Registrations;
  /** The program that runs JavaScript, and the variables it needs for that. */
  readonly runtime: { readonly command: string; readonly env: Readonly<Record<string, string>> };
  readonly reload: () => Promise<void>;
}

/**
 * The server that comes with the extension, for people who want to try it out. It is registered like the servers of other
 * extensions, so that nothing has to stand in the settings, where its path would grow old.
 */
export class SampleServer {
  readonly #ports: Ports;
  #registration: ReturnType<typeof readServerDefinition> | undefined;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Registers it again if the person has added it in an earlier window; for before the settings are read. */
  async restore(): Promise<void> {
    if (this.#ports.context.globalState.get(stateKey) === true) await this.#register();
  }

  /** Resolves when it is in the sidebar; it does not wait until it runs. */
  async add(): Promise<void> {
    await this.#start();
    await vscode.commands.executeCommand(`${viewId}.focus`);
    const ask = 'Ask the Agent';
    const message = 'The sample server is there. Let the agent call one of its tools?';
    vscode.window.showInformationMessage(message, ask).then(
      (choice) =>
        choice === ask ? vscode.commands.executeCommand(commandIds.askAgent) : undefined,
      () => undefined,
    );
  }

  async remove(): Promise<void> {
    if (this.#registration !== undefined) this.#ports.registrations.delete(this.#registration);
    this.#registration = undefined;
    await this.#ports.context.globalState.update(stateKey, undefined);
    await this.#ports.reload();
  }

  /** Opens the chat with a question that the agent needs the sample server for; the person sends it. */
  async askAgent(): Promise<void> {
    if (this.#registration === undefined) await this.#start();
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      mode: 'agent',
      query: question,
      isPartialQuery: true,
    });
  }

  async #start(): Promise<void> {
    await this.#register();
    await this.#ports.context.globalState.update(stateKey, true);
    await this.#ports.reload();
  }

  async #register(): Promise<void> {
    if (this.#registration !== undefined) return;
    const { context, registrations, runtime } = this.#ports;
    const { id } = context.extension;
    const file = vscode.Uri.joinPath(context.extensionUri, 'dist', 'sampleServer.cjs').fsPath;
    const entry = { ...runtime, args: [file] };
    const registration = readServerDefinition({ extension: id, key, entry }, () => id);
    await registrations.add(registration);
    this.#registration = registration;
  }
}
