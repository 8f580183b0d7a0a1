import { deepEqual, isMap } from '../../text/json.ts';
import { editDocument, readDocument, splitDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { frontmatterOf, type ImportedText } from './document.ts';
import type { Draft } from './draft.ts';
import type { Note, Refusal } from './types.ts';

/** `merge`: the entity keeps its values and gains those that it lacks. */
export type ExistingMode = 'merge' | 'replace';

interface Edit {
  set: Record<string, unknown>;
  unset?: string[];
  body?: string;
}

/** `today` is `YYYY-MM-DD`. */
interface Said {
  said: Record<string, unknown>;
  body: string;
  today: string;
}

/**
 * A merge fills what is empty, joins lists and appends new text; a value that is there stays, and the import's is refused
 * by name. A replacement keeps only what identifies the entity. Throws DocumentError for an unreadable file or unwritable
 * values. `today` is `YYYY-MM-DD`.
 */
export function intoExisting(
  template: TemplateDefinition,
  existing: string,
  draft: Draft,
  note: Note,
  options: { mode: ExistingMode; today: string },
): ImportedText {
  const { today } = options;
  const { markdown_body: body, metadata, status } = draft;
  if (options.mode === 'replace') {
    const sets = new Set([...Object.keys(metadata), ...(status === null ? [] : ['status'])]);
    return replacedText(existing, { said: frontmatterOf(template, draft, note, today), sets, body, today });
  }
  const read = readDocument(existing);
  const isTitled = read.ok && read.data.name === undefined && read.data.title !== undefined;
  const said = {
    ...metadata,
    [isTitled ? 'title' : 'name']: draft.name,
    ...(status === null ? {} : { status }),
    ...draft.fields,
  };
  return mergedText(existing, { said, body, today });
}

/** Values that are there stay; the import's other ones are refused by name. */
export function mergedText(existing: string, { said, body, today }: Said): ImportedText {
  const read = readDocument(existing);
  const { set, refused } = merging(read.ok ? read.data : {}, said);
  const edit = { set, ...mergedBody(splitDocument(existing).body, body) };
  return { text: dated(existing, edit, today), refused };
}

/** `sets` holds the keys that the import itself sets, whatever the file has there. */
export function replacedText(
  existing: string,
  { said, sets, body, today }: Said & { sets: ReadonlySet<string> },
): ImportedText {
  const read = readDocument(existing);
  const edit = { ...replacing(read.ok ? read.data : {}, said, sets), body };
  return { text: dated(existing, edit, today), refused: [] };
}

function dated(existing: string, edit: Edit, today: string): string {
  const text = editDocument(existing, edit);
  const read = readDocument(existing);
  const isDated = read.ok && Object.hasOwn(read.data, 'last_updated');
  return text === existing || !isDated ? text : editDocument(text, { set: { last_updated: today } });
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && Object.keys(value).length === 0);

function merging(
  data: Record<string, unknown>,
  said: Record<string, unknown>,
): { set: Record<string, unknown>; refused: Refusal[] } {
  const result: ReturnType<typeof merging> = { set: {}, refused: [] };
  for (const [key, value] of Object.entries(said)) {
    const present = data[key];
    if (isEmpty(value) || deepEqual(present, value)) continue;
    if (isEmpty(present)) result.set[key] = value;
    else if (Array.isArray(present) && Array.isArray(value)) {
      const more = value.filter((entry) => !present.some((other) => deepEqual(other, entry)));
      if (more.length > 0) result.set[key] = [...present, ...more];
    } else
      result.refused.push({ place: key, reason: 'the entity says otherwise, and keeps what it says', value });
  }
  return result;
}

/** New text is appended. */
function mergedBody(body: string, imported: string): { body?: string } {
  const more = imported.trim();
  if (more === '' || body.includes(more)) return {};
  return { body: body.trim() === '' ? imported : `${body.trimEnd()}\n\n${imported.trimStart()}` };
}

/** They identify the entity; a replacement leaves them unless the import states them. */
const STAYS: ReadonlySet<string> = new Set([
  'id',
  'entity_type',
  'template_version',
  'created_date',
  'last_updated',
  'status',
]);

function replacing(
  data: Record<string, unknown>,
  said: Record<string, unknown>,
  sets: ReadonlySet<string>,
): { set: Record<string, unknown>; unset: string[] } {
  const stays = (key: string) => Object.hasOwn(data, key) && !sets.has(key) && STAYS.has(key);
  const set = Object.fromEntries(Object.entries(said).filter(([key]) => !stays(key)));
  const unset = Object.keys(data).filter((key) => !Object.hasOwn(said, key) && !stays(key));
  return { set, unset };
}
