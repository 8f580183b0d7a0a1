import { isEntityId } from '../entity/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { type NoteName, nameOfNote } from './name-of-note.ts';
import { areSynonyms } from './synonyms.ts';
import type { Target } from './targets.ts';
import { type Templates, type TypeGuess, typeOfNote, typeWordsOf } from './type-of-note.ts';
import type { Mapping, Note, Refusal } from './types.ts';
import { idFromName } from './words.ts';

/** Where the caller says that properties go: a field, an attribute or a key; null keeps a property as it is. */
export type AskedMapping = ReadonlyMap<string, string | null>;

/** A note with all that is decided about it before its values are looked at. */
export interface Identified {
  note: Note;
  name: NoteName;
  type: TypeGuess;
  template: TemplateDefinition;
  entity_id: string;
  /** The id that another note of the same import has already. */
  wanted_id: string | null;
}

export interface IdentifyOptions {
  templates: Templates;
  /** The type of every note; undefined: as each says. */
  entityType?: string | undefined;
  /** The type of notes that say nothing. */
  defaultType?: string | undefined;
  mapping: AskedMapping;
}

const LONGEST_ID = 100;

/** Decides type, name and id of one note after the other; ids are made of names, each once. */
export function createIdentifier(
  options: IdentifyOptions,
): (note: Note) => Identified | { refused: Refusal } {
  const { templates, entityType, defaultType, mapping } = options;
  const words = typeWordsOf(templates);
  const used = new Set<string>();
  const latest = new Map<string, number>();

  /** The id, or the next number after it that is free. */
  const freeId = (type: string, base: string): string => {
    for (let number = latest.get(`${type}/${base}`) ?? 1; ; number += 1) {
      const suffix = number === 1 ? '' : `_${number}`;
      const id = `${base.slice(0, LONGEST_ID - suffix.length)}${suffix}`;
      if (used.has(`${type}/${id}`)) continue;
      used.add(`${type}/${id}`);
      latest.set(`${type}/${base}`, number + 1);
      return id;
    }
  };

  const guess = (note: Note): TypeGuess | undefined => {
    if (entityType !== undefined) return { entity_type: entityType, confidence: 1, reason: 'asked for' };
    const told = typeOfNote(note, templates, words);
    if (told !== undefined || defaultType === undefined) return told;
    return { entity_type: defaultType, confidence: 0.5, reason: 'the type of notes that say nothing' };
  };

  return (note) => {
    const type = guess(note);
    const template = type && templates.get(type.entity_type);
    if (type === undefined || template === undefined) return { refused: untyped(note, type, templates) };
    const name = nameOfNote(note, askedName(mapping));
    const wanted = ownIdOf(note) ?? (idFromName(name.name) || template.entity_type);
    const base = isEntityId(wanted) ? wanted : `${template.entity_type}_${wanted}`.slice(0, LONGEST_ID);
    const id = freeId(template.entity_type, base);
    return { note, name, type, template, entity_id: id, wanted_id: id === base ? null : base };
  };
}

const askedName = (mapping: AskedMapping): string | undefined =>
  [...mapping.keys()].find((from) => mapping.get(from) === 'name');

function untyped(note: Note, type: TypeGuess | undefined, templates: Templates): Refusal {
  const known = [...templates.keys()].join(', ');
  const reason =
    type === undefined
      ? `nothing says what type this is: name one (${known}), or give it a property type, a tag or a folder of that name`
      : `there is no entity type '${type.entity_type}' in this project (there are ${known})`;
  return { place: note.place, reason, value: { ...note.properties, markdown_body: note.body } };
}

/** The id that a source gives its note; undefined where the name makes a better one. */
function ownIdOf({ properties }: Note): string | undefined {
  for (const key of ['id', 'entity_id']) {
    const id = properties[key];
    if (typeof id === 'string' && isEntityId(id) && /[a-z]/.test(id)) return id;
  }
  return undefined;
}

/** How a source's own keys became type and id, where they are not simply as in our files. */
export function identityMapping(
  { entity_id, type }: Identified,
  from: string,
  value: unknown,
): Mapping | 'kept' | undefined {
  if (from === 'entity_type' && value === type.entity_type) return 'kept';
  if (value !== entity_id) return undefined;
  if (from === 'id') return 'kept';
  return from === 'entity_id' ? { from, to: 'id', confidence: 1, reason: 'the id' } : undefined;
}

/** The names by which links may mean a note. */
export function namesOf({ note, name, entity_id }: Identified): string[] {
  const { path, title, properties } = note;
  const listed = Object.keys(properties)
    .filter((key) => areSynonyms(key, 'aliases'))
    .flatMap((key) => properties[key]);
  const ids = [properties.id, properties.entity_id].filter(
    (id) => typeof id === 'string' || typeof id === 'number',
  );
  const texts = [...listed, ...ids].filter((text) => typeof text === 'string' || typeof text === 'number');
  const file = title === null ? [] : [title, path.replace(/\.[^./]+$/, '')];
  return [name.name, entity_id, ...file, ...texts.map(String)];
}

export const targetOf = ({ template, entity_id }: Identified): Target => ({
  entity_type: template.entity_type,
  entity_id,
});

/** Whether a file has our own shape already: it is taken as it is, and only what must change is edited. */
export const isOurs = ({ properties }: Note, template: TemplateDefinition): boolean =>
  properties.entity_type === template.entity_type && properties.id !== undefined;
