import { inTenant } from '../../platform/database/scoped.ts';
import type { EntityRow, RecordsDb } from '../../world/records/index.ts';

/** The newest superseded version whose content has this checksum (of fields and body). */
export async function findVersionSaying(
  db: RecordsDb,
  { tenant_id, row_id }: Pick<EntityRow, 'tenant_id' | 'row_id'>,
  checksum: string,
): Promise<number | undefined> {
  const row = await inTenant(db, tenant_id)
    .selectFrom('entity_revisions')
    .select('version')
    .where('row_id', '=', row_id)
    .where('checksum', '=', checksum)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.version;
}
