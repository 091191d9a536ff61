import { isJsonObject } from '../../base/json.ts';
import { boundedText } from '../boundedText.ts';
import type { Problem } from '../problem.ts';

interface PromptArgument {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly required: boolean;
}

/** One prompt as its server listed it (MCP specification, `Prompt`). */
export interface PromptDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly PromptArgument[];
}

/** The prompts a server is known to have. */
export interface ServerPrompts {
  readonly prompts: readonly PromptDefinition[];
  /** Entries that could not be read, limits that were hit, a list that could not be had. */
  readonly problems: readonly Problem[];
}

const maxName = 256;
const maxText = 4096;
const maxArguments = 50;

/** Reads the members of `prompts/list`; one that cannot be used costs only itself. */
export function readPrompts(values: readonly unknown[]): {
  prompts: PromptDefinition[];
  problems: Problem[];
} {
  const prompts = new Map<string, PromptDefinition>();
  let unusable = 0;
  for (const value of values) {
    const prompt = readPrompt(value);
    if (prompt === undefined) unusable += 1;
    else if (!prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
  }
  const message = `${unusable} left out: a prompt needs a name of 1 to ${maxName} characters, and so does each of its arguments (at most ${maxArguments}).`;
  return {
    prompts: [...prompts.values()],
    problems: unusable === 0 ? [] : [{ where: 'prompts/list', message }],
  };
}

function readPrompt(value: unknown): PromptDefinition | undefined {
  const named = readNamed(value);
  if (named === undefined || !isJsonObject(value)) return undefined;
  const { arguments: written } = value;
  const args = new Map<string, PromptArgument>();
  for (const entry of Array.isArray(written) ? written : []) {
    const argument = readNamed(entry);
    // Without one of its arguments the prompt would be asked for wrongly.
    if (argument === undefined || args.size >= maxArguments) return undefined;
    const required = isJsonObject(entry) && entry['required'] === true;
    args.set(argument.name, { ...argument, required });
  }
  return { ...named, arguments: [...args.values()] };
}

function readNamed(value: unknown): Omit<PromptDefinition, 'arguments'> | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name } = value;
  if (typeof name !== 'string' || name === '' || name.length > maxName) return undefined;
  const title = boundedText(value['title'], maxName);
  const description = boundedText(value['description'], maxText);
  return {
    name,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
  };
}
