import type { TemplateDefinition } from '../template/index.ts';
import { areSynonyms, wordsForType } from './synonyms.ts';
import type { Note } from './types.ts';
import { keyOf } from './words.ts';

/** Confidence is from 0 to 1. `property` named the type. */
export interface TypeGuess {
  entity_type: string;
  confidence: number;
  reason: string;
  property?: string;
}

export type Templates = ReadonlyMap<string, TemplateDefinition>;

/** By the words that notes use. */
export type TypeWords = ReadonlyMap<string, string>;

const TYPE_PROPERTIES = ['entity_type', 'type', 'category', 'kind', 'class', 'note_type'];

/** A type's own name wins over a word for another. */
export function typeWordsOf(templates: Templates): TypeWords {
  const words = new Map<string, string>();
  const add = (word: string, type: string) => {
    const key = keyOf(word);
    if (key !== '' && !words.has(key)) words.set(key, type);
  };
  for (const type of templates.keys()) add(type, type);
  for (const { entity_type: type, label, folder_name: folder } of templates.values()) {
    for (const word of [folder, label, `${type}s`, `${label}s`]) add(word, type);
  }
  for (const type of templates.keys()) for (const word of wordsForType(type)) add(word, type);
  return words;
}

/** By property, tag, place or fields; undefined if nothing tells. */
export function typeOfNote(note: Note, templates: Templates, words: TypeWords): TypeGuess | undefined {
  return (
    byProperty(note, words) ??
    byPlace(note, words, templates) ??
    byTag(note, words) ??
    byFields(note, templates)
  );
}

function byProperty({ properties }: Note, words: TypeWords): TypeGuess | undefined {
  for (const property of TYPE_PROPERTIES) {
    const key = Object.keys(properties).find((name) => keyOf(name) === property);
    if (key === undefined) continue;
    const given = properties[key];
    const [value] = Array.isArray(given) ? given : [given];
    if (typeof value !== 'string') continue;
    const type = words.get(keyOf(value));
    if (type === undefined) continue;
    const confidence = property === 'entity_type' && value === type ? 1 : 0.95;
    return { entity_type: type, confidence, reason: `${key}: ${value}`, property: key };
  }
  return undefined;
}

/** A folder with a type's own name decides for everything in it; a synonym is less certain the farther away it is. */
function byPlace({ groups }: Note, words: TypeWords, templates: Templates): TypeGuess | undefined {
  for (const [distance, group] of groups.entries()) {
    const type = words.get(keyOf(group));
    if (type === undefined) continue;
    const isOwn = [type, templates.get(type)?.folder_name ?? ''].map(keyOf).includes(keyOf(group));
    const confidence = isOwn ? 0.9 : Math.max(0.6, 0.9 - distance * 0.1);
    return { entity_type: type, confidence, reason: `it lies in ${group}` };
  }
  return undefined;
}

/** `#character`, `#type/character` and `#character/hero`. */
function byTag({ tags, properties }: Note, words: TypeWords): TypeGuess | undefined {
  const given = properties.tags ?? properties.tag;
  const listed = (Array.isArray(given) ? given : String(given ?? '').split(/[\s,]+/)).map(String);
  for (const tag of [...listed, ...tags]) {
    for (const part of tag.replace(/^#/, '').split('/')) {
      const type = words.get(keyOf(part));
      if (type !== undefined)
        return { entity_type: type, confidence: 0.8, reason: `the tag #${tag.replace(/^#/, '')}` };
    }
  }
  return undefined;
}

/** One type that has clearly more of the note's properties as fields than all others. */
function byFields({ properties }: Note, templates: Templates): TypeGuess | undefined {
  const names = Object.keys(properties);
  const scores = [...templates.values()]
    .map((template) => ({ type: template.entity_type, score: overlap(names, template) }))
    .sort((a, b) => b.score - a.score);
  const [best, second] = scores;
  if (best === undefined || best.score < 2 || best.score <= (second?.score ?? 0)) return undefined;
  const confidence = Math.min(0.6, 0.3 + 0.3 * (best.score / names.length));
  return { entity_type: best.type, confidence, reason: `its properties fit the fields of ${best.type} best` };
}

function overlap(names: readonly string[], { fields }: TemplateDefinition): number {
  const known = new Set(fields.map((field) => keyOf(field.name)));
  return names.reduce((sum, name) => {
    if (known.has(keyOf(name))) return sum + 1;
    return sum + (fields.some((field) => areSynonyms(name, field.name)) ? 0.5 : 0);
  }, 0);
}
