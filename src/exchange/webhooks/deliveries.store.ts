import { inTenant } from '../../platform/database/scoped.ts';
import type { DeliveryRow, WebhookRow, WebhooksDb } from './webhooks.tables.ts';

type WebhookKey = Pick<WebhookRow, 'tenant_id' | 'webhook_id'>;

const ofWebhook = (db: WebhooksDb, { tenant_id, webhook_id }: WebhookKey) =>
  inTenant(db, tenant_id).selectFrom('webhook_deliveries').where('webhook_id', '=', webhook_id);

export async function insertDeliveries(db: WebhooksDb, rows: readonly DeliveryRow[]): Promise<void> {
  if (rows.length > 0)
    await db
      .insertInto('webhook_deliveries')
      .values([...rows])
      .execute();
}

export const findDelivery = (db: WebhooksDb, key: WebhookKey, deliveryId: string) =>
  ofWebhook(db, key).selectAll().where('delivery_id', '=', deliveryId).executeTakeFirst();

/** Newest first, with the total. */
export async function pageOfDeliveries(
  db: WebhooksDb,
  key: WebhookKey,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ total: number; rows: DeliveryRow[] }> {
  const { total } = await ofWebhook(db, key)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await ofWebhook(db, key)
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .orderBy('delivery_id')
    .offset(offset)
    .limit(limit)
    .execute();
  return { total, rows };
}

export async function countWaiting(db: WebhooksDb, key: WebhookKey): Promise<number> {
  const { count } = await ofWebhook(db, key)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return count;
}

/** A delivery of this type that was never attempted. */
export const findUntried = (db: WebhooksDb, key: WebhookKey, eventType: string) =>
  ofWebhook(db, key)
    .selectAll()
    .where('state', '=', 'waiting')
    .where('event_type', '=', eventType)
    .where('attempts', '=', 0)
    .limit(1)
    .executeTakeFirst();

/** Longest due first. */
export const dueDeliveries = (db: WebhooksDb, key: WebhookKey, now: number, limit: number) =>
  ofWebhook(db, key)
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('seq')
    .limit(limit)
    .execute();

/** Does nothing if the delivery stands for a later position by now. */
export async function changeDelivery(
  db: WebhooksDb,
  { tenant_id, delivery_id, seq }: Pick<DeliveryRow, 'tenant_id' | 'delivery_id' | 'seq'>,
  change: Partial<DeliveryRow>,
): Promise<void> {
  await inTenant(db, tenant_id)
    .updateTable('webhook_deliveries')
    .set(change)
    .where('delivery_id', '=', delivery_id)
    .where('seq', '=', seq)
    .execute();
}

/** Sets the due time of everything that waits; null suspends it. */
export async function setDue(db: WebhooksDb, { tenant_id, webhook_id }: WebhookKey, dueAt: number | null) {
  await inTenant(db, tenant_id)
    .updateTable('webhook_deliveries')
    .set({ due_at: dueAt })
    .where('webhook_id', '=', webhook_id)
    .where('state', '=', 'waiting')
    .execute();
}

/** When the newest finished delivery beyond the newest `most` was created; undefined if there is none. */
export async function surplusFrom(
  db: WebhooksDb,
  key: WebhookKey,
  most: number,
): Promise<string | undefined> {
  const first = await ofWebhook(db, key)
    .select('created_at')
    .where('state', '!=', 'waiting')
    .orderBy('created_at', 'desc')
    .offset(most)
    .limit(1)
    .executeTakeFirst();
  return first?.created_at;
}

/** Deletes a webhook's finished deliveries created up to this time. */
export async function forgetDeliveries(
  db: WebhooksDb,
  { tenant_id, webhook_id }: WebhookKey,
  from: string,
): Promise<void> {
  await inTenant(db, tenant_id)
    .deleteFrom('webhook_deliveries')
    .where('webhook_id', '=', webhook_id)
    .where('state', '!=', 'waiting')
    .where('created_at', '<=', from)
    .execute();
}

/** Deletes old finished deliveries of all tenants. */
export async function forgetOldDeliveries(db: WebhooksDb, before: string): Promise<void> {
  await db
    .deleteFrom('webhook_deliveries')
    .where('created_at', '<', before)
    .where('state', '!=', 'waiting')
    .execute();
}
