import { cutAfter } from '../../text/cut.ts';
import { isMap } from '../../text/json.ts';
import { idKeyOf } from '../references/id-key.ts';
import { isPlaceholder } from '../template/placeholder.ts';
import { isBlank, wordsOf } from './expression-values.ts';
import type { FieldPlace } from './field-path.ts';
import type { Pattern } from './pattern.ts';

/** `unable`: the check could not be made. */
export interface Fault {
  path: FieldPlace['path'];
  value: unknown;
  message: string;
  unable?: boolean;
}

const nameOf = (path: FieldPlace['path']): string => path.join('.');

const shown = (value: unknown): string => cutAfter(JSON.stringify(value) ?? 'nothing', 60);

export function checkRequired({ path, value }: FieldPlace): Fault[] {
  if (!isBlank(value)) return [];
  const isInstruction = typeof value === 'string' && isPlaceholder(value);
  const state = isInstruction ? "still holds the template's instruction" : 'is empty';
  return [{ path, value, message: `${nameOf(path)} is required and ${state}` }];
}

/** Entries of a list, or the value itself, without empty ones. */
function scalarsOf({ path, value }: FieldPlace): FieldPlace[] {
  const places = Array.isArray(value)
    ? value.map((entry, index) => ({ path: [...path, index], value: entry as unknown }))
    : [{ path, value }];
  return places.filter((place) => !isBlank(place.value));
}

export function checkRange(place: FieldPlace, min: number | null, max: number | null): Fault[] {
  const wanted = [min === null ? '' : `at least ${min}`, max === null ? '' : `at most ${max}`]
    .filter((part) => part !== '')
    .join(' and ');
  return scalarsOf(place).flatMap(({ path, value }): Fault[] => {
    const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN;
    const isWithin = (min === null || number >= min) && (max === null || number <= max);
    if (isWithin && !Number.isNaN(number)) return [];
    return [{ path, value, message: `${nameOf(path)} must be a number of ${wanted}, is ${shown(value)}` }];
  });
}

/** Entries of a list or mapping, words of a text. */
export function checkCount({ path, value }: FieldPlace, least: number): Fault[] {
  const isText = typeof value === 'string';
  const count = Array.isArray(value)
    ? value.filter((entry) => !isBlank(entry)).length
    : isMap(value)
      ? Object.keys(value).length
      : isBlank(value)
        ? 0
        : isText
          ? wordsOf(value)
          : 1;
  if (count >= least) return [];
  const unit = isText ? (least === 1 ? 'word' : 'words') : least === 1 ? 'entry' : 'entries';
  return [{ path, value, message: `${nameOf(path)} needs at least ${least} ${unit}, has ${count}` }];
}

export function checkPattern(place: FieldPlace, pattern: Pattern, source: string): Fault[] {
  return scalarsOf(place).flatMap(({ path, value }): Fault[] => {
    if (typeof value === 'object') {
      return [{ path, value, message: `${nameOf(path)} must be text that matches ${source}` }];
    }
    const found = pattern.test(String(value));
    if (found === null)
      return [{ path, value, message: `${nameOf(path)} is too long to be matched`, unable: true }];
    return found
      ? []
      : [{ path, value, message: `${nameOf(path)} does not match ${source}, is ${shown(value)}` }];
  });
}

export interface NamedId {
  path: FieldPlace['path'];
  type: string | null;
  id: string;
}

const LINK = /^\[\[(?:([a-z0-9][a-z0-9_]*):)?([^\]|]+)(?:\|[^\]]*)?\]\]$/;

/** From text, lists, and mappings with the id in one of their keys. */
export function namedIds({ path, value }: FieldPlace, type: string | null): NamedId[] {
  if (Array.isArray(value)) {
    return value.flatMap((entry, index) => namedIds({ path: [...path, index], value: entry }, type));
  }
  if (isMap(value)) {
    const key = idKeyOf(type ?? '', value);
    return key === undefined ? [] : namedIds({ path: [...path, key], value: value[key] }, type);
  }
  if (typeof value !== 'string' || isBlank(value)) return [];
  const link = LINK.exec(value.trim());
  if (link) return [{ path, type: link[1] ?? type, id: (link[2] ?? '').trim() }];
  return [{ path, type, id: value.trim() }];
}

export const missingReference = ({ path, type, id }: NamedId): Fault => ({
  path,
  value: id,
  message: `${nameOf(path)} names the ${type ?? 'entity'} "${id}", which does not exist`,
});
