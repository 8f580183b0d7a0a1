import type { Kysely } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
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

/** Adds up how many entities of each type and status come and go in one transaction. */
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
  db
    .selectFrom('entity_counts')
    .select((eb) => eb.fn.sum<number | string | null>('total').as('total'))
    .where('tenant_id', '=', values.tenant_id),
);

/** Live entities of a tenant over all its projects: what plans limit (spec 1 §2.5). */
export async function countTenantEntities(db: Kysely<RecordTables>, tenantId: string): Promise<number> {
  const [row] = await tenantTotal(db, { tenant_id: tenantId });
  return Number(row?.total ?? 0);
}

/** Live entities of a project, templates left out. */
export async function countEntities(db: Kysely<RecordTables>, scope: Scope): Promise<number> {
  const row = await db
    .selectFrom('entity_counts')
    .select((eb) => eb.fn.sum<number | string | null>('total').as('total'))
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('entity_type', '<>', TEMPLATE_ROW_TYPE)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

/** The types that a project has live entities of, those without a template among them. */
export async function typesWithEntities(db: Kysely<RecordTables>, scope: Scope): Promise<string[]> {
  const { tenant_id, project_id } = scopeColumns(scope);
  const rows = await db
    .selectFrom('entity_counts')
    .select('entity_type')
    .distinct()
    .where('tenant_id', '=', tenant_id)
    .where('project_id', '=', project_id)
    .where('total', '>', 0)
    .execute();
  return rows.map((row) => row.entity_type);
}

/** Live entities of all tenants. */
export async function countAllEntities(db: Kysely<RecordTables>): Promise<number> {
  const row = await db
    .selectFrom('entity_counts')
    .select((eb) => eb.fn.sum<number | string | null>('total').as('total'))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}
