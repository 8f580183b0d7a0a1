import { isoTime } from '../../kit/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { eventsAfter, type LoggedEvent, logEnd } from '../../world/records/index.ts';
import { cursorText, type LogPlace, withCursor } from '../realtime/index.ts';
import { changeDelivery, countWaiting, findUntried, insertDeliveries } from './deliveries.store.ts';
import { MOST_WAITING, messageIdOf, newDelivery } from './deliveries.ts';
import { wantsOfWebhook } from './wants.ts';
import { CATCH_UP } from './webhooks.contract.ts';
import { changeWebhook, lockWebhook, type WebhookPlace } from './webhooks.store.ts';
import type { DeliveryRow, WebhookRow, WebhooksDb } from './webhooks.tables.ts';

const PAGE = 100;
/** A running import is announced once for all that came by then. */
const SETTLES_MS = 5_000;

/**
 * Turns a page of the event log into deliveries, advancing the webhook's position in the same transaction: each event once,
 * whoever reads. True if there is more.
 */
export const collect = (
  database: Database,
  { tenantId, projectId, webhookId }: WebhookPlace,
  now: number,
): Promise<boolean> => {
  const tenant = database.tenant(tenantId);
  const work = async (db: WebhooksDb): Promise<boolean> => {
    const webhook = await lockWebhook(db, tenant, webhookId, { ifFree: true });
    if (!webhook?.enabled) return false;
    const limit = Math.min(PAGE, MOST_WAITING - (await countWaiting(db, webhook)));
    if (limit <= 0) return false;
    const scope = { tenantId, projectId };
    // Read first, so that a commit between the two reads comes after this position.
    const end = await logEnd(db, scope);
    const events = await eventsAfter(db, scope, webhook.seq, limit);
    const last = events.at(-1)?.seq ?? 0;
    const hasMore = events.length === limit;
    await insertDeliveries(db, deliveriesOf(webhook, events, end, now));
    if (events.some(({ body }) => body === null))
      await tellToCatchUp(db, webhook, { ...end, seq: last }, now);
    await changeWebhook(db, webhook, { seq: hasMore ? last : Math.max(last, end.seq) });
    return hasMore;
  };
  // After a power cut the same messages are read from the log again.
  return tenant.write(work, { durable: false });
};

function deliveriesOf(
  webhook: WebhookRow,
  events: readonly LoggedEvent[],
  { since }: LogPlace,
  now: number,
): DeliveryRow[] {
  const wants = wantsOfWebhook(webhook);
  return events.flatMap(({ seq, body }) => {
    if (body === null) return [];
    const { type, entity_type: entityType = null } = JSON.parse(body) as EventHead;
    if (!wants({ type, entityType, entityId: null })) return [];
    const whole = sentText(webhook, withCursor(body, { since, seq }));
    const messageId = messageIdOf(webhook, whole);
    return [newDelivery(webhook, { type, body: whole, seq, now, messageId })];
  });
}

interface EventHead {
  type: string;
  entity_type?: string | null;
}

export const sentText = ({ project_id }: Pick<WebhookRow, 'project_id'>, body: string): string =>
  `${JSON.stringify({ project_id }).slice(0, -1)},${body.slice(1)}`;

/** At most one such message waits; it gets the latest position. One that is being sent now is a separate message. */
async function tellToCatchUp(
  db: WebhooksDb,
  webhook: WebhookRow,
  place: LogPlace,
  now: number,
): Promise<void> {
  const event = { type: CATCH_UP, cursor: cursorText(place), timestamp: isoTime(now) };
  const body = sentText(webhook, JSON.stringify(event));
  const waiting = await findUntried(db, webhook, CATCH_UP);
  const { seq } = place;
  const messageId = messageIdOf(webhook, body);
  const made = newDelivery(webhook, { type: CATCH_UP, body, seq, now, dueAt: now + SETTLES_MS, messageId });
  if (waiting) await changeDelivery(db, waiting, { body, seq, message_id: messageId });
  else await insertDeliveries(db, [made]);
}
