import type { Problem } from '../problem.ts';
import type { SettingsScope } from './serverConfiguration.ts';

/** How much of a server is taken in and passed on. Sizes of text are in characters (UTF-16 units). */
export interface Limits {
  /** Tools read from the server; the rest are left out. */
  readonly tools: number;
  /** Pages of one list (`tools/list`, `resources/list`, …). */
  readonly pages: number;
  /** Description of a tool as the model gets it; cut. */
  readonly descriptionChars: number;
  /** Input schema of a tool as JSON; a larger one costs the tool. */
  readonly schemaChars: number;
  /** Nesting of the schema given to the model; what lies deeper becomes "anything". */
  readonly schemaDepth: number;
  /** Text of one result given to the model; the rest goes to a file. */
  readonly resultChars: number;
  /** Content blocks of one result. */
  readonly resultBlocks: number;
  /** Images of one result. */
  readonly images: number;
  /** All images of one result together, decoded. */
  readonly imageBytes: number;
  /** Arguments of one call as JSON; a larger call is refused. */
  readonly argumentChars: number;
}

export const defaultLimits: Limits = {
  tools: 1000,
  pages: 64,
  descriptionChars: 2048,
  schemaChars: 262_144,
  schemaDepth: 32,
  resultChars: 50_000,
  resultBlocks: 100,
  images: 10,
  imageBytes: 5 * 1024 * 1024,
  argumentChars: 1024 * 1024,
};

/** What a user may raise a limit to. */
export const maxLimits: Limits = {
  tools: 5000,
  pages: 100,
  descriptionChars: 8192,
  schemaChars: 1024 * 1024,
  schemaDepth: 64,
  resultChars: 500_000,
  resultBlocks: 500,
  images: 20,
  imageBytes: 64 * 1024 * 1024,
  argumentChars: 8 * 1024 * 1024,
};

export const limitNames = Object.keys(defaultLimits) as readonly (keyof Limits)[];

type WrittenLimits = { readonly [Name in keyof Limits]?: Limits[Name] | undefined };

/**
 * Lays the limits of an entry over those in force. The user's own settings may raise them, up to
 * `maxLimits`; those of a workspace or an extension may only lower them: the rest is ignored and reported.
 */
export function applyLimits(
  base: Limits,
  written: WrittenLimits,
  scope: SettingsScope,
  key: string,
): { limits: Limits; problems: readonly Problem[] } {
  const limits = { ...base };
  const problems: Problem[] = [];
  for (const name of limitNames) {
    const value = written[name];
    if (value === undefined) continue;
    if (scope === 'user' || value <= base[name]) limits[name] = value;
    else {
      problems.push({
        where: `${key}.limits.${name}`,
        message: `"limits.${name}" of "${key}" is ignored: ${scope === 'extension' ? 'an extension' : 'a workspace'} may lower limits, only your user settings may raise them (${base[name]} stays).`,
      });
    }
  }
  return { limits, problems };
}
