import { isMap } from '../../text/json.ts';
import type { RuleSubject } from './types.ts';

/** The value is undefined if the place does not exist. */
export interface FieldPlace {
  path: readonly (string | number)[];
  value: unknown;
}

const MOST_PLACES = 2_000;
const MOST_STEPS = 16;

/** By the names that rules may use. */
const ATTRIBUTES: Readonly<Record<string, (subject: RuleSubject) => unknown>> = {
  name: ({ name }) => name,
  title: ({ name }) => name,
  status: ({ status }) => status,
  id: ({ entity_id }) => entity_id,
  entity_id: ({ entity_id }) => entity_id,
  entity_type: ({ entity_type }) => entity_type,
  primary_asset: ({ primary_asset }) => primary_asset,
  primary_image: ({ primary_asset }) => primary_asset,
  production_status: ({ production_status }) => production_status,
  markdown_body: ({ markdown_body }) => markdown_body,
  body: ({ markdown_body }) => markdown_body,
};

export const ATTRIBUTE_NAMES: readonly string[] = Object.keys(ATTRIBUTES);

export const isAttribute = (name: string): boolean => Object.hasOwn(ATTRIBUTES, name);

/** `stages[].name`, `stages.0.name`, `stages.*.name` and `stages.name`; null if the text is no path. */
export function parseFieldPath(text: string): string[] | null {
  const steps = text
    .trim()
    .replace(/^fields\./, '')
    .replaceAll('[]', '.*')
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.');
  return steps.length <= MOST_STEPS && steps.every((step) => step !== '') ? steps : null;
}

export const topOf = (field: string): string => parseFieldPath(field)?.[0] ?? field;

/** Lists are entered implicitly; an empty one has no value to check, and a missing key has the value undefined. */
export function placesOf(subject: RuleSubject, steps: readonly string[]): FieldPlace[] {
  const [top = '', ...rest] = steps;
  const places: FieldPlace[] = [];
  descend({ path: [top], value: valueIn(subject, top) }, rest, places);
  return places;
}

function valueIn(subject: RuleSubject, name: string): unknown {
  if (Object.hasOwn(subject.fields, name)) return subject.fields[name];
  return Object.hasOwn(ATTRIBUTES, name) ? ATTRIBUTES[name]?.(subject) : undefined;
}

function descend(place: FieldPlace, steps: readonly string[], found: FieldPlace[]): void {
  if (found.length >= MOST_PLACES) return;
  const [step, ...rest] = steps;
  const { path, value } = place;
  if (step === undefined) {
    found.push(place);
  } else if (Array.isArray(value)) {
    descendList(path, value, steps, found);
  } else if (step === '*') {
    if (isMap(value)) {
      for (const [key, entry] of Object.entries(value)) {
        descend({ path: [...path, key], value: entry }, rest, found);
      }
    }
  } else {
    const next = isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    descend({ path: [...path, step], value: next }, rest, found);
  }
}

function descendList(
  path: FieldPlace['path'],
  list: readonly unknown[],
  steps: readonly string[],
  found: FieldPlace[],
): void {
  const [step = '', ...rest] = steps;
  if (/^\d+$/.test(step)) {
    const index = Number(step);
    descend({ path: [...path, index], value: list[index] }, rest, found);
    return;
  }
  const inside = step === '*' ? rest : steps;
  for (const [index, entry] of list.entries()) {
    if (found.length >= MOST_PLACES) return;
    descend({ path: [...path, index], value: entry }, inside, found);
  }
}
