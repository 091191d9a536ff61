import * as vscode from 'vscode';
import { resourceFile, type ResourceFile } from '../core/resources/resourceContents.ts';
import {
  parseResourcePath,
  resourcePath,
  type ResourceAddress,
} from '../core/resources/resourcePath.ts';
import type { McpServers } from '../core/servers/mcpServers.ts';
import { resourceScheme } from './contributionIds.ts';

/** Milliseconds a content is kept, and how many: the editor asks for size and content of a file one after the other. */
const keptFor = 3000;
const maxKept = 4;

interface Reading {
  readonly at: number;
  readonly file: Promise<ResourceFile>;
}

/** Resources of MCP servers as read-only files of the editor. Each opening reads the resource anew. */
export class ResourceFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  readonly #didChange = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly #servers: () => McpServers | undefined;
  readonly #readings = new Map<string, Reading>();

  constructor(servers: () => McpServers | undefined) {
    this.#servers = servers;
    this.onDidChangeFile = this.#didChange.event;
  }

  /** Reads a resource and shows it in an editor. Throws the reason, as a sentence, when it cannot be read. */
  async show(address: ResourceAddress): Promise<void> {
    const { mimeType } = await this.#read(address).file;
    const uri = vscode.Uri.from({ scheme: resourceScheme, ...resourcePath(address, mimeType) });
    await vscode.commands.executeCommand('vscode.open', uri);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { at, file } = this.#read(addressOf(uri));
    const { bytes } = await file;
    return {
      type: vscode.FileType.File,
      permissions: vscode.FilePermission.Readonly,
      ctime: 0,
      mtime: at,
      size: bytes.length,
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return (await this.#read(addressOf(uri)).file).bytes;
  }

  /** The protocol can tell of changes, but few servers do: a file is read again when it is opened again. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#readings.clear();
    this.#didChange.dispose();
  }

  #read(address: ResourceAddress): Reading {
    const key = resourcePath(address).query;
    for (const [other, { at }] of this.#readings) {
      if (Date.now() - at > keptFor) this.#readings.delete(other);
    }
    const known = this.#readings.get(key);
    if (known !== undefined) return known;
    const reading = { at: Date.now(), file: this.#request(address) };
    // A failure is not kept: the next opening tries again.
    reading.file.catch(() => {
      if (this.#readings.get(key) === reading) this.#readings.delete(key);
    });
    this.#readings.set(key, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > maxKept && oldest !== undefined) this.#readings.delete(oldest);
    return reading;
  }

  async #request({ serverId, uri }: ResourceAddress): Promise<ResourceFile> {
    const servers = this.#servers();
    if (servers === undefined) {
      throw vscode.FileSystemError.Unavailable('No MCP server is configured in this window.');
    }
    const { signal } = new AbortController();
    const answer = await servers.readResource({ serverId, uri, signal });
    if (answer.kind === 'failure') throw vscode.FileSystemError.Unavailable(answer.message);
    const file = resourceFile(answer.result);
    if (typeof file !== 'string') return file;
    throw vscode.FileSystemError.Unavailable(`The resource "${uri.slice(0, 500)}": ${file}`);
  }
}

function addressOf(uri: vscode.Uri): ResourceAddress {
  const address = parseResourcePath(uri);
  if (address === undefined) throw vscode.FileSystemError.FileNotFound(uri);
  return address;
}
