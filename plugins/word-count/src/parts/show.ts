import { h, part } from '../../../kit/dom.ts';
import type { TextSize } from '../../../kit/words.ts';
import type { Words } from './texts.ts';

export interface Counted {
  all: TextSize;
  inFields: number;
  minutes: number;
}

/** The size of an entry. */
export function sizes({ all, inFields, minutes }: Counted, words: Words, shown: (value: number) => string) {
  const entries: [string, string][] = [
    [words.words(all.words), shown(all.words)],
    [words.characters, shown(all.characters)],
    [words.reading, words.minutes(minutes)],
  ];
  const list = entries.map(([term, value]) => h('div', {}, h('dt', {}, term), h('dd', {}, value)));
  return [
    h('dl', { class: 'sizes' }, ...list),
    all.words === 0 ? h('p', { class: 'quiet' }, words.empty) : null,
    inFields > 0 ? h('p', { class: 'quiet' }, words.inFields(inFields)) : null,
  ];
}

/** The progress towards a goal; nothing without one. */
export function reached(
  label: string,
  written: number,
  goal: number | null,
  words: Words,
): HTMLElement | null {
  if (goal === null || goal <= 0) return null;
  const value = Math.min(Math.max(written, 0), goal);
  return h(
    'div',
    { class: 'reached' },
    h('span', {}, `${label}: ${words.reached(written, goal)}`),
    h('progress', { max: goal, value, 'aria-label': label }),
  );
}

interface GoalField {
  id: string;
  label: string;
  /** As it is kept at the moment. */
  value: () => number | null;
  words: Words;
  onChange: (goal: number | null) => void;
}

/** Reads a field for a goal: null for none, undefined if it is no number of words. */
export function goalIn(text: string): number | null | undefined {
  if (text.trim() === '') return null;
  const goal = Number(text);
  return Number.isInteger(goal) && goal >= 0 && goal <= 10_000_000 ? goal || null : undefined;
}

export function goalField({ id, label, value, words, onChange }: GoalField): HTMLElement {
  const input = h('input', {
    id,
    type: 'number',
    min: 0,
    step: 1,
    inputmode: 'numeric',
    value: value() ?? '',
    placeholder: words.none,
    onchange: () => {
      const goal = goalIn(input.value);
      if (goal !== undefined) onChange(goal);
      else input.value = String(value() ?? '');
    },
  });
  return h('label', {}, label, input);
}

/** What is being typed stays. */
export function showGoal(id: string, value: number | null): void {
  const field = part(id);
  if (field instanceof HTMLInputElement && field !== document.activeElement)
    field.value = String(value ?? '');
}
