import type { RecordsDb, Scope } from '../records/index.ts';

/** Of all tenants: whoever asks has checked that the caller knows the number rightfully. */
export async function scopeAt(db: RecordsDb, number: number): Promise<Scope | null> {
  const row = await db
    .selectFrom('projects')
    .select(['tenant_id', 'project_id'])
    .where('number', '=', number)
    .executeTakeFirst();
  return row ? { tenantId: row.tenant_id, projectId: row.project_id } : null;
}
