import type { Dialect } from '../../platform/database/dialect.ts';
import { inTenant } from '../../platform/database/scoped.ts';
import type { ProviderRow, ProvidersDb } from './providers.tables.ts';

export type ProviderKey = Pick<ProviderRow, 'tenant_id' | 'scope' | 'owner_id' | 'name'>;

/** The user's own first, then the tenant's, each by name. */
export async function listProviders(
  db: ProvidersDb,
  { tenantId, userId }: { tenantId: string; userId: string },
): Promise<ProviderRow[]> {
  const rows = await inTenant(db, tenantId)
    .selectFrom('ai_providers')
    .selectAll()
    .where('owner_id', 'in', [userId, ''])
    .orderBy('name')
    .execute();
  const of = (scope: ProviderRow['scope']) => rows.filter((row) => row.scope === scope);
  return [...of('user'), ...of('tenant')];
}

const at = (db: ProvidersDb, { tenant_id, scope, owner_id, name }: ProviderKey) =>
  inTenant(db, tenant_id)
    .selectFrom('ai_providers')
    .selectAll()
    .where('scope', '=', scope)
    .where('owner_id', '=', owner_id)
    .where('name', '=', name);

/** Locks the row until the end of the transaction. */
export const lockProvider = (db: ProvidersDb, key: ProviderKey, { forUpdate }: Dialect) =>
  at(db, key).modifyEnd(forUpdate).executeTakeFirst();

export async function countProviders(
  db: ProvidersDb,
  { tenant_id, scope, owner_id }: Omit<ProviderKey, 'name'>,
): Promise<number> {
  const { count } = await inTenant(db, tenant_id)
    .selectFrom('ai_providers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('scope', '=', scope)
    .where('owner_id', '=', owner_id)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function putProvider(db: ProvidersDb, row: ProviderRow): Promise<void> {
  const { tenant_id: _t, scope: _s, owner_id: _o, name: _n, ...values } = row;
  await db
    .insertInto('ai_providers')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'scope', 'owner_id', 'name']).doUpdateSet(values),
    )
    .execute();
}

export async function deleteProvider(
  db: ProvidersDb,
  { tenant_id, scope, owner_id, name }: ProviderKey,
): Promise<boolean> {
  const { numDeletedRows } = await inTenant(db, tenant_id)
    .deleteFrom('ai_providers')
    .where('scope', '=', scope)
    .where('owner_id', '=', owner_id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}
