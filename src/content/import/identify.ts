import { isEntityId } from '../entity/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import type { TypeChoices } from './asked-types.ts';
import { type NoteName, nameOfNote } from './name-of-note.ts';
import { areSynonyms } from './synonyms.ts';
import type { Targets } from './targets.ts';
import { type Templates, type TypeGuess, typeOfNote, typeWordsOf } from './type-of-note.ts';
import { type Mapping, type Note, type Refusal, SURE, type UntypedNote } from './types.ts';
import { idFromName } from './words.ts';

/** A field, an attribute or a key; null keeps a property as it is. */
export type AskedMapping = ReadonlyMap<string, string | null>;

/** Decided before the note's values are looked at. */
export interface Identified {
  note: Note;
  name: NoteName;
  type: TypeGuess;
  template: TemplateDefinition;
  entity_id: string;
  /** Taken by another note of the same import. */
  wanted_id: string | null;
}

export interface IdentifyOptions {
  templates: Templates;
  /** Of every note; undefined: as each says. */
  entityType?: string | undefined;
  /** Of notes that say nothing. */
  defaultType?: string | undefined;
  /** Of some of the notes; they count before `entityType`. */
  choices?: TypeChoices | undefined;
  mapping: AskedMapping;
}

const LONGEST_ID = 100;

/** Decides type, name and id of each note in turn; no id is used twice. */
export function createIdentifier(options: IdentifyOptions): (note: Note) => Identified | NotIdentified {
  const { templates, entityType, defaultType, choices, mapping } = options;
  const words = typeWordsOf(templates);
  const used = new Set<string>();
  const latest = new Map<string, number>();

  /** The id, or the next free number after it. */
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

  /** Or the candidates, if the note does not decide. */
  const typeOf = (note: Note): Typing => {
    const chosen = choices?.of(note);
    if (chosen === null) return { isLeftOut: true };
    const asked = chosen ?? entityType;
    if (asked !== undefined) return { type: { entity_type: asked, confidence: 1, reason: 'asked for' } };
    const told = typeOfNote(note, templates, words);
    if (told !== undefined && told.confidence >= SURE) return { type: told };
    if (defaultType === undefined) return { proposed: told };
    const reason = 'asked for where a note does not say its type';
    return { type: { entity_type: defaultType, confidence: 1, reason } };
  };

  return (note) => {
    const { type, proposed, isLeftOut } = typeOf(note);
    if (isLeftOut) return { untyped: { place: note.place, code: 'left_out' } };
    const template = type && templates.get(type.entity_type);
    if (type === undefined || template === undefined)
      return notIdentified(note, { type, proposed }, templates);
    const name = nameOfNote(note, askedName(mapping));
    const wanted = ownIdOf(note) ?? (idFromName(name.name) || template.entity_type);
    const base = isEntityId(wanted) ? wanted : `${template.entity_type}_${wanted}`.slice(0, LONGEST_ID);
    const id = freeId(template.entity_type, base);
    return { note, name, type, template, entity_id: id, wanted_id: id === base ? null : base };
  };
}

const askedName = (mapping: AskedMapping): string | undefined =>
  [...mapping.keys()].find((from) => mapping.get(from) === 'name');

interface Typing {
  type?: TypeGuess | undefined;
  proposed?: TypeGuess | undefined;
  isLeftOut?: boolean;
}

/** A note that was left out is not refused. */
export interface NotIdentified {
  refused?: Refusal;
  untyped?: UntypedNote;
}

function notIdentified(note: Note, { type, proposed }: Typing, templates: Templates): NotIdentified {
  const known = [...templates.keys()].join(', ');
  const value = { ...note.properties, markdown_body: note.body };
  if (type !== undefined) {
    const reason = `there is no entity type '${type.entity_type}' in this project (there are ${known})`;
    return { refused: { place: note.place, reason, value } };
  }
  const perhaps = proposed === undefined ? 'nothing says what type this is' : perhapsOf(proposed);
  const reason = `${perhaps}: name one (${known}), or give it a property type, a tag or a folder of that name`;
  const guess = proposed && {
    proposed: { to: proposed.entity_type, confidence: proposed.confidence, reason: proposed.reason },
  };
  const { place } = note;
  return { refused: { place, reason, value, ...guess }, untyped: { place, code: 'no_type', ...guess } };
}

const perhapsOf = ({ entity_type, confidence, reason }: TypeGuess): string =>
  `this may be a ${entity_type} (${Math.round(confidence * 100)} %: ${reason}), which is not sure enough`;

/** Undefined if the name makes a better one. */
function ownIdOf({ properties }: Note): string | undefined {
  for (const key of ['id', 'entity_id']) {
    const id = properties[key];
    if (typeof id === 'string' && isEntityId(id) && /[a-z]/.test(id)) return id;
  }
  return undefined;
}

/** The source's keys that became type and id, if they differ from ours. */
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

/** By its names and by its path. */
export function addTarget(targets: Targets, identified: Identified): void {
  const { note, template, entity_id } = identified;
  const target = { entity_type: template.entity_type, entity_id };
  targets.add(target, namesOf(identified));
  if (note.title !== null) targets.addNote(target, note.path);
}

function namesOf({ note, name, entity_id }: Identified): string[] {
  const { title, properties } = note;
  const listed = Object.keys(properties)
    .filter((key) => areSynonyms(key, 'aliases'))
    .flatMap((key) => properties[key]);
  const ids = [properties.id, properties.entity_id].filter(
    (id) => typeof id === 'string' || typeof id === 'number',
  );
  const texts = [...listed, ...ids].filter((text) => typeof text === 'string' || typeof text === 'number');
  return [name.name, entity_id, ...(title === null ? [] : [title]), ...texts.map(String)];
}

/** Such a file is taken as it is, with the fewest edits. */
export const isOurs = ({ properties }: Note, template: TemplateDefinition): boolean =>
  properties.entity_type === template.entity_type && properties.id !== undefined;
