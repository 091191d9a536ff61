import type { JsonObject } from '../base/json.ts';
import { formArguments } from '../core/toolPage/formArguments.ts';
import type { FormField } from '../core/toolPage/formFields.ts';
import { element } from './elements.ts';

type Input = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The form for the arguments of a tool, with a switch to write them as JSON. */
export class ArgumentForm {
  readonly root: HTMLElement;
  readonly #fields: readonly FormField[];
  readonly #inputs = new Map<FormField, Input>();
  readonly #raw = element('textarea', { id: 'raw', rows: '10', spellcheck: 'false' });
  readonly #switch = element('input', { type: 'checkbox', id: 'asJson' });
  readonly #form: HTMLElement;
  readonly #rawPart: HTMLElement;

  constructor(fields: readonly FormField[]) {
    this.#fields = fields;
    this.#form = element('div', {}, ...fields.map((field) => this.#field(field)));
    this.#rawPart = element(
      'div',
      {},
      element('label', { for: 'raw' }, 'Arguments as JSON'),
      this.#raw,
    );
    this.#switch.addEventListener('change', () => {
      const args = this.#formArguments();
      if (this.#switch.checked && typeof args !== 'string') this.#raw.value = jsonText(args);
      this.#show();
    });
    const label = element('label', { for: 'asJson' }, 'Write the arguments as JSON');
    const choice = element('div', { class: 'check' }, this.#switch, label);
    this.root = element('div', {}, choice, this.#form, this.#rawPart);
    this.#show();
  }

  /** The arguments as JSON, or what is wrong with them. */
  read(): { json: string } | { problem: string } {
    if (!this.#switch.checked) {
      const args = this.#formArguments();
      return typeof args === 'string' ? { problem: args } : { json: jsonText(args) };
    }
    try {
      return { json: jsonText(JSON.parse(this.#raw.value)) };
    } catch {
      return { problem: 'The arguments are no JSON: correct them, or use the form.' };
    }
  }

  /** Puts arguments back, as JSON: they may hold what no field can. */
  write(json: string): void {
    this.#raw.value = json;
    this.#switch.checked = true;
    this.#show();
    this.#raw.focus();
  }

  #show(): void {
    this.#form.hidden = this.#switch.checked;
    this.#rawPart.hidden = !this.#switch.checked;
  }

  #formArguments(): JsonObject | string {
    return formArguments(this.#fields, (field) => this.#inputs.get(field)?.value ?? '');
  }

  #field(field: FormField): HTMLElement {
    const name = `${field.path.at(-1) ?? ''}${field.isRequired ? ' (required)' : ''}`;
    const id = `field:${JSON.stringify(field.path)}`.replaceAll(/\s/g, '_');
    const help = element('p', { class: 'help', id: `${id}:help` }, field.description);
    if (field.kind === 'group') {
      const fields = field.fields.map((inner) => this.#field(inner));
      return element('fieldset', {}, element('legend', {}, name), help, ...fields);
    }
    const input = inputFor(field, { id, 'aria-describedby': `${id}:help` });
    input.value = field.initial;
    this.#inputs.set(field, input);
    const label = field.kind === 'json' ? `${name}, as JSON` : name;
    return element('div', {}, element('label', { for: id }, label), input, help);
  }
}

function inputFor({ kind, choices }: FormField, attributes: Record<string, string>): Input {
  if (kind === 'number') {
    return element('input', { ...attributes, type: 'text', inputmode: 'decimal' });
  }
  if (kind !== 'choice') return element('textarea', { ...attributes, rows: '2' });
  const options = choices.map((choice, index) =>
    element(
      'option',
      { value: String(index) },
      typeof choice === 'string' ? choice : JSON.stringify(choice),
    ),
  );
  return element('select', attributes, element('option', { value: '' }, '(not set)'), ...options);
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
