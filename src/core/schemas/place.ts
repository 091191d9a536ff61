import type { JsonObject } from '../../base/json.ts';
import type { Report } from './schemaNode.ts';

/** Where in a schema a rule works, and what it can do there. */
export interface Place {
  /** JSON path, `#` at the root. */
  readonly path: string;
  readonly report: Report;
  /** Tells the model something that the schema can no longer say. */
  readonly say: (node: JsonObject, sentence: string) => JsonObject;
  /** Brings a node that was put together from others into the form all nodes have. */
  readonly settle: (node: JsonObject) => JsonObject;
}
