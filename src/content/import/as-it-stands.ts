import { isEntityId, nameFromId, newDocumentData, readName } from '../entity/index.ts';
import { createDocument, DocumentError, editDocument, readDocument } from '../frontmatter/index.ts';
import type { TemplateDefinition } from '../template/index.ts';
import { DEFAULT_STATUS, type ImportedText } from './document.ts';
import { mergedText, replacedText } from './into-existing.ts';
import { headingOf } from './name-of-note.ts';
import type { LossReport } from './types.ts';
import { idFromName } from './words.ts';

const NOTHING: ReadonlySet<string> = new Set();

/** The caller's values win over those of the text. */
export interface AskedIdentity {
  entityId?: string | undefined;
  name?: string | undefined;
}

export interface StandingText {
  entity_id: string;
  name: string;
  /** Null if the frontmatter names none. */
  said_type: unknown;
  data: Record<string, unknown>;
  body: string;
  /** Null without frontmatter. */
  text: string | null;
}

/** Undefined if neither the caller nor the text names the entity. Throws DocumentError for unreadable frontmatter. */
export function standingText(given: string, asked: AskedIdentity): StandingText | undefined {
  const read = readDocument(given);
  if (!read.ok && read.problem.code !== 'no_frontmatter') throw new DocumentError(read.problem);
  const data = read.ok ? read.data : {};
  const body = read.ok ? read.body : given.replace(/^\uFEFF/, '');
  const heading = headingOf(body);
  const said = asked.name ?? readName(data)?.name;
  const madeOfName = idFromName(said ?? heading ?? '');
  const entity_id = asked.entityId ?? idSaidIn(data) ?? (isEntityId(madeOfName) ? madeOfName : undefined);
  if (entity_id === undefined) return undefined;
  const name = said ?? (read.ok ? undefined : heading) ?? nameFromId(entity_id);
  return { entity_id, name, said_type: data.entity_type ?? null, data, body, text: read.ok ? given : null };
}

/** Any other id is read as the folder's name. */
const idSaidIn = ({ id }: Record<string, unknown>): string | undefined =>
  typeof id === 'string' && isEntityId(id) ? id : undefined;

/** The text as sent, except for an id or name that the caller asks for. `today` is `YYYY-MM-DD`. */
export function newFileOf(
  template: TemplateDefinition,
  standing: StandingText,
  asked: AskedIdentity,
  today: string,
): string {
  const { entity_id, data, body, text } = standing;
  if (text === null) {
    const newline = /\r\n/.test(body) ? '\r\n' : '\n';
    return createDocument(bareData(template, standing, today), body, newline);
  }
  const set = {
    ...(idSaidIn(data) !== undefined && data.id !== entity_id && { id: entity_id }),
    ...(asked.name !== undefined && readName(data)?.name !== asked.name && nameIn(data, asked.name)),
  };
  return Object.keys(set).length === 0 ? text : editDocument(text, { set });
}

/** Without defaults, which would be facts that nobody stated. */
function bareData(
  template: TemplateDefinition,
  { entity_id, name }: StandingText,
  today: string,
): Record<string, unknown> {
  const made = newDocumentData(template, { entity_id, name, status: DEFAULT_STATUS, fields: {}, today });
  const isDefault = (key: string) =>
    key !== 'name' && key !== 'title' && template.fields.some((field) => field.name === key);
  return Object.fromEntries(Object.entries(made).filter(([key]) => !isDefault(key)));
}

/** The existing file's text after the sent one has replaced it or was merged into it. */
export function intoFileOf(
  template: TemplateDefinition,
  existing: string,
  standing: StandingText,
  options: { mode: 'merge' | 'replace'; asked: AskedIdentity; today: string },
): ImportedText {
  const { mode, asked, today } = options;
  const { data, body, text } = standing;
  if (mode === 'merge') {
    const { id: _id, entity_type: _type, ...said } = data;
    const named = asked.name === undefined ? said : { ...said, ...nameIn(data, asked.name) };
    return mergedText(existing, { said: named, body, today });
  }
  if (text !== null) return { text: newFileOf(template, standing, asked, today), refused: [] };
  return replacedText(existing, { said: bareData(template, standing, today), sets: NOTHING, body, today });
}

/** Under the key that the text uses. */
const nameIn = (data: Record<string, unknown>, name: string): Record<string, unknown> => ({
  [readName(data)?.key ?? 'name']: name,
});

/** Everything of the text is kept. */
export const reportOfStanding = ({ data }: StandingText): LossReport => ({
  kept: Object.keys(data),
  mapped: [],
  kept_aside: [],
  refused: [],
  links: { resolved: 0, unresolved: [] },
  attachments: [],
});
