import { isMap, type JsonMap } from '../../text/json.ts';
import { isLong, jsonMembers } from './json-members.ts';
import { foldersOf, noteOfRecord, titleOfPath } from './source.ts';
import type { ReadItem, SourceText } from './types.ts';

/** They describe the row of an entity in our own JSON; this project's files have their own. */
const ROW_STATE: ReadonlySet<string> = new Set([
  'validation_errors',
  'is_valid',
  'version',
  'checksum',
  'file_checksum',
  'created_at',
  'updated_at',
  'updated_by',
]);
const NAMES = ['name', 'title', 'id', 'entity_id'];

interface Place {
  path: string;
  place: string;
  groups: string[];
}

/** From a list of objects, an object of objects, lists or objects by type, one object, or our own export. */
export function* readJson({ path, text: given }: SourceText): Generator<ReadItem> {
  const text = given.replace(/^\uFEFF/, '');
  const title = titleOfPath(path);
  const groups = title === null ? [] : [title, ...foldersOf(path)];
  yield* readText({ path, place: path === '' ? 'the JSON' : path, groups }, text);
}

/** Members before a fault are imported; a long text is read member by member. */
function* readText(at: Place, text: string): Generator<ReadItem> {
  try {
    if (isLong(text)) yield* readLong(at, text);
    else yield* readValue(at, parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    yield { refused: { place: at.place, reason: `this is no JSON: ${error.message}`, value: text } };
  }
}

function* readLong(at: Place, text: string): Generator<ReadItem> {
  let index = 0;
  for (const { key, text: member } of jsonMembers(text)) {
    const place = key === null ? `${at.place}[${index}]` : `${at.place}: ${key}`;
    index += 1;
    if (isLong(member)) yield* readLongMember({ ...at, place }, key, member);
    else if (key === null) yield readEntry({ ...at, place }, parse(member));
    else yield* readGroup({ ...at, place }, key, parse(member));
  }
}

/** Entities listed by type may be many; one entity is never so long. */
function* readLongMember(at: Place, key: string | null, text: string): Generator<ReadItem> {
  if (key === null) {
    yield { refused: { place: at.place, reason: 'this is too long for one entity', value: text } };
    return;
  }
  let index = 0;
  for (const { key: name, text: member } of jsonMembers(text)) {
    const place = name === null ? `${at.place}[${index}]` : `${at.place}.${name}`;
    const inner = { ...at, place, groups: [key, ...at.groups] };
    index += 1;
    if (isLong(member)) yield* readLongMember(inner, null, member);
    else if (name === null) yield readEntry(inner, parse(member));
    else yield readNamed(inner, name, parse(member));
  }
}

/** Numbers that a double may not hold; only these need the slow way of reading. */
const LONG_NUMBER = /[\d.]{16}|\d[eE]/;

const parse = (text: string): unknown =>
  LONG_NUMBER.test(text) ? JSON.parse(text, exactNumber) : JSON.parse(text);

/** It stays text if a double cannot hold it as written. */
function exactNumber(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  const digits = (text: string) => text.replace(/[-+.]|e.*$/gi, '').replace(/^0+|0+$/g, '');
  return Number.isFinite(value) && digits(context.source) === digits(String(value)) ? value : context.source;
}

function* readValue(at: Place, value: unknown): Generator<ReadItem> {
  if (Array.isArray(value)) yield* readList(at, value);
  else if (!isMap(value)) yield { refused: { place: at.place, reason: 'this is no object', value } };
  else if (isEntity(value)) yield readEntity(at, value);
  else if (NAMES.some((key) => Object.hasOwn(value, key)))
    yield { note: noteOfRecord(at, Object.entries(value)) };
  else yield* readGroups(at, value);
}

function* readList(at: Place, list: readonly unknown[]): Generator<ReadItem> {
  for (const [index, entry] of list.entries())
    yield readEntry({ ...at, place: `${at.place}[${index}]` }, entry);
}

function readEntry(at: Place, entry: unknown): ReadItem {
  if (!isMap(entry)) return { refused: { place: at.place, reason: 'this is no object', value: entry } };
  return isEntity(entry) ? readEntity(at, entry) : { note: noteOfRecord(at, Object.entries(entry)) };
}

const holdsObjects = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(isMap)
    : isMap(value) && Object.values(value).length > 0 && Object.values(value).every(isMap);

/** An object without a name maps types to their entities, or names of entities to their values. */
function* readGroups(at: Place, value: JsonMap): Generator<ReadItem> {
  const entries = Object.entries(value);
  const isGrouped = entries.some(([, entry]) => holdsObjects(entry));
  if (!isGrouped && !(entries.length > 0 && entries.every(([, entry]) => isMap(entry)))) {
    yield { note: noteOfRecord(at, entries) };
    return;
  }
  for (const [key, entry] of entries)
    yield* readGroup({ ...at, place: `${at.place}: ${key}` }, key, entry, isGrouped);
}

/** A type with its entities, or an entity. */
function* readGroup(at: Place, key: string, entry: unknown, isGrouped = true): Generator<ReadItem> {
  const inner = { ...at, groups: [key, ...at.groups] };
  if (isGrouped && holdsObjects(entry))
    yield* Array.isArray(entry) ? readList(inner, entry) : named(inner, entry as JsonMap);
  else if (isMap(entry)) yield keyed(at, key, entry);
  else yield foreign(at, entry);
}

function* named(at: Place, map: JsonMap): Generator<ReadItem> {
  for (const [key, entry] of Object.entries(map))
    yield readNamed({ ...at, place: `${at.place}.${key}` }, key, entry);
}

const readNamed = (at: Place, key: string, entry: unknown): ReadItem =>
  isMap(entry) ? keyed(at, key, entry) : foreign(at, entry);

const foreign = (at: Place, value: unknown): ReadItem => ({
  refused: { place: at.place, reason: 'this belongs to no entity', value },
});

function keyed(at: Place, key: string, entry: JsonMap): ReadItem {
  if (isEntity(entry)) return readEntity(at, entry);
  const hasName = NAMES.slice(0, 2).some((name) => Object.hasOwn(entry, name));
  const own = Object.entries(entry);
  return { note: noteOfRecord(at, hasName ? own : [['name', key] as const, ...own]) };
}

/** As in API replies (spec 1 §2.1). */
const isEntity = (value: JsonMap): boolean =>
  typeof value.entity_type === 'string' && typeof value.entity_id === 'string' && isMap(value.fields);

function readEntity(at: Place, entity: JsonMap): ReadItem {
  const { entity_id, fields, ...rest } = entity;
  const { markdown_body } = entity;
  const body = typeof markdown_body === 'string' ? markdown_body : '';
  const isTaken = (key: string, value: unknown) => key === 'markdown_body' && value === body;
  const own = Object.entries(rest).filter(
    ([key, value]) => !ROW_STATE.has(key) && value !== null && !isTaken(key, value),
  );
  const note = noteOfRecord(at, [['id', entity_id], ...own, ...Object.entries(fields as JsonMap)], body);
  for (const [key, value] of Object.entries(rest)) {
    if (ROW_STATE.has(key))
      note.refused.push({
        place: key,
        reason: 'is counted anew by the project that takes it in',
        value,
        property: key,
      });
  }
  return { note };
}
