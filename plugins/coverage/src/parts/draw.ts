import { h } from '../../../kit/dom.ts';
import { type Language, numbers } from '../../../kit/texts.ts';
import { paged } from './pager.ts';
import {
  filledShare,
  type HeatColumn,
  heatColumns,
  type RankedEntry,
  type Result,
  type TypeTally,
} from './tally.ts';
import { readingTime, type Words } from './texts.ts';

export interface Drawing {
  words: Words;
  language: Language;
  onOpen: (entry: RankedEntry) => void;
}

const ROWS = 20;
const COLUMNS = 12;
const LEVELS = 5;

const percentIn = (language: Language) => {
  const format = numbers(language, { style: 'percent', maximumFractionDigits: 0 });
  // Rounding must not make a part look like all or nothing.
  return (share: number): string =>
    format(share > 0.99 && share < 1 ? 0.99 : share > 0 && share < 0.01 ? 0.01 : share);
};

const heading = (text: string, isNumber = false) =>
  h('th', { scope: 'col', class: isNumber ? 'number' : '' }, text);
const cell = (text: string) => h('td', { class: 'number' }, text);

/** All that is known: types, fields, and the two lists. */
export function drawResult(result: Result, drawing: Drawing): HTMLElement[] {
  const { words } = drawing;
  const types = result.types.filter(({ read }) => read > 0);
  if (types.length === 0) return [h('p', {}, words.empty)];
  const columns = heatColumns(types);
  const list = (id: string, title: string, items: readonly RankedEntry[]) =>
    h(
      'section',
      {},
      h('h2', {}, title),
      paged({ id, title, items, size: ROWS, words, draw: (some) => drawEntries(some, types, drawing) }),
    );
  return [
    h(
      'section',
      {},
      h('h2', {}, words.types),
      h(
        'div',
        { class: 'wide', tabindex: 0, role: 'region', 'aria-label': words.types },
        drawTypes(types, drawing),
      ),
    ),
    h(
      'section',
      {},
      h('h2', {}, words.fields),
      h('p', { class: 'quiet' }, words.fieldsWhy),
      paged({
        id: 'fields',
        title: words.fields,
        items: columns,
        size: COLUMNS,
        words,
        draw: (some) => drawHeat(types, some, drawing),
      }),
    ),
    h(
      'div',
      { class: 'lists' },
      list('longest', words.longest, result.longest),
      list('emptiest', words.emptiest, result.emptiest),
    ),
  ];
}

function drawTypes(types: readonly TypeTally[], { words, language }: Drawing): HTMLElement {
  const [count, percent] = [numbers(language), percentIn(language)];
  const share = (value: number | null) => (value === null ? '–' : percent(value));
  const sum = (of: (tally: TypeTally) => number) => types.reduce((total, tally) => total + of(tally), 0);
  const row = (name: string, cells: readonly string[]) =>
    h('tr', {}, h('th', { scope: 'row' }, name), ...cells.map(cell));
  const rows = types.map((tally) =>
    row(tally.label, [
      count(tally.read),
      count(tally.words),
      readingTime(tally.minutes, words),
      share(filledShare(tally, 'required')),
      share(filledShare(tally, 'all')),
      percent(tally.withText / tally.read),
    ]),
  );
  const [read, withText] = [sum((tally) => tally.read), sum((tally) => tally.withText)];
  const last = [
    count(read),
    count(sum((tally) => tally.words)),
    readingTime(
      sum((tally) => tally.minutes),
      words,
    ),
  ];
  const headings = [words.entries, words.words, words.time, words.required, words.filled, words.withText];
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, heading(words.type), ...headings.map((text) => heading(text, true)))),
    h('tbody', {}, ...rows),
    h('tfoot', {}, row(words.all, [...last, '', '', percent(withText / read)])),
  );
}

/** From 0, nothing, to the highest, everything. */
export const levelOf = (share: number): number =>
  share >= 1 ? LEVELS : Math.min(LEVELS - 1, Math.ceil(share * (LEVELS - 1)));

function drawHeat(
  types: readonly TypeTally[],
  columns: readonly HeatColumn[],
  { words, language }: Drawing,
): HTMLElement {
  const percent = percentIn(language);
  const rows = types.map(({ label, fields, read }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, label),
      ...columns.map(({ name }) => {
        const field = fields.find((one) => one.name === name);
        if (field === undefined)
          return h('td', { class: 'number' }, h('span', { class: 'unseen' }, words.noField));
        const share = field.filled / read;
        return h('td', { class: `number heat-${levelOf(share)}` }, percent(share));
      }),
    ),
  );
  const headings = columns.map(({ label }) => heading(label, true));
  return h(
    'table',
    { class: 'heat' },
    h('thead', {}, h('tr', {}, heading(words.type), ...headings)),
    h('tbody', {}, ...rows),
  );
}

function drawEntries(
  entries: readonly RankedEntry[],
  types: readonly TypeTally[],
  { words, onOpen }: Drawing,
): HTMLElement {
  const labelOf = (type: string) => types.find((one) => one.type === type)?.label ?? type;
  const rows = entries.map((entry) => {
    const open = (event: Event) => {
      event.preventDefault();
      onOpen(entry);
    };
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row' },
        h('a', { href: `#${entry.type}/${entry.id}`, onclick: open }, entry.name),
        h('span', { class: 'quiet' }, ` ${labelOf(entry.type)}`),
      ),
      cell(words.wordCount(entry.words)),
      cell(words.filledOf(entry.filled, entry.fields)),
    );
  });
  return h(
    'table',
    {},
    h(
      'thead',
      {},
      h('tr', {}, heading(words.entry), heading(words.words, true), heading(words.filled, true)),
    ),
    h('tbody', {}, ...rows),
  );
}
