import type { Kysely } from 'kysely';
import { checksumOf } from '../../kit/crypto.ts';
import type { EntityRow } from '../records/entity-rows.store.ts';
import type { RecordTables } from '../records/records.tables.ts';
import { keepRevisions } from '../records/revisions.store.ts';
import type { Project } from '../records/scope.ts';

/**
 * Keeps the text of a file that cannot be read as a revision of its own and returns the row with its version counted
 * up past it. Bytes that are no UTF-8 are kept readable as far as they go.
 */
export function keepDamagedFile(
  project: Project,
  row: EntityRow,
  bytes: Uint8Array,
  options: { at: string },
): Promise<EntityRow> {
  const checksum = checksumOf(bytes);
  return project.database.write(async (db: Kysely<RecordTables>) => {
    const version = row.version + 1;
    await keepRevisions(db, project.database.dialect, [row]);
    await db
      .insertInto('entity_revisions')
      .values({
        row_id: row.row_id,
        version,
        tenant_id: row.tenant_id,
        name: row.name,
        status: row.status,
        checksum,
        file_checksum: checksum,
        content: new TextDecoder().decode(bytes),
        source: 'file',
        changed: '["unreadable"]',
        created_at: options.at,
        created_by: null,
      })
      .onConflict((oc) => oc.columns(['row_id', 'version']).doNothing())
      .execute();
    await db.updateTable('entities').set({ version }).where('row_id', '=', row.row_id).execute();
    return { ...row, version };
  });
}
