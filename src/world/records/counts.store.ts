import type { Kysely } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import { type RecordTables, TEMPLATE_ROW_TYPE } from './records.tables.ts';
import { type Scope, scopeColumns } from './scope.ts';

interface CountChange {
  tenant_id: string;
  project_id: string;
  entity_type: string;
  status: string;
  by: number;
}

const changeCount = prepared((db: Kysely<RecordTables>, change: CountChange) =>
  db
    .insertInto('entity_counts')
    .values({
      tenant_id: change.tenant_id,
      project_id: change.project_id,
      entity_type: change.entity_type,
      status: change.status,
      total: change.by,
    })
    .onConflict((oc) =>
      oc
        .columns(['tenant_id', 'project_id', 'entity_type', 'status'])
        .doUpdateSet((eb) => ({ total: eb('entity_counts.total', '+', change.by) })),
    ),
);

/** Sums up one transaction's changes to the counts by type and status. */
export function createCountDelta() {
  const changes = new Map<string, { entity_type: string; status: string; by: number }>();
  return {
    add(entityType: string, status: string, by: 1 | -1): void {
      if (entityType === TEMPLATE_ROW_TYPE) return;
      const key = `${entityType}\n${status}`;
      const change = changes.get(key) ?? { entity_type: entityType, status, by: 0 };
      change.by += by;
      changes.set(key, change);
    },
    async apply(db: Kysely<RecordTables>, scope: Scope): Promise<void> {
      for (const { entity_type, status, by } of changes.values()) {
        if (by !== 0) await changeCount(db, { ...scopeColumns(scope), entity_type, status, by });
      }
    },
  };
}

const tenantTotal = prepared((db: Kysely<RecordTables>, values: { tenant_id: string }) =>
  inTenant(db, values.tenant_id)
    .selectFrom('entity_counts')
    .select((eb) => eb.fn.sum<number | string | null>('total').as('total')),
);

/** Counts a tenant's live entities in all its projects; plans limit them (spec 1 §2.5). */
export async function countTenantEntities(db: Kysely<RecordTables>, tenantId: string): Promise<number> {
  const [row] = await tenantTotal(db, { tenant_id: tenantId });
  return Number(row?.total ?? 0);
}

/** Counts a project's live entities without templates. */
export async function countEntities(db: Kysely<RecordTables>, scope: Scope): Promise<number> {
  const row = await inProject(db, scope)
    .selectFrom('entity_counts')
    .select((eb) => eb.fn.sum<number | string | null>('total').as('total'))
    .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** The types of a project's live entities, including types without a template. */
export async function typesWithEntities(db: Kysely<RecordTables>, scope: Scope): Promise<string[]> {
  const rows = await inProject(db, scope)
    .selectFrom('entity_counts')
    .select('entity_type')
    .distinct()
    .where('total', '>', 0)
    .execute();
  return rows.map((row) => row.entity_type);
}

export async function countAllEntities(db: Kysely<RecordTables>): Promise<number> {
  const row = await db
    .selectFrom('entity_counts')
    .select((eb) => eb.fn.sum<number | string | null>('total').as('total'))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}
