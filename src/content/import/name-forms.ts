import type { FieldDefinition } from '../template/index.ts';
import { meaningsOf } from './synonyms.ts';
import { wordsOf } from './words.ts';

/** Split once, so that many names can be compared with many. */
export interface NameForms {
  name: string;
  /** Words in order. */
  key: string;
  words: ReadonlySet<string>;
  /** Words sorted, without small ones. */
  unordered: string;
  meanings: ReadonlySet<number>;
}

interface FieldForms extends NameForms {
  /** The key of the field's label. */
  label: string;
}

const SMALL_WORDS: ReadonlySet<string> = new Set(['of', 'the', 'is', 'has']);

export function formsOf(name: string): NameForms {
  const words = wordsOf(name);
  const key = words.join('_');
  const large = words.filter((word) => !SMALL_WORDS.has(word));
  return { name, key, words: new Set(words), unordered: large.sort().join('_'), meanings: meaningsOf(key) };
}

const knownForms = new WeakMap<FieldDefinition, FieldForms>();

/** Built once per field. */
export function fieldForms(field: FieldDefinition): FieldForms {
  const known = knownForms.get(field);
  if (known !== undefined) return known;
  const made = { ...formsOf(field.name), label: formsOf(field.label).key };
  knownForms.set(field, made);
  return made;
}
