import '../../kit/plugin.css';
import './parts/palette.css';
import { h, part, replace } from '../../kit/dom.ts';
import { tell } from '../../kit/fault.ts';
import { canonry } from '../../kit/host.ts';
import { numbers, speak } from '../../kit/texts.ts';
import { drawContrast, type Pair } from './parts/draw-contrast.ts';
import { drawRow, type RowActions, titleOf } from './parts/draw-row.ts';
import { coloursIn, type NamedColour } from './parts/hex.ts';
import {
  add,
  change,
  MOST_COLOURS,
  move,
  type Palette,
  readPalette,
  remove,
  writePalette,
} from './parts/palette.ts';
import { texts } from './parts/texts.ts';

let language = speak(undefined);
let palette: Palette = readPalette(null);
let isDisabled = true;
let label: string | null = null;
let most = MOST_COLOURS;
let pair: Pair = { text: null, background: null };
let isContrastOpen = false;

const words = () => texts[language];

const widget = canonry.widget({
  // It comes after each save too, and to draw the rows anew would take away what is being typed in them.
  onContext(context) {
    const next = speak(context.language);
    if (next === language) return;
    language = next;
    draw();
  },
  onUpdate({ value, disabled, options }) {
    palette = readPalette(value);
    isDisabled = disabled;
    label = typeof options.label === 'string' ? options.label : null;
    most = typeof options.max_selections === 'number' ? options.max_selections : MOST_COLOURS;
    tell(null);
    draw();
  },
});

/** For those who do not see what has changed. */
function say(text: string): void {
  part('said').textContent = text;
}

function become(next: Palette): void {
  if (next === palette) return;
  palette = next;
  widget.change(writePalette(palette));
  draw();
}

/** False if there was no room for them. */
function addAll(colours: readonly NamedColour[]): boolean {
  const next = add(palette, colours, most);
  const count = next.items.length - palette.items.length;
  const isWhole = count === colours.length;
  tell(isWhole ? null : words().full(most));
  if (count > 0) {
    say(words().added(count));
    become(next);
  }
  return isWhole;
}

const actions: RowActions = {
  onChange: (item, to) => become(change(palette, item.key, to)),
  onMove(item, by) {
    become(move(palette, item.key, by));
    const place = palette.items.findIndex(({ key }) => key === item.key) + 1;
    say(words().moved(titleOf(item), place, palette.items.length));
    focusFirst([`${by < 0 ? 'up' : 'down'}-${item.key}`, `${by < 0 ? 'down' : 'up'}-${item.key}`]);
  },
  onRemove(item) {
    const at = palette.items.indexOf(item);
    become(remove(palette, item.key));
    say(words().removed(titleOf(item)));
    const next = palette.items[at] ?? palette.items[at - 1];
    focusFirst([`remove-${next?.key}`, 'new']);
  },
  onPaste(event) {
    const colours =
      event instanceof ClipboardEvent ? coloursIn(event.clipboardData?.getData('text') ?? '') : [];
    if (colours.length < 2) return;
    event.preventDefault();
    addAll(colours);
  },
  onFault: tell,
};

/** A text field keeps the focus; a button that cannot go on gives it to the next. */
function focusFirst(ids: readonly string[]): void {
  if (document.activeElement instanceof HTMLInputElement) return;
  for (const id of ids) {
    const found = document.getElementById(id);
    if (found === null || found.hasAttribute('disabled')) continue;
    found.focus();
    return;
  }
}

function draw(): void {
  const { items } = palette;
  const rows = items.map((item, at) =>
    drawRow(item, { place: at + 1, count: items.length, isDisabled, words: words() }, actions),
  );
  const list = rows.length === 0 ? h('p', { class: 'quiet' }, words().empty) : h('ul', {}, ...rows);
  list.setAttribute('aria-label', label ?? words().palette);
  if (rows.length === 0) list.removeAttribute('aria-label');
  replace(part('colours'), list);
  if (isDisabled) replace(part('add'));
  else if (part('add').firstChild === null || part('add').lang !== language)
    replace(part('add'), newColours());
  part('add').lang = language;
  replace(
    part('contrast'),
    drawContrast({
      items,
      pair,
      isOpen: isContrastOpen,
      words: words(),
      shown: numbers(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
      onPair(next) {
        pair = next;
        draw();
      },
      onToggle(isOpen) {
        isContrastOpen = isOpen;
      },
    }),
  );
}

/** It stays while the rows change, with what is typed. */
function newColours(): HTMLElement {
  const input = h('input', {
    id: 'new',
    'aria-label': words().addLabel,
    placeholder: words().addHint,
    spellcheck: 'false',
    autocomplete: 'off',
    onpaste: actions.onPaste,
  });
  const take = (event: Event) => {
    event.preventDefault();
    const colours = coloursIn(input.value);
    if (colours.length === 0) tell(words().noColour(input.value));
    else if (addAll(colours)) input.value = '';
  };
  return h('form', { onsubmit: take }, input, h('button', { type: 'submit' }, words().add));
}
