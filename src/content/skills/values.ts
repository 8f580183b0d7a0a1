import { isMap, type JsonMap } from '../../text/json.ts';
import { foldedName } from './names.ts';
import { SKILL_TIERS, type SkillTier } from './types.ts';

/** A list is one text with a line for each item. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  return '';
}

/** Words of a list, or of a text with commas. */
export function wordsOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : textOf(value).split(',');
  return [...new Set(items.map(textOf).filter(Boolean))];
}

/** Whole texts: a single text is one item, and an item may be a mapping of words to texts. */
export function textsOf(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.map((item) => (isMap(item) ? labelled(item, '; ') : textOf(item))).filter(Boolean);
}

/** `{input: a, output: b}` → `Input: a`, `Output: b`. */
function labelled(map: JsonMap, separator: string): string {
  const lines = Object.entries(map).map(([key, value]) => {
    const label = key.replaceAll('_', ' ');
    const text = isMap(value) ? labelled(value, separator) : textOf(value);
    return text && `${label.charAt(0).toUpperCase()}${label.slice(1)}: ${text}`;
  });
  return lines.filter(Boolean).join(separator);
}

/** Examples are a text, a list of texts, or of mappings such as `{input, output}`. */
export function examplesOf(value: unknown): string {
  const items = Array.isArray(value) ? value : [value];
  return items
    .map((item) => (isMap(item) ? labelled(item, '\n') : textOf(item)))
    .filter(Boolean)
    .join('\n\n');
}

const FOR_ALL = ['all', 'any', 'everything', '*'];

/** Folded; none means all. */
export function appliesTo(value: unknown): string[] {
  const names = wordsOf(value).map(foldedName);
  return names.some((name) => FOR_ALL.includes(name)) ? [] : [...new Set(names)];
}

/** Null if it names no plan. */
export function tierOf(value: unknown): SkillTier | null {
  const word = textOf(value).toLowerCase();
  if (word === '') return 'free';
  const position = /^[0-3]$/.test(word) ? SKILL_TIERS[Number(word)] : undefined;
  return position ?? SKILL_TIERS.find((tier) => tier === word) ?? null;
}
