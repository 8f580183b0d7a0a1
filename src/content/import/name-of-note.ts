import { nameFromId } from '../entity/index.ts';
import { isPlaceholder } from '../template/index.ts';
import { areSynonyms } from './synonyms.ts';
import type { Note } from './types.ts';
import { keyOf } from './words.ts';

export interface NoteName {
  name: string;
  /** Null if the file's name, a heading or the place is the name. */
  property: string | null;
}

const LONGEST_NAME = 500;
const HEADING = /^#[ \t]+(.{1,1000})/m;

const usable = (value: unknown): value is string | number =>
  typeof value === 'number' ||
  (typeof value === 'string' &&
    value.trim() !== '' &&
    !isPlaceholder(value) &&
    value.trim().length <= LONGEST_NAME &&
    !value.includes('\n'));

/** From the property that the caller names, the note's name property, its file, its first heading, else its place. */
export function nameOfNote(note: Note, asked?: string): NoteName {
  const { properties, title, body } = note;
  const property = [asked, ...nameKeys(properties)].find(
    (key) => key !== undefined && usable(properties[key]),
  );
  if (property !== undefined) return { name: String(properties[property]).trim(), property };
  const { id } = properties;
  if (typeof id === 'string' && usable(id) && typeof properties.entity_type === 'string')
    return { name: nameFromId(id), property: null };
  const name = ([title, headingOf(body), firstText(properties)].find(usable) ?? note.place)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return { name: name.slice(0, LONGEST_NAME), property: null };
}

/** Only if it can be a name. */
export function headingOf(body: string): string | undefined {
  const heading = HEADING.exec(body)?.[1]
    ?.replace(/[ \t#]+$/, '')
    .trim();
  return usable(heading) ? heading : undefined;
}

/** `name` before `title` before other words for it. */
function nameKeys(properties: Record<string, unknown>): string[] {
  const rank = (key: string) => ['name', 'title'].toReversed().indexOf(keyOf(key));
  return Object.keys(properties)
    .filter((key) => areSynonyms(key, 'name'))
    .sort((a, b) => rank(b) - rank(a));
}

function firstText(properties: Record<string, unknown>): string | undefined {
  return Object.values(properties).find(
    (value): value is string => typeof value === 'string' && usable(value),
  );
}
