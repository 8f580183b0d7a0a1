import { h } from '../../../kit/dom.ts';
import { contrastOf, gradeOf } from './contrast.ts';
import { titleOf } from './draw-row.ts';
import type { Item } from './palette.ts';
import type { Words } from './texts.ts';

export interface Pair {
  /** Keys; null for the first two that there are. */
  text: number | null;
  background: number | null;
}

interface ContrastView {
  items: readonly Item[];
  pair: Pair;
  isOpen: boolean;
  words: Words;
  shown: (ratio: number) => string;
  onPair: (pair: Pair) => void;
  onToggle: (isOpen: boolean) => void;
}

/** Of two colours of the palette: how well one can be read on the other. */
export function drawContrast(view: ContrastView): HTMLElement | null {
  const { pair, isOpen, words, shown, onPair, onToggle } = view;
  const items = view.items.filter(({ hex }) => hex !== null);
  const [first, second] = items;
  if (first === undefined || second === undefined) return null;
  const text = items.find(({ key }) => key === pair.text) ?? first;
  const background = items.find(({ key }) => key === pair.background) ?? second;
  // Both have a colour, since the others were left out above.
  const [front, back] = [text.hex ?? '', background.hex ?? ''];
  const ratio = contrastOf(front, back);
  const keys = { text: text.key, background: background.key };
  const details = h(
    'details',
    { open: isOpen, ontoggle: () => onToggle(details.open) },
    h('summary', {}, words.contrast),
    h(
      'div',
      { class: 'pair' },
      select('pair-text', words.text, items, text, (key) => onPair({ ...keys, text: key })),
      select('pair-background', words.background, items, background, (key) =>
        onPair({ ...keys, background: key }),
      ),
      h(
        'span',
        { class: 'sample', 'aria-hidden': 'true', style: `color: ${front}; background: ${back}` },
        words.sample,
      ),
    ),
    h('p', { role: 'status' }, words.ratio(shown(ratio), gradeOf(ratio))),
  );
  return details;
}

function select(
  id: string,
  label: string,
  items: readonly Item[],
  chosen: Item,
  onChoose: (key: number) => void,
) {
  const options = items.map((item) =>
    h('option', { value: item.key, selected: item === chosen }, titleOf(item)),
  );
  const control = h('select', { id, onchange: () => onChoose(Number(control.value)) }, ...options);
  return h('label', {}, label, control);
}
