import * as vscode from 'vscode';
import type { JsonValue } from '../base/json.ts';
import type {
  ElicitationAnswer,
  ElicitationRequest,
} from '../core/clientFeatures/clientFeatures.ts';
import type { FormField } from '../core/clientFeatures/elicitationForm.ts';
import { visibleLine } from '../core/visibleLine.ts';

type Token = vscode.CancellationToken;

const cancelled = { action: 'cancel' } as const;
const declined = { action: 'decline' } as const;

/**
 * Asks a server's questions one after another and shows all answers before they are sent. Nothing is sent
 * unless the person says so at the end.
 */
export async function askForm(
  server: string,
  { message, fields }: Extract<ElicitationRequest, { mode: 'form' }>,
  token: Token,
): Promise<ElicitationAnswer> {
  const title = `MCP server "${server}" asks`;
  const start = await choose(
    title,
    `${visibleLine(message)} — never give a password or key here`,
    [{ label: fields.length === 0 ? 'Yes' : 'Answer…', value: 'answer' }, refusal],
    token,
  );
  if (start === undefined) return cancelled;
  if (start === 'decline') return declined;
  const content: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>;
  for (const [index, field] of fields.entries()) {
    const answer = await askField(`${title} (${index + 1}/${fields.length})`, field, token);
    if (answer === undefined) return cancelled;
    if (answer.value !== undefined) content[field.name] = answer.value;
  }
  if (fields.length === 0) return { action: 'accept', content };
  const summary = Object.entries(content)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
  const end = await choose(
    `Send to "${server}"?`,
    visibleLine(summary) || 'no answers',
    [{ label: 'Send', value: 'send' }, refusal],
    token,
  );
  if (end === 'send') return { action: 'accept', content };
  return end === 'decline' ? declined : cancelled;
}

/** Opens an address of the server in the browser, if the person agrees after seeing it. */
export async function askToOpen(
  server: string,
  { message, url }: Extract<ElicitationRequest, { mode: 'url' }>,
  token: Token,
): Promise<ElicitationAnswer> {
  const { host } = new URL(url);
  const answer = await choose(
    `MCP server "${server}" wants to open ${host}`,
    visibleLine(message),
    [{ label: `Open ${host}`, detail: visibleLine(url), value: 'open' }, refusal],
    token,
  );
  if (answer === undefined) return cancelled;
  if (answer === 'decline') return declined;
  const isOpen = await vscode.env.openExternal(vscode.Uri.parse(url, true));
  return isOpen ? { action: 'accept' } : cancelled;
}

const refusal = { label: 'Decline', value: 'decline' };

interface Option extends vscode.QuickPickItem {
  readonly value: string;
}

async function choose(
  title: string,
  placeHolder: string,
  options: readonly Option[],
  token: Token,
): Promise<string | undefined> {
  // The question must not vanish because the person looks something up elsewhere.
  const pick = { title, placeHolder, ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(options, pick, token))?.value;
}

/** The answer; `value` undefined: left out. `undefined`: the person gave up. */
async function askField(
  title: string,
  field: FormField,
  token: Token,
): Promise<{ value: JsonValue | undefined } | undefined> {
  const placeHolder = `${field.label}${field.isRequired ? '' : ' (optional)'}${field.description === '' ? '' : `: ${field.description}`}`;
  if (field.kind === 'choices') return askSeveral(title, placeHolder, field, token);
  if (field.kind === 'text' || field.kind === 'number') {
    return askText(title, placeHolder, field, token);
  }
  const choices =
    field.kind === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : field.choices;
  const options = choices
    .map(({ value, label }) => ({ label: visibleLine(label), value: `=${value}` }))
    .toSorted((left, right) => rank(left.value, field) - rank(right.value, field));
  const skip = field.isRequired ? [] : [{ label: 'Leave out', value: 'skip' }];
  const answer = await choose(title, visibleLine(placeHolder), [...options, ...skip], token);
  if (answer === undefined) return undefined;
  if (answer === 'skip') return { value: undefined };
  return { value: field.kind === 'boolean' ? answer === '=true' : answer.slice(1) };
}

/** The default answer stands first, where Enter takes it. */
function rank(value: string, { defaultValue }: FormField): number {
  const isSimple = typeof defaultValue === 'string' || typeof defaultValue === 'boolean';
  return isSimple && value === `=${defaultValue}` ? 0 : 1;
}

async function askText(
  title: string,
  prompt: string,
  { defaultValue, isRequired, parse }: FormField,
  token: Token,
): Promise<{ value: JsonValue | undefined } | undefined> {
  const isPreset = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  const text = await vscode.window.showInputBox(
    {
      title,
      prompt: visibleLine(prompt),
      ignoreFocusOut: true,
      ...(isPreset && { value: String(defaultValue) }),
      validateInput: (value) => {
        if (value === '' && !isRequired) return undefined;
        const parsed = parse(value);
        return 'problem' in parsed ? parsed.problem : undefined;
      },
    },
    token,
  );
  if (text === undefined) return undefined;
  if (text === '' && !isRequired) return { value: undefined };
  const parsed = parse(text);
  return 'value' in parsed ? parsed : undefined;
}

async function askSeveral(
  title: string,
  placeHolder: string,
  { choices, defaultValue }: FormField,
  token: Token,
): Promise<{ value: JsonValue } | undefined> {
  const preset: readonly JsonValue[] = Array.isArray(defaultValue) ? defaultValue : [];
  const items = choices.map(({ value, label }) => ({
    label: visibleLine(label),
    value,
    picked: preset.includes(value),
  }));
  const options = {
    title,
    placeHolder: visibleLine(placeHolder),
    ignoreFocusOut: true,
    canPickMany: true,
  } as const;
  const picked = await vscode.window.showQuickPick(items, options, token);
  return picked === undefined ? undefined : { value: picked.map(({ value }) => value) };
}
