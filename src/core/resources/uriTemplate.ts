import { parseTemplate } from 'url-template';

export interface TemplateVariable {
  readonly name: string;
  /** Only what stands in a query (`{?x}`, `{&x}`) can be left out without changing which resource is meant. */
  readonly required: boolean;
}

/** Most variables of one template. */
const maxVariables = 20;

/**
 * The variables of a URI template (RFC 6570), each once, in order; `undefined` when it is no usable template.
 */
export function templateVariables(template: string): TemplateVariable[] | undefined {
  if (/[{}]/.test(template.replace(/\{[^{}]*\}/g, ''))) return undefined;
  const variables = new Map<string, TemplateVariable>();
  for (const [, expression = ''] of template.matchAll(/\{([^{}]*)\}/g)) {
    const required = !/^[?&]/.test(expression);
    for (const variable of expression.replace(/^[+#./;?&]/, '').split(',')) {
      const name = /^([\w.%-]{1,64})(?:\*|:\d{1,4})?$/.exec(variable)?.[1];
      if (name === undefined) return undefined;
      variables.set(name, { name, required: required || variables.get(name)?.required === true });
    }
  }
  return variables.size > maxVariables ? undefined : [...variables.values()];
}

/** The URI for the given values. A variable without a value is left out as RFC 6570 says. */
export function expandTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return parseTemplate(template).expand(Object.fromEntries(values));
}
