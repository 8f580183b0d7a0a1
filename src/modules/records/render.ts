import { canonicalContent } from '../../content/canonical.ts';
import type { EntityContent } from '../../content/entity/types.ts';
import { entitySearchText } from '../../content/search-text.ts';
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

/** Renders a parsed entity file. Pure; used by saves and by the import's worker alike. */
export function renderEntity(
  content: EntityContent,
  file: { path: string; head: string; checksum: string },
): EntityState {
  const { entity_type, entity_id, name, status, is_valid } = content;
  const reply = {
    entity_type,
    entity_id,
    name,
    status,
    fields: content.fields,
    markdown_body: content.markdown_body,
    primary_asset: content.primary_asset,
    validation_errors: content.validation_errors,
    is_valid,
    production_status: content.production_status ?? null,
    template_version: content.template_version,
  };
  return {
    entity_type,
    entity_id,
    name,
    status,
    is_valid,
    path: file.path,
    head: file.head,
    checksum: checksumOf(canonicalContent(content.own_fields, content.markdown_body)),
    file_checksum: file.checksum,
    jsonStart: JSON.stringify(reply).slice(0, -1),
    search: entitySearchText(content),
  };
}

/** The reply's whole text, ready to send. */
export const entityJson = (state: EntityState, stamp: EntityStamp): string =>
  `${state.jsonStart},"version":${stamp.version},"checksum":"${state.checksum}","file_checksum":"${state.file_checksum}",` +
  `"created_at":${JSON.stringify(stamp.created_at)},"updated_at":${JSON.stringify(stamp.updated_at)},` +
  `"updated_by":${JSON.stringify(stamp.updated_by)}}`;
