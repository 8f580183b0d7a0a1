import { nameFromId, newDocumentData, readName } from '../entity/index.ts';
import { createDocument, editDocument, readDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import type { Draft } from './draft.ts';
import { isOurs } from './identify.ts';
import type { Note, Refusal } from './types.ts';

export const DEFAULT_STATUS = 'draft';
const COMMENT = /(?:^|\s)(#.*)$/;

export interface ImportedText {
  text: string;
  /** Comments of lines that had to be rewritten. */
  refused: Refusal[];
}

/**
 * A file that is ours already, or whose frontmatter has comments, is edited and keeps every unaffected line; others are
 * rewritten, without defaults. Throws DocumentError for values that frontmatter cannot carry. `today` is `YYYY-MM-DD`.
 */
export function importedText(
  template: TemplateDefinition,
  draft: Draft,
  note: Note,
  today: string,
): ImportedText {
  const data = frontmatterOf(template, draft, note, today);
  const { text } = note;
  if (text === null || !keepsItsLines(note, template)) {
    const newline = /\r\n/.test(draft.markdown_body) ? '\r\n' : '\n';
    return { text: createDocument(data, draft.markdown_body, newline), refused: [] };
  }
  const read = readDocument(text);
  const keys = read.ok ? Object.keys(read.data) : [];
  const unset = keys.filter((key) => !Object.hasOwn(data, key));
  const edited = editDocument(text, { set: data, unset, body: draft.markdown_body });
  return { text: edited, refused: lostComments(text, edited, note) };
}

function keepsItsLines(note: Note, template: TemplateDefinition): boolean {
  return isOurs(note, template) || headLines(note).some((line) => COMMENT.test(line));
}

const headLines = ({ text, bodyLine }: Note): string[] => (text ?? '').split(/\r?\n/).slice(0, bodyLine - 1);

function lostComments(before: string, after: string, note: Note): Refusal[] {
  if (before === after) return [];
  return headLines(note).flatMap((line, index) => {
    const comment = COMMENT.exec(line)?.[1];
    if (comment === undefined || after.includes(comment)) return [];
    const reason = 'a comment beside a value that was written anew';
    return [{ place: `${note.place}:${index + 1}`, reason, value: comment }];
  });
}

/** In the order of our files, with the values that a new file must have. A file of ours gets no more than the source's. */
export function frontmatterOf(
  template: TemplateDefinition,
  draft: Draft,
  note: Note,
  today: string,
): Record<string, unknown> {
  const { entity_id, name, fields, metadata } = draft;
  const status = draft.status ?? DEFAULT_STATUS;
  const made = newDocumentData(template, { entity_id, name, status, fields, today });
  const ours = isOurs(note, template);
  const isNamed = readName(note.properties)?.name === name || name === nameFromId(entity_id);
  const isSaid = (key: string) => Object.hasOwn(fields, key) || Object.hasOwn(note.properties, key);
  const isMade = ([key]: [string, unknown]) => {
    const isDefault = template.fields.some((field) => field.name === key) && made[key] !== name;
    const readsTheSame = ours && key !== 'id' && !(key === 'name' && !isNamed);
    return isSaid(key) || !(isDefault || readsTheSame);
  };
  return { ...Object.fromEntries(Object.entries(made).filter(isMade)), ...metadata };
}
