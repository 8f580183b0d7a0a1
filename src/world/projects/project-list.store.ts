import { inProject, inTenant } from '../../platform/database/scoped.ts';
import type { RecordsDb, Scope } from '../records/index.ts';

export const rowsOfTenant = async (db: RecordsDb, tenantId: string): Promise<string[]> => {
  const rows = await inTenant(db, tenantId).selectFrom('projects').select('project_id').execute();
  return rows.map(({ project_id }) => project_id);
};

export async function summaryOf(
  db: RecordsDb,
  scope: Scope,
): Promise<{ entities: number; changedAt: string | null }> {
  const counted = await inProject(db, scope)
    .selectFrom('entity_counts')
    .select((eb) => eb.fn.sum<number | string | null>('total').as('total'))
    .executeTakeFirst();
  const last = await inProject(db, scope)
    .selectFrom('project_events')
    .select('at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { entities: Number(counted?.total ?? 0), changedAt: last?.at ?? null };
}
