import { h } from '../../../kit/dom.ts';
import type { Words } from './texts.ts';

export interface Paged<T> {
  id: string;
  title: string;
  items: readonly T[];
  size: number;
  words: Words;
  draw: (items: readonly T[]) => Node;
}

/** A part of a list, with buttons that lead to the next and to the one before. */
export function paged<T>({ id, title, items, size, words, draw }: Paged<T>): HTMLElement {
  let from = 0;
  const place = h('div', { class: 'wide', tabindex: 0, role: 'region', 'aria-label': title });
  const range = h('span', { class: 'quiet', role: 'status' });
  const step = (by: number) => () => {
    from += by;
    show();
  };
  const before = h(
    'button',
    { id: `${id}-before`, type: 'button', 'aria-label': words.beforeOf(title), onclick: step(-size) },
    words.before,
  );
  const next = h(
    'button',
    { id: `${id}-next`, type: 'button', 'aria-label': words.nextOf(title), onclick: step(size) },
    words.next,
  );

  function show(): void {
    const to = Math.min(from + size, items.length);
    place.replaceChildren(draw(items.slice(from, to)));
    range.textContent = words.range(from + 1, to, items.length);
    const hadFocus = document.activeElement;
    before.disabled = from === 0;
    next.disabled = to === items.length;
    if (hadFocus === before && before.disabled) next.focus();
    if (hadFocus === next && next.disabled) before.focus();
  }

  show();
  if (items.length <= size) return place;
  return h('div', {}, place, h('div', { class: 'pager' }, before, next, range));
}
