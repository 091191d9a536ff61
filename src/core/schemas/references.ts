import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';

/** Where a `$ref` leads: a key that is the same for the same place, and what stands there. */
export interface ReferenceTarget {
  readonly key: string;
  readonly value: JsonValue;
  /** Base address of the references inside. */
  readonly base: string;
}

/** Base address of a document that names none. Never fetched; it only makes relative addresses comparable. */
export const documentBase = 'schema:///';

/** Deepest place looked into for `$id` and `$anchor`. */
const maxLevels = 128;

/**
 * Finds what references lead to inside one document: JSON pointers, `$anchor`, `$id` (also the `id` of
 * draft-04), each relative to the `$id` around it. Never looks outside of the document.
 */
export class References {
  readonly #root: JsonObject;
  /** Address → the node with that `$id` or `$anchor`; made when first needed. */
  #named: Map<string, ReferenceTarget> | undefined;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** `undefined` if the reference leads nowhere in this document. */
  find(reference: string, base: string): ReferenceTarget | undefined {
    const address = resolved(reference, base);
    if (address === undefined) return undefined;
    const [document = '', fragment = ''] = address.split('#', 2);
    if (!isPointer(fragment)) return this.#byName().get(address);
    const resource = this.#resource(document);
    const steps = pointerSteps(fragment);
    // Servers embed schemas with an `$id` and still point from the root of all.
    return (
      follow(resource, steps) ??
      follow(this.#resource(documentBase), steps, document !== '' && reference.startsWith('#'))
    );
  }

  #resource(document: string): ReferenceTarget | undefined {
    if (document === documentBase)
      return { key: '', value: this.#root, base: baseInside(this.#root, documentBase) };
    return this.#byName().get(document);
  }

  #byName(): Map<string, ReferenceTarget> {
    if (this.#named === undefined) {
      this.#named = new Map();
      this.#collect(this.#root, '', documentBase, 0);
    }
    return this.#named;
  }

  #collect(value: JsonValue, key: string, base: string, depth: number): void {
    if (typeof value !== 'object' || value === null || depth > maxLevels) return;
    const inside = isJsonObject(value) ? baseInside(value, base) : base;
    if (isJsonObject(value)) {
      const target = { key, value, base: inside };
      if (inside !== base) this.#add(inside, target);
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const anchor = value[keyword];
        if (typeof anchor === 'string') this.#add(`${inside}#${anchor}`, target);
      }
      const id = value['$id'] ?? value['id'];
      if (typeof id === 'string' && id.startsWith('#')) this.#add(`${base}${id}`, target);
    }
    for (const [step, member] of Object.entries(value)) {
      this.#collect(member, `${key}/${step}`, inside, depth + 1);
    }
  }

  #add(address: string, target: ReferenceTarget): void {
    if (this.#named?.has(address) === false) this.#named.set(address, target);
  }
}

/** The base address of references inside the node. */
export function baseInside(node: JsonObject, base: string): string {
  const id = typeof node['$id'] === 'string' ? node['$id'] : node['id'];
  if (typeof id !== 'string' || id.startsWith('#')) return base;
  return resolved(id, base)?.split('#', 1)[0] ?? base;
}

function resolved(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return `${base}${reference}`;
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

const isPointer = (fragment: string): boolean => fragment === '' || fragment.startsWith('/');

function pointerSteps(fragment: string): string[] {
  return fragment
    .split('/')
    .slice(1)
    .map((step) => decoded(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

function follow(
  from: ReferenceTarget | undefined,
  steps: readonly string[],
  isWanted = true,
): ReferenceTarget | undefined {
  if (from === undefined || !isWanted) return undefined;
  let { value, base, key } = from;
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step))
      return undefined;
    value = (value as JsonObject)[step] ?? null;
    key = `${key}/${step}`;
    if (isJsonObject(value)) base = baseInside(value, base);
  }
  return isJsonObject(value) || typeof value === 'boolean' ? { key, value, base } : undefined;
}
