import type { ToolResultPart } from '../tools/toolCall.ts';
import type { FormField } from './formFields.ts';
import type { SchemaRow } from './schemaRows.ts';

/** What the page of a tool shows of its definition. */
export interface PageTool {
  readonly title: string;
  readonly subtitle: string;
  readonly description: string;
  readonly annotations: readonly string[];
  readonly rows: readonly SchemaRow[];
  readonly repairs: readonly string[];
  /** The server's own schema, as JSON. */
  readonly schema: string;
  readonly fields: readonly FormField[];
  readonly runLabel: string;
  /** Why it cannot be run now; empty if it can. */
  readonly blocked: string;
}

/** One call that was made from the page. */
export interface PageCall {
  readonly time: string;
  readonly milliseconds: number;
  readonly outcome: 'ok' | 'error' | 'cancelled';
  /** As JSON. */
  readonly arguments: string;
  readonly parts: readonly ToolResultPart[];
  readonly tokens: string;
}

/** What the page is told. */
export type ToPage =
  | { readonly type: 'tool'; readonly tool: PageTool; readonly calls: readonly PageCall[] }
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'done'; readonly calls: readonly PageCall[] };
