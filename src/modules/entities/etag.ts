import { stale } from '../../kit/errors.ts';
import type { EntityRow } from '../records/records.tables.ts';

type Tagged = Pick<EntityRow, 'version' | 'file_checksum'>;

/** Names one state of an entity: its version and the start of its file's hash. */
export const etagOf = (row: Tagged): string => `"${row.version}-${row.file_checksum.slice(7, 23)}"`;

/** Whether a header (`If-Match`, `If-None-Match`) names this state; weak tags and lists are understood. */
export function namesState(header: string, row: Tagged): boolean {
  const own = etagOf(row);
  return header.split(',').some((tag) => {
    const plain = tag.trim().replace(/^W\//, '');
    return plain === '*' || plain === own;
  });
}

/** 412 when the caller has seen another state than the present one. */
export function requireMatch(
  ifMatch: string | undefined,
  row: Tagged & { entity_type: string; entity_id: string },
): void {
  if (ifMatch === undefined || namesState(ifMatch, row)) return;
  throw stale(
    `${row.entity_type} '${row.entity_id}' is now at version ${row.version}: read it again and repeat your change`,
    { code: 'stale', headers: { etag: etagOf(row) } },
  );
}

export const headerText = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;
