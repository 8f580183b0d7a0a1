import { h } from '../../../kit/dom.ts';
import type { Outcome } from './apply.ts';
import { countCells, type Plan, type Problem } from './plan.ts';
import type { Words } from './texts.ts';

const MOST_CELLS = 300;
const MOST_PROBLEMS = 100;
const MOST_LETTERS = 200;

const short = (text: string): string =>
  text.length > MOST_LETTERS ? `${text.slice(0, MOST_LETTERS)}…` : text;

const valueCell = (text: string, words: Words): HTMLElement =>
  text === '' ? h('td', { class: 'quiet' }, words.empty) : h('td', {}, short(text));

function tableOf({ changes }: Plan, words: Words): HTMLElement {
  const cells = changes.flatMap(({ id, name, cells: edited }) =>
    edited.map((cell) => ({ id, name, ...cell })),
  );
  const rows = cells
    .slice(0, MOST_CELLS)
    .map(({ id, name, column, before, after }) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, name, h('span', { class: 'quiet' }, ` ${id}`)),
        h('td', {}, column.title),
        valueCell(before, words),
        valueCell(after, words),
      ),
    );
  const heads = [words.entry, words.column, words.before, words.after];
  return h(
    'div',
    { class: 'wide', tabindex: 0, role: 'region', 'aria-label': words.result },
    h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...heads.map((head) => h('th', { scope: 'col' }, head)))),
      h('tbody', {}, ...rows),
    ),
    cells.length > MOST_CELLS ? h('p', { class: 'quiet' }, words.more(cells.length - MOST_CELLS)) : null,
  );
}

function problemsOf(problems: readonly Problem[], words: Words): HTMLElement {
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map((problem) =>
      h('li', {}, `${words.line(problem.line)} `, short(words.troubles[problem.kind](problem))),
    );
  const left = problems.length - MOST_PROBLEMS;
  return h(
    'div',
    { class: 'fault' },
    h('p', {}, words.problems(problems.length)),
    h('ul', {}, ...lines, left > 0 ? h('li', {}, words.moreProblems(left)) : null),
  );
}

/** The changes to come, with the button that makes them. */
export function previewOf(plan: Plan, words: Words, onApply: () => void): HTMLElement {
  const { changes, problems, unchanged } = plan;
  const sum =
    changes.length === 0 ? words.none(unchanged) : words.summary(countCells(plan), changes.length, unchanged);
  return h(
    'div',
    {},
    h('p', {}, sum),
    problems.length > 0 ? problemsOf(problems, words) : null,
    changes.length > 0 ? tableOf(plan, words) : null,
    changes.length > 0
      ? h('button', { type: 'button', class: 'main', onclick: onApply }, words.apply(changes.length))
      : null,
  );
}

export function reportOf(outcomes: readonly Outcome[], all: number, words: Words): HTMLElement {
  const failed = outcomes.filter(({ error }) => error !== null);
  const saved = outcomes.length - failed.length;
  return h(
    'div',
    {},
    h('p', {}, words.done(saved, failed.length, all - outcomes.length)),
    saved > 0 ? h('p', { class: 'quiet' }, words.again) : null,
    failed.length > 0
      ? h(
          'ul',
          { class: 'fault' },
          ...failed.map(({ change, error }) => h('li', {}, `${change.name} (${change.id}): ${error}`)),
        )
      : null,
  );
}
