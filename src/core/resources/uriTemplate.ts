import { parseTemplate } from 'url-template';

/** Most variables of one template. */
const maxVariables = 20;

/**
 * The names of the variables of a URI template (RFC 6570), each once, in order; `undefined` when it is no
 * usable template.
 */
export function templateVariables(template: string): string[] | undefined {
  const names = new Set<string>();
  for (const [, expression = ''] of template.matchAll(/\{([^{}]*)\}/g)) {
    for (const variable of expression.replace(/^[+#./;?&]/, '').split(',')) {
      const name = /^([\w.%-]{1,64})(?:\*|:\d{1,4})?$/.exec(variable)?.[1];
      if (name === undefined) return undefined;
      names.add(name);
    }
  }
  return names.size > maxVariables ? undefined : [...names];
}

/** The URI for the given values. A variable without a value is left out as RFC 6570 says. */
export function expandTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return parseTemplate(template).expand(Object.fromEntries(values));
}
