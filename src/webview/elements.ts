type Child = Node | string;

/** An element with attributes and children; texts are never read as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

export function button(label: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button' }, label);
  made.addEventListener('click', onClick);
  return made;
}
