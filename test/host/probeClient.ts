import { request } from 'node:http';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer, ModelRequest, ScriptedModel } from './scriptedModel.ts';

interface Announcement {
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  readonly folder: string | null;
  readonly workspaceFile: string | null;
}

interface Reply {
  readonly value?: unknown;
  readonly error?: { readonly message: string; readonly stack: string };
}

const evaluateTimeoutMs = 60_000;

/** Talks to the probe extension of one window. */
export class ProbeClient {
  readonly pid: number;
  readonly model: ScriptedModel;
  readonly #port: number;
  readonly #token: string;

  constructor(announcement: Announcement) {
    this.pid = announcement.pid;
    this.#port = announcement.port;
    this.#token = announcement.token;
    this.model = {
      queue: async (...answers: readonly Answer[]) => {
        await this.call('queue', { answers });
      },
      requests: async () => (await this.call('requests', {})) as ModelRequest[],
      clear: async () => {
        await this.call('clear', {});
      },
    };
  }

  /** Runs a function, given as source, in the extension host. Rejects with the message and the stack it failed with there. */
  evaluate(source: string, args: readonly unknown[]): Promise<unknown> {
    return this.call('evaluate', { source, args });
  }

  /** True as long as the probe answers: false once its extension host ended. */
  async isAlive(): Promise<boolean> {
    try {
      await this.call('evaluate', { source: '() => true', args: [] });
      return true;
    } catch {
      return false;
    }
  }

  async call(route: string, body: unknown): Promise<unknown> {
    const reply = JSON.parse(await this.#post(route, JSON.stringify(body))) as Reply;
    if (reply.error === undefined) return reply.value;
    const error = new Error(reply.error.message);
    error.stack = `${reply.error.stack}\n    (in the extension host)`;
    throw error;
  }

  #post(route: string, body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        {
          host: '127.0.0.1',
          port: this.#port,
          path: `/${route}`,
          method: 'POST',
          agent: false,
          headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
          timeout: evaluateTimeoutMs,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
        },
      );
      outgoing.on('timeout', () => {
        outgoing.destroy(
          new Error(`The extension host did not answer within ${evaluateTimeoutMs / 1000} s.`),
        );
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

/**
 * Waits for the probe of a window that shows `folder` to announce itself in `announcements`, skipping the files in `seen`; adds its file to
 * `seen`. Rejects after `timeoutMs`.
 */
export async function awaitProbe(
  announcements: string,
  folder: string,
  seen: Set<string>,
  timeoutMs: number,
): Promise<ProbeClient> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    for (const name of await readdir(announcements)) {
      if (!name.endsWith('.json') || seen.has(name)) continue;
      const announcement = await readAnnouncement(join(announcements, name));
      if (announcement === undefined) continue;
      if (announcement.folder !== folder && announcement.workspaceFile !== folder) continue;
      seen.add(name);
      return new ProbeClient(announcement);
    }
    await delay(50);
  }
  throw new Error(`No extension host announced itself for ${folder} within ${timeoutMs / 1000} s.`);
}

async function readAnnouncement(file: string): Promise<Announcement | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Announcement;
  } catch {
    return undefined;
  }
}
