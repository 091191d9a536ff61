import { z } from 'zod';
import { shortHash } from '../../core/hash.ts';
import type { SecretStore } from '../../core/servers/signIn.ts';
import type { Event } from '../../base/event.ts';

const client = z.object({
  client_id: z.string(),
  client_secret: z.string().optional(),
  client_secret_expires_at: z.number().optional(),
  token_endpoint_auth_method: z.string().optional(),
});

/** What a server's sign-ins left behind. `issuer` is always that of the authorization server it came from. */
const credentials = z.object({
  tokens: z
    .object({
      access_token: z.string(),
      refresh_token: z.string().optional(),
      /** As granted, or as asked for where the answer did not say. */
      scope: z.string().optional(),
      issuer: z.string(),
      client,
      /** The resource indicator they were issued for. */
      resource: z.string().optional(),
      /** Both in milliseconds of the Unix epoch; missing: not known. */
      refreshAt: z.number().optional(),
      expiresAt: z.number().optional(),
    })
    .optional(),
  /** Dynamic registrations, newest last. */
  registrations: z
    .array(
      client.extend({
        issuer: z.string(),
        redirect_uris: z.array(z.string()),
        /** The most that this client may ask for, where the authorization server said. */
        scope: z.string().optional(),
      }),
    )
    .default([]),
  /** Where the secret of the settings was first sent: it goes nowhere else. */
  boundIssuer: z.string().optional(),
});

export type Credentials = z.infer<typeof credentials>;
export type Tokens = NonNullable<Credentials['tokens']>;
export type Client = z.infer<typeof client>;

/** Most registrations kept of one server. */
const maxRegistrations = 5;

/** The key under which a server's credentials are kept: another address never gets them. */
export function credentialKey(id: string, url: string): string {
  return `oauth:${shortHash(JSON.stringify([id, url]), 32)}`;
}

/** The credentials of one server, the same in all windows. */
export class CredentialStore {
  readonly #secrets: SecretStore;
  readonly #key: string;
  /** What was read last; `undefined`: to be read again. */
  #known: Promise<Credentials> | undefined;
  readonly onDidChange: Event<void>;

  constructor(secrets: SecretStore, key: string) {
    this.#secrets = secrets;
    this.#key = key;
    this.onDidChange = (listener) =>
      secrets.onDidChange((changed) => {
        if (changed !== key) return;
        this.#known = undefined;
        listener();
      });
  }

  /** What is kept, perhaps as it was a moment ago. Nothing when it cannot be read. */
  read(): Promise<Credentials> {
    this.#known ??= this.#read();
    return this.#known;
  }

  /** What is kept now: another window may have written it. */
  readAgain(): Promise<Credentials> {
    this.#known = undefined;
    return this.read();
  }

  async update(change: (current: Credentials) => Partial<Credentials>): Promise<void> {
    const current = await this.readAgain();
    const next = { ...current, ...change(current) };
    next.registrations = next.registrations.slice(-maxRegistrations);
    this.#known = Promise.resolve(next);
    await this.#secrets.set(this.#key, JSON.stringify(next));
  }

  async clear(): Promise<void> {
    this.#known = Promise.resolve({ registrations: [] });
    await this.#secrets.delete(this.#key);
  }

  async #read(): Promise<Credentials> {
    try {
      const stored = await this.#secrets.get(this.#key);
      return credentials.parse(JSON.parse(stored ?? '{}'));
    } catch {
      return { registrations: [] };
    }
  }
}
