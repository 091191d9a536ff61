import { withTimeout } from '../../base/async.ts';

/** What the caller of a tool says about the room for its result; its tokenizer belongs to the model in use. */
export interface TokenBudget {
  readonly tokenBudget: number;
  countTokens(text: string): PromiseLike<number>;
}

/** How long the editor may take to count, in milliseconds. */
const countTimeout = 3000;
/** Where nobody counts; few languages have fewer. */
const charactersPerToken = 2;
const maxRounds = 4;

/**
 * How many characters may be given, at most `room`, so that `fit(characters)` stays within the budget. Counts
 * what would be given, and gives less until it fits. A counter that fails or hangs is replaced by a guess.
 */
export async function tokenRoom(
  room: number,
  budget: TokenBudget,
  fit: (room: number) => string,
): Promise<number> {
  let characters = room;
  for (let round = 0; round < maxRounds; round++) {
    const text = fit(characters);
    // A token is at least one byte, and a UTF-16 unit at most three.
    if (text.length * 3 <= budget.tokenBudget) return characters;
    const tokens = await counted(text, budget);
    if (tokens === undefined) {
      return Math.min(characters, Math.floor(budget.tokenBudget * charactersPerToken));
    }
    if (tokens <= budget.tokenBudget) return characters;
    characters = Math.floor(
      (Math.min(text.length, characters) * budget.tokenBudget * 0.9) / tokens,
    );
  }
  return characters;
}

/** `undefined` if the counter fails, hangs or gives nonsense. */
async function counted(text: string, budget: TokenBudget): Promise<number | undefined> {
  try {
    const tokens = await withTimeout(Promise.resolve(budget.countTokens(text)), countTimeout);
    return Number.isFinite(tokens) && tokens > 0 ? tokens : undefined;
  } catch {
    return undefined;
  }
}
