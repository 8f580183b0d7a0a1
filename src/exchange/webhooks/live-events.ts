import type { Clock } from '../../kit/clock.ts';
import type { EventOf } from '../../kit/event.ts';
import type { EventOrigin } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/database.ts';
import type { LIVE_EVENTS } from '../realtime/events.contract.ts';
import { sentText } from './collect.ts';
import { countWaiting, insertDeliveries } from './deliveries.store.ts';
import { MOST_WAITING, newDelivery } from './deliveries.ts';
import { wantsOfWebhook } from './wants.ts';
import { listWebhookRows } from './webhooks.store.ts';
import type { WebhooksDb } from './webhooks.tables.ts';

type LiveEvent = EventOf<(typeof LIVE_EVENTS)[number]>;

/** Records events that are not logged, in the process where they occur. */
export const createLiveEvents =
  ({ database, clock }: { database: Database; clock: Clock }) =>
  async (event: LiveEvent, { tenantId, projectId }: EventOrigin): Promise<void> => {
    if (projectId === null) return;
    const tenant = database.tenant(tenantId);
    const webhooks = await tenant.read((db: WebhooksDb) => listWebhookRows(db, { tenantId, projectId }));
    const { type } = event;
    const entityType = 'entity_type' in event ? event.entity_type : null;
    const listening = webhooks.filter(
      (webhook) => webhook.enabled && wantsOfWebhook(webhook)({ type, entityType, entityId: null }),
    );
    if (listening.length === 0) return;
    const now = clock.now();
    await tenant.write(async (db: WebhooksDb) => {
      for (const webhook of listening) {
        if ((await countWaiting(db, webhook)) >= MOST_WAITING) continue;
        const body = sentText(webhook, JSON.stringify(event));
        await insertDeliveries(db, [newDelivery(webhook, { type, body, seq: 0, now })]);
      }
    });
  };
