import { canonicalContent, entityFromDocument, questionsOf } from '../../content/entity/index.ts';
import type { EntityContent, ReferenceQuestion, ValidationError } from '../../content/entity/types.ts';
import { type DocumentProblem, type ReadDocument, readDocument } from '../../content/frontmatter/index.ts';
import { type Reference, referencesOf } from '../../content/references/index.ts';
import { entitySearchText } from '../../content/search-text.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { SearchText } from '../../platform/database/dialect.ts';
import type { ChangeSource } from './change-source.ts';

/** An entity's file in the form of the database, without version, times and author. */
export interface EntityState {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  is_valid: boolean;
  /** From the file's `created_date`; null if it has none. */
  created_at: string | null;
  path: string;
  head: string;
  checksum: string;
  file_checksum: string;
  /** The reply's JSON text around `validation_errors` and `is_valid`, without its closing brace; the stamp follows. */
  jsonStart: string;
  jsonEnd: string;
  /** The errors that are known without other entities. Those of a template's row have a shape of their own. */
  validation_errors: readonly Readonly<Partial<ValidationError>>[];
  /** Questions of its rules about other entities, which are answered when the state is stored. */
  questions: readonly ReferenceQuestion[];
  search: SearchText;
  references: readonly Reference[];
}

export interface EntityStamp {
  version: number;
  created_at: string;
  updated_at: string;
  updated_by: string | null;
  source: ChangeSource;
  /** The operation of the change, if it is part of one. */
  operation_id?: string | null;
  /** The plugins that had a part in it, with commas between them. */
  via?: string | null;
}

export type EntityFile =
  | { ok: true; document: ReadDocument; content: EntityContent; state: EntityState }
  | { ok: false; problem: DocumentProblem };

export const folderNameOf = (path: string): string => path.split('/').at(-2) ?? '';

const DATE = /^\d{4}-\d{2}-\d{2}/;

/** Pure: saves and the import's worker use it alike. `checksum` is that of the file's bytes. */
export function readEntityFile(
  template: TemplateDefinition,
  file: { path: string; text: string; checksum: string },
): EntityFile {
  const document = readDocument(file.text);
  return document.ok ? entityOfDocument(template, { ...file, document }) : document;
}

/** The content of an entity's file, without stored data; undefined for an unreadable text. */
export function readEntityContent(
  template: TemplateDefinition,
  file: { path: string; text: string },
): EntityContent | undefined {
  const document = readDocument(file.text);
  return document.ok
    ? entityFromDocument(template, { ...document, folderId: folderNameOf(file.path) })
    : undefined;
}

export function entityOfDocument(
  template: TemplateDefinition,
  file: { path: string; document: ReadDocument; checksum: string },
): EntityFile & { ok: true } {
  const { document } = file;
  const { data, body, lineOf } = document;
  const content = entityFromDocument(template, { data, body, folderId: folderNameOf(file.path), lineOf });
  const created =
    typeof data.created_date === 'string' && DATE.test(data.created_date) ? data.created_date : null;
  const state: EntityState = {
    entity_type: content.entity_type,
    entity_id: content.entity_id,
    name: content.name,
    status: content.status,
    is_valid: content.is_valid,
    created_at: created && `${created.slice(0, 10)}T00:00:00.000Z`,
    path: file.path,
    head: document.head,
    checksum: checksumOf(canonicalContent(content.fields, content.markdown_body)),
    file_checksum: file.checksum,
    ...replyTexts(content),
    validation_errors: content.validation_errors,
    questions: questionsOf(template, content, lineOf),
    search: entitySearchText(content),
    references: referencesOf(template, content),
  };
  return { ok: true, document, content, state };
}

type ReplyParts = Pick<
  EntityContent,
  | 'entity_type'
  | 'entity_id'
  | 'name'
  | 'status'
  | 'markdown_body'
  | 'primary_asset'
  | 'production_status'
  | 'template_version'
> & { fields: object };

/** The parts of a reply that come from the file, as JSON text before and after the validation errors. */
export function replyTexts(content: ReplyParts): Pick<EntityState, 'jsonStart' | 'jsonEnd'> {
  const start = {
    entity_type: content.entity_type,
    entity_id: content.entity_id,
    name: content.name,
    status: content.status,
    fields: content.fields,
    markdown_body: content.markdown_body,
    primary_asset: content.primary_asset,
  };
  const end = {
    production_status: content.production_status ?? null,
    template_version: content.template_version,
  };
  return { jsonStart: JSON.stringify(start).slice(0, -1), jsonEnd: JSON.stringify(end).slice(1, -1) };
}

export const contentJson = (state: EntityState): string => `${unstamped(state)}}`;

const unstamped = ({ jsonStart, validation_errors: errors, is_valid, jsonEnd }: EntityState): string =>
  `${jsonStart},"validation_errors":${JSON.stringify(errors)},"is_valid":${is_valid},${jsonEnd}`;

export const entityJson = (state: EntityState, stamp: EntityStamp): string =>
  `${unstamped(state)},"version":${stamp.version},"checksum":"${state.checksum}","file_checksum":"${state.file_checksum}",` +
  `"created_at":${JSON.stringify(stamp.created_at)},"updated_at":${JSON.stringify(stamp.updated_at)},` +
  `"updated_by":${JSON.stringify(stamp.updated_by)}}`;

/** Quotes within texts are escaped, so the last key of that name is the right one. */
const versionAt = (json: string): number => json.lastIndexOf('"version":');

const STAMP_PATTERN = /"version":(\d+),"checksum":"[^"]*","file_checksum":"([^"]*)"/y;

const IS_VALID = '"is_valid":';

/** The version, the file's checksum and the validity in a stored reply's text. */
export function stampIn(json: string): { version: number; file_checksum: string; is_valid: boolean } {
  const at = versionAt(json);
  STAMP_PATTERN.lastIndex = at;
  const [, version, checksum = ''] = STAMP_PATTERN.exec(json) ?? [];
  const isValid = json.startsWith('true', json.lastIndexOf(IS_VALID, at) + IS_VALID.length);
  return { version: Number(version), file_checksum: checksum, is_valid: isValid };
}

/** A stored reply's text with another version. */
export function withVersion(json: string, version: number): string {
  const at = versionAt(json);
  return json.slice(0, at) + json.slice(at).replace(/\d+/, String(version));
}

export const fileTextOf = (document: { json: string; head: string }): string =>
  document.head + (JSON.parse(document.json) as { markdown_body: string }).markdown_body;
