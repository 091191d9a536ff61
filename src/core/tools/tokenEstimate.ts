import type { CatalogTool } from './toolCatalog.ts';

/** In English text and JSON, one token of the usual models is about four characters. */
const charactersPerToken = 4;

const estimates = new WeakMap<object, number>();

/** About how many tokens the definition of the tool takes in each request that offers it. */
export function estimatedTokens(tool: CatalogTool): number {
  const { exposedName, modelDescription, modelSchema } = tool;
  let schema = estimates.get(modelSchema);
  if (schema === undefined) {
    schema = JSON.stringify(modelSchema).length;
    estimates.set(modelSchema, schema);
  }
  return charactersAsTokens(exposedName.length + modelDescription.length + schema);
}

/** About how many tokens a text of so many characters takes. */
export function charactersAsTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** `~1,200 tokens`. */
export function tokensText(count: number): string {
  return `~${count.toLocaleString('en')} ${count === 1 ? 'token' : 'tokens'}`;
}
