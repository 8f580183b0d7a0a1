import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound } from '../../kit/errors.ts';
import type { Project } from '../../world/records/index.ts';
import type { Send } from './attempt.ts';
import { sentText } from './collect.ts';
import { countWaiting, findDelivery, insertDeliveries, pageOfDeliveries } from './deliveries.store.ts';
import { MOST_WAITING, newDelivery } from './deliveries.ts';
import { deliveryAfter } from './record.ts';
import { TEST_EVENT } from './webhooks.contract.ts';
import type { Webhooks } from './webhooks.service.ts';
import type { DeliveryRow, WebhooksDb } from './webhooks.tables.ts';

export interface DeliveriesOptions {
  webhooks: Webhooks;
  send: Send;
  clock: Clock;
}

export const createDeliveries = ({ webhooks, send, clock }: DeliveriesOptions) => ({
  async list(project: Project, webhookId: string, page: { offset: number; limit: number }) {
    const webhook = await webhooks.get(project, webhookId);
    return project.database.read((db: WebhooksDb) => pageOfDeliveries(db, webhook, page));
  },

  /** Sends a test event and waits for the result. */
  async test(project: Project, webhookId: string): Promise<DeliveryRow> {
    const webhook = await webhooks.get(project, webhookId);
    const now = clock.now();
    const body = sentText(webhook, JSON.stringify({ type: TEST_EVENT, timestamp: isoTime(now) }));
    const made = newDelivery(webhook, { type: TEST_EVENT, body, seq: 0, now });
    const attempt = await send(webhook, made, new AbortController().signal);
    const delivery = { ...made, ...deliveryAfter(made, attempt, clock.now(), null) };
    await project.database.write((db: WebhooksDb) => insertDeliveries(db, [delivery]));
    return delivery;
  },

  async redeliver(project: Project, webhookId: string, deliveryId: string): Promise<DeliveryRow> {
    const webhook = await webhooks.get(project, webhookId);
    if (!webhook.enabled)
      throw conflict('The webhook is disabled: enable it first', { code: 'webhook_disabled' });
    return project.database.write(async (db: WebhooksDb) => {
      const known = await findDelivery(db, webhook, deliveryId);
      if (known === undefined)
        throw notFound('There is no such delivery of this webhook', { code: 'no_such_delivery' });
      if ((await countWaiting(db, webhook)) >= MOST_WAITING)
        throw conflict('Too much waits for this receiver already: try again later', {
          code: 'too_many_waiting',
        });
      const { event_type: type, body, message_id: messageId, seq } = known;
      const again = newDelivery(webhook, { type, body, seq, messageId, now: clock.now() });
      await insertDeliveries(db, [again]);
      return again;
    });
  },
});

export type Deliveries = ReturnType<typeof createDeliveries>;
