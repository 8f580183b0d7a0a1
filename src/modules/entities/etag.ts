import { stale } from '../../kit/errors.ts';
import { type HeaderValue, headerNames } from '../../kit/http/etag.ts';
import type { EntityRow } from '../records/records.tables.ts';

export type Tagged = Pick<EntityRow, 'version' | 'file_checksum'>;

/** Names one state of an entity: its version and the start of its file's hash. */
export const etagOf = (row: Tagged): string => `"${row.version}-${row.file_checksum.slice(7, 23)}"`;

const STAMP = /"version":(\d+),"checksum":"[^"]*","file_checksum":"sha256:(\w{16})/y;

/** The same, of an entity's stored JSON text, which says at its end what the row says (`entityJson`). */
export function etagIn(json: string): string {
  // A quote within a text is escaped, so this is the last key of that name.
  STAMP.lastIndex = json.lastIndexOf('"version":');
  const [, version, checksum] = STAMP.exec(json) ?? [];
  return `"${version}-${checksum}"`;
}

/** 412 when the caller has seen another state than the present one. */
export function requireMatch(
  ifMatch: HeaderValue,
  row: Tagged & Pick<EntityRow, 'entity_type' | 'entity_id'>,
): void {
  if (ifMatch === undefined || headerNames(ifMatch, etagOf(row))) return;
  throw stale(
    `${row.entity_type} '${row.entity_id}' is now at version ${row.version}: read it again and repeat your change`,
    { code: 'stale', headers: { etag: etagOf(row) } },
  );
}
