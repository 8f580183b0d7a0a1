import { h, s } from '../../../kit/dom.ts';
import type { Progress } from './days.ts';
import type { Words } from './texts.ts';

const WIDTH = 280;
const HEIGHT = 56;
const GAP = 4;

/** Nothing is drawn as a line, so even one word must be higher than that. */
export function barHeight(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0;
  return Math.max(2, Math.round((Math.min(value, most) / most) * (HEIGHT - 2)));
}

const bar = (at: number, count: number, height: number, name: string) => {
  const step = WIDTH / count;
  return s('rect', { class: name, x: at * step, y: HEIGHT - height, width: step - GAP, height, rx: 1 });
};

/** Bars for the eye, and the same numbers as a table for screen readers. */
export function chart(
  progress: readonly Progress[],
  words: Words,
  shown: (value: number) => string,
): HTMLElement {
  const most = Math.max(1, ...progress.flatMap(({ own, all }) => [own, all]));
  const bars = progress.flatMap(({ own, all }, at) => [
    bar(at, progress.length, Math.max(1, barHeight(Math.max(own, all), most)), 'all'),
    bar(at, progress.length, barHeight(own, most), 'own'),
  ]);
  const rows = progress.map(({ day, own, all }) =>
    h('tr', {}, h('th', { scope: 'row' }, day), h('td', {}, shown(own)), h('td', {}, shown(all))),
  );
  const headings = [words.day, words.own, words.all].map((text) => h('th', { scope: 'col' }, text));
  return h(
    'figure',
    {},
    s('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' }, ...bars),
    h(
      'figcaption',
      { class: 'quiet' },
      h('span', { class: 'key own' }),
      `${words.own} `,
      h('span', { class: 'key all' }),
      words.all,
    ),
    h(
      'table',
      { class: 'unseen' },
      h('caption', {}, words.chart),
      h('thead', {}, h('tr', {}, ...headings)),
      h('tbody', {}, ...rows),
    ),
  );
}
