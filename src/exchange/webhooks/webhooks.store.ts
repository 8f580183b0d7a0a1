import type { TenantDatabase } from '../../platform/database/database.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import type { Scope } from '../../world/records/index.ts';
import type { WebhookRow, WebhooksDb } from './webhooks.tables.ts';

export const listWebhookRows = (db: WebhooksDb, scope: Scope): Promise<WebhookRow[]> =>
  inProject(db, scope)
    .selectFrom('webhooks')
    .selectAll()
    .orderBy('created_at')
    .orderBy('webhook_id')
    .execute();

export const findWebhook = (db: WebhooksDb, scope: Scope, webhookId: string) =>
  inProject(db, scope)
    .selectFrom('webhooks')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();

/** Locks the row; with `ifFree`, undefined if another transaction holds it. Lock it before changing deliveries. */
export const lockWebhook = (
  db: WebhooksDb,
  { tenantId, dialect }: Pick<TenantDatabase, 'tenantId' | 'dialect'>,
  webhookId: string,
  { ifFree = false } = {},
): Promise<WebhookRow | undefined> =>
  inTenant(db, tenantId)
    .selectFrom('webhooks')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .modifyEnd(ifFree ? dialect.forUpdateSkipLocked : dialect.forUpdate)
    .executeTakeFirst();

export async function insertWebhook(db: WebhooksDb, row: WebhookRow): Promise<void> {
  await db.insertInto('webhooks').values(row).execute();
}

export async function changeWebhook(
  db: WebhooksDb,
  { tenant_id, webhook_id }: Pick<WebhookRow, 'tenant_id' | 'webhook_id'>,
  change: Partial<WebhookRow>,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  await inTenant(db, tenant_id)
    .updateTable('webhooks')
    .set(change)
    .where('webhook_id', '=', webhook_id)
    .execute();
}

/** Seals addresses still in clear, for all tenants. */
export async function sealAddresses(
  db: WebhooksDb,
  seal: (webhookId: string, url: string) => string,
): Promise<void> {
  const rows = await db
    .selectFrom('webhooks')
    .select(['tenant_id', 'webhook_id', 'url'])
    .where('url', 'like', 'http%')
    .execute();
  for (const { tenant_id, webhook_id, url } of rows)
    await inTenant(db, tenant_id)
      .updateTable('webhooks')
      .set({ url: seal(webhook_id, url) })
      .where('webhook_id', '=', webhook_id)
      .where('url', '=', url)
      .execute();
}

/** Including its deliveries. */
export async function removeWebhook(
  db: WebhooksDb,
  { tenant_id, webhook_id }: Pick<WebhookRow, 'tenant_id' | 'webhook_id'>,
): Promise<void> {
  for (const table of ['webhook_deliveries', 'webhooks'] as const)
    await inTenant(db, tenant_id).deleteFrom(table).where('webhook_id', '=', webhook_id).execute();
}

export interface WebhookPlace extends Scope {
  webhookId: string;
}

const placeOf = ({
  tenant_id,
  project_id,
  webhook_id,
}: Pick<WebhookRow, 'tenant_id' | 'project_id' | 'webhook_id'>): WebhookPlace => ({
  tenantId: tenant_id,
  projectId: project_id,
  webhookId: webhook_id,
});

const MOST_PLACES = 1_000;

// Run after nearly every change.
const behind = prepared((db: WebhooksDb) =>
  db
    .selectFrom('webhooks')
    .innerJoin('projects', (join) =>
      join
        .onRef('projects.tenant_id', '=', 'webhooks.tenant_id')
        .onRef('projects.project_id', '=', 'webhooks.project_id')
        .onRef('projects.seq', '>', 'webhooks.seq'),
    )
    .select(['webhooks.tenant_id', 'webhooks.project_id', 'webhook_id'])
    .where('enabled', '=', 1),
);
const due = prepared((db: WebhooksDb, values: { now: number }) =>
  db
    .selectFrom('webhook_deliveries')
    .innerJoin('webhooks', 'webhooks.webhook_id', 'webhook_deliveries.webhook_id')
    .select(['webhooks.tenant_id', 'webhooks.project_id', 'webhooks.webhook_id', 'slow'])
    .distinct()
    .where('due_at', '<=', values.now)
    .where('enabled', '=', 1)
    .where('rests_until', '<=', values.now)
    .limit(MOST_PLACES),
);

/** Webhooks of all tenants that are behind their project's log. */
export const webhooksBehind = async (db: WebhooksDb): Promise<WebhookPlace[]> =>
  (await behind(db, {})).map(placeOf);

export interface DueWebhook extends WebhookPlace {
  isSlow: boolean;
}

/** Webhooks of all tenants with something to send now. */
export async function webhooksDue(db: WebhooksDb, now: number): Promise<DueWebhook[]> {
  const rows = await due(db, { now });
  return rows.map((row) => ({ ...placeOf(row), isSlow: row.slow === 1 }));
}
