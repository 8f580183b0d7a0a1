import { editDocument, readDocument } from '../frontmatter/index.ts';
import { deepEqual, isMap } from '../frontmatter/json.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { frontmatterOf, type ImportedText } from './document.ts';
import type { Draft } from './draft.ts';
import type { Note, Refusal } from './types.ts';

/** What becomes of an entity that is there already. `merge`: what is there stays, and takes what it lacks. */
export type ExistingMode = 'merge' | 'replace';

interface Merging {
  set: Record<string, unknown>;
  body?: string;
  refused: Refusal[];
}

/**
 * The text of an existing entity's file after an import. A merge fills what is empty, joins lists and appends text that
 * is not there yet; a value that is there stays, and the import's other one is refused by name. A replacement takes
 * values and text of the import, and of the file what says which entity it is. Throws DocumentError for a file that
 * cannot be read or values that it cannot carry. `today` is `YYYY-MM-DD`.
 */
export function intoExisting(
  template: TemplateDefinition,
  existing: string,
  draft: Draft,
  note: Note,
  options: { mode: ExistingMode; today: string },
): ImportedText {
  const read = readDocument(existing);
  const data = read.ok ? read.data : {};
  const body = read.ok ? read.body : '';
  const { refused, ...edit } =
    options.mode === 'merge'
      ? merging(data, body, draft)
      : replacing(data, frontmatterOf(template, draft, note, options.today), draft);
  const text = editDocument(existing, edit);
  if (text === existing || !Object.hasOwn(data, 'last_updated')) return { text, refused };
  return { text: editDocument(text, { set: { last_updated: options.today } }), refused };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isMap(value) && Object.keys(value).length === 0);

function merging(data: Record<string, unknown>, body: string, draft: Draft): Merging {
  const result: Merging = { set: {}, ...mergedBody(body, draft.markdown_body), refused: [] };
  const said = {
    ...draft.metadata,
    ...(data.name === undefined && data.title !== undefined ? { title: draft.name } : { name: draft.name }),
    ...(draft.status === null ? {} : { status: draft.status }),
    ...draft.fields,
  };
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

/** Text that the body does not hold yet stands under it. */
function mergedBody(body: string, imported: string): { body?: string } {
  const more = imported.trim();
  if (more === '' || body.includes(more)) return {};
  return { body: body.trim() === '' ? imported : `${body.trimEnd()}\n\n${imported.trimStart()}` };
}

/** Keys that say which entity a file is and since when; a replacement leaves them where the import does not say them. */
const STAYS: ReadonlySet<string> = new Set([
  'id',
  'entity_type',
  'template_version',
  'created_date',
  'last_updated',
]);

function replacing(
  data: Record<string, unknown>,
  said: Record<string, unknown>,
  { markdown_body, metadata, status }: Draft,
): Merging & { unset: string[] } {
  const stays = (key: string) =>
    Object.hasOwn(data, key) &&
    !Object.hasOwn(metadata, key) &&
    (STAYS.has(key) || (key === 'status' && status === null));
  const set = Object.fromEntries(Object.entries(said).filter(([key]) => !stays(key)));
  const unset = Object.keys(data).filter((key) => !Object.hasOwn(said, key) && !stays(key));
  return { set, unset, body: markdown_body, refused: [] };
}
