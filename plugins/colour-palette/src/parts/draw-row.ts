import { h } from '../../../kit/dom.ts';
import type { NamedColour } from './hex.ts';
import { hexOf } from './hex.ts';
import type { Item } from './palette.ts';
import type { Words } from './texts.ts';

export interface RowActions {
  onChange: (item: Item, to: Partial<NamedColour>) => void;
  onMove: (item: Item, by: number) => void;
  onRemove: (item: Item) => void;
  /** Undefined to let the text be pasted as it is. */
  onPaste: (event: Event) => void;
  onFault: (text: string | null) => void;
}

export interface RowState {
  place: number;
  count: number;
  isDisabled: boolean;
  words: Words;
}

/** A colour without a name is called by its value. */
export const titleOf = ({ name, hex }: Pick<Item, 'name' | 'hex'>): string => name || hex || '?';

export function drawRow(item: Item, state: RowState, actions: RowActions): HTMLElement {
  const { place, count, isDisabled, words } = state;
  const { onChange, onMove, onRemove } = actions;
  const title = titleOf(item);
  const button = (id: string, sign: string, label: string, isOff: boolean, onClick: () => void) =>
    h(
      'button',
      {
        id: `${id}-${item.key}`,
        type: 'button',
        class: 'small',
        'aria-label': label,
        title: label,
        disabled: isDisabled || isOff,
        onclick: onClick,
      },
      sign,
    );
  return h(
    'li',
    {
      onkeydown: (event) => {
        const by = event instanceof KeyboardEvent && event.altKey ? BY_KEY[event.key] : undefined;
        if (by === undefined || isDisabled) return;
        event.preventDefault();
        onMove(item, by);
      },
    },
    colourInput(item, state, onChange),
    nameInput(item, state, actions),
    hexInput(item, state, actions),
    button('up', '↑', words.up(title), place === 1, () => onMove(item, -1)),
    button('down', '↓', words.down(title), place === count, () => onMove(item, 1)),
    button('remove', '×', words.remove(title), false, () => onRemove(item)),
  );
}

const BY_KEY: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 };

/** The browser's own picker knows nothing of what shines through: that part stays. */
function colourInput(item: Item, { isDisabled, words }: RowState, onChange: RowActions['onChange']) {
  const { hex } = item;
  const input = h('input', {
    id: `pick-${item.key}`,
    type: 'color',
    value: hex?.slice(0, 7) ?? '#000000',
    class: hex === null ? 'unknown' : '',
    'aria-label': words.choose(titleOf(item)),
    disabled: isDisabled,
    onchange: () => onChange(item, { hex: input.value + (hex?.slice(7) ?? '') }),
  });
  return input;
}

function nameInput(item: Item, { isDisabled, words }: RowState, { onChange, onPaste }: RowActions) {
  const input = h('input', {
    id: `name-${item.key}`,
    value: item.name,
    placeholder: words.name,
    'aria-label': words.nameOf(titleOf(item)),
    disabled: isDisabled,
    onchange: () => onChange(item, { name: input.value.replaceAll('#', '').trim() }),
    onpaste: onPaste,
  });
  return input;
}

function hexInput(item: Item, { isDisabled, words }: RowState, { onChange, onPaste, onFault }: RowActions) {
  const input = h('input', {
    id: `hex-${item.key}`,
    class: 'code',
    value: item.hex ?? '',
    placeholder: '#0b3d5c',
    spellcheck: 'false',
    autocomplete: 'off',
    'aria-label': words.hexOf(titleOf(item)),
    'aria-invalid': item.hex === null ? 'true' : null,
    disabled: isDisabled,
    onchange: () => {
      const hex = hexOf(input.value);
      input.setAttribute('aria-invalid', String(hex === null));
      onFault(hex === null ? words.noColour(input.value) : null);
      if (hex !== null) onChange(item, { hex });
    },
    onpaste: onPaste,
  });
  return input;
}
