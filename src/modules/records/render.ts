import { canonicalContent, entityFromDocument } from '../../content/entity/index.ts';
import type { EntityContent } from '../../content/entity/types.ts';
import { type DocumentProblem, type ReadDocument, readDocument } from '../../content/frontmatter/index.ts';
import { entitySearchText } from '../../content/search-text.ts';
import type { TemplateDefinition } from '../../content/template/index.ts';
import { checksumOf } from '../../kit/crypto.ts';
import type { SearchText } from '../../platform/database/dialect.ts';
import type { ChangeSource } from './records.tables.ts';

/** An entity's file as the database keeps it, all but what only the database knows (version, times, author). */
export interface EntityState {
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  is_valid: boolean;
  /** From the file's `created_date`; null when it has none. */
  created_at: string | null;
  path: string;
  head: string;
  checksum: string;
  file_checksum: string;
  /** The reply's JSON text without its closing brace; the stamp follows. */
  jsonStart: string;
  search: SearchText;
}

/** What the database adds to an entity: how often, when and by whom it was changed. */
export interface EntityStamp {
  version: number;
  created_at: string;
  updated_at: string;
  updated_by: string | null;
  source: ChangeSource;
}

export type EntityFile =
  | { ok: true; document: ReadDocument; content: EntityContent; state: EntityState }
  | { ok: false; problem: DocumentProblem };

/** The name of the folder that a file lies in. */
export const folderNameOf = (path: string): string => path.split('/').at(-2) ?? '';

const DATE = /^\d{4}-\d{2}-\d{2}/;

/**
 * Reads the text of an entity's file with its template. Pure; saves and the import's worker use it alike.
 * `checksum` is that of the file's bytes.
 */
export function readEntityFile(
  template: TemplateDefinition,
  file: { path: string; text: string; checksum: string },
): EntityFile {
  const document = readDocument(file.text);
  if (!document.ok) return document;
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
    jsonStart: replyStart(content),
    search: entitySearchText(content),
  };
  return { ok: true, document, content, state };
}

function replyStart(content: EntityContent): string {
  const reply = {
    entity_type: content.entity_type,
    entity_id: content.entity_id,
    name: content.name,
    status: content.status,
    fields: content.fields,
    markdown_body: content.markdown_body,
    primary_asset: content.primary_asset,
    validation_errors: content.validation_errors,
    is_valid: content.is_valid,
    production_status: content.production_status ?? null,
    template_version: content.template_version,
  };
  return JSON.stringify(reply).slice(0, -1);
}

/** The reply's whole text, ready to send. */
export const entityJson = (state: EntityState, stamp: EntityStamp): string =>
  `${state.jsonStart},"version":${stamp.version},"checksum":"${state.checksum}","file_checksum":"${state.file_checksum}",` +
  `"created_at":${JSON.stringify(stamp.created_at)},"updated_at":${JSON.stringify(stamp.updated_at)},` +
  `"updated_by":${JSON.stringify(stamp.updated_by)}}`;
