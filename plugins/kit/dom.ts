type Child = Node | string | null;
type Value = string | number | boolean | null | ((event: Event) => void);
export type Props = Readonly<Record<string, Value>>;

const SVG = 'http://www.w3.org/2000/svg';

/** Functions are listeners, named as `onclick`; true is an attribute without a value, null and false are none. */
function fill<E extends Element>(element: E, props: Props, children: readonly Child[]): E {
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export const h = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] => fill(document.createElement(tag), props, children);

export const s = <Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  props: Props = {},
  ...children: readonly Child[]
): SVGElementTagNameMap[Tag] => fill(document.createElementNS(SVG, tag), props, children);

/** The element of the page that has this id. */
export function part(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found;
}

/** Puts other content in its place, and leaves the focus with the element of the same id if that is still there. */
export function replace(place: HTMLElement, ...children: readonly Child[]): void {
  const { activeElement } = document;
  const focused = activeElement !== null && place.contains(activeElement) ? activeElement.id : '';
  place.replaceChildren(...children.filter((child) => child !== null));
  if (focused !== '') document.getElementById(focused)?.focus();
}
