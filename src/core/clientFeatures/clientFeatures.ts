import type { Event } from '../../base/event.ts';
import type { JsonValue } from '../../base/json.ts';
import type { ServerConfiguration } from '../settings/serverConfiguration.ts';
import type { FormField } from './elicitationForm.ts';

/** A folder a server may look at (MCP specification, "Roots"). */
export interface Root {
  readonly uri: string;
  readonly name: string;
}

/** A server's question to the person (MCP specification, "Elicitation"). */
export type ElicitationRequest =
  | { readonly mode: 'form'; readonly message: string; readonly fields: readonly FormField[] }
  | { readonly mode: 'url'; readonly message: string; readonly url: string };

export type ElicitationAnswer =
  | { readonly action: 'accept'; readonly content?: Readonly<Record<string, JsonValue>> }
  | { readonly action: 'decline' | 'cancel' };

/** A server's request to a language model (MCP specification, "Sampling"); text only. */
export interface SamplingRequest {
  readonly systemPrompt: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens: number;
  /** Parts of model names, the wanted first. */
  readonly modelHints: readonly string[];
}

export interface SamplingAnswer {
  readonly model: string;
  readonly text: string;
}

/** Port: what servers may ask of us, answered with the person's consent. Implemented by `editor/`. */
export interface ClientFeatures {
  roots(): readonly Root[];
  readonly onDidChangeRoots: Event<void>;
  /** Never rejects but on abort. */
  elicit(
    configuration: ServerConfiguration,
    request: ElicitationRequest,
    signal: AbortSignal,
  ): Promise<ElicitationAnswer>;
  /** `undefined`: the person refused. Rejects with the reason when no model can answer. */
  createMessage(
    configuration: ServerConfiguration,
    request: SamplingRequest,
    signal: AbortSignal,
  ): Promise<SamplingAnswer | undefined>;
}
