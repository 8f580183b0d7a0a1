import { isoTime } from '../../kit/clock.ts';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Attempt } from './attempt.ts';
import { changeDelivery, setDue } from './deliveries.store.ts';
import { isGone, isSlow, isTaken, restAfter, waitAfter } from './outcome.ts';
import { changeWebhook, lockWebhook } from './webhooks.store.ts';
import type { DeliveryRow, WebhookRow, WebhooksDb } from './webhooks.tables.ts';

export interface Attempted {
  delivery: DeliveryRow;
  attempt: Attempt;
}

export function deliveryAfter(
  { attempts }: DeliveryRow,
  attempt: Attempt,
  now: number,
  waitMs: number | null,
): Partial<DeliveryRow> {
  const isWaiting = !isTaken(attempt) && waitMs !== null;
  return {
    state: isTaken(attempt) ? 'delivered' : isWaiting ? 'waiting' : 'failed',
    attempts: attempts + 1,
    due_at: isWaiting ? now + waitMs : null,
    status: attempt.status,
    duration_ms: attempt.durationMs,
    error: attempt.error,
    reply: attempt.reply,
    attempted_at: isoTime(now),
  };
}

function webhookAfter(webhook: WebhookRow, results: readonly Attempt[], now: number): Partial<WebhookRow> {
  const failed = results.filter((attempt) => !isTaken(attempt)).length;
  const isSomeTaken = failed < results.length;
  const failures = isSomeTaken ? 0 : webhook.failures + failed;
  const rest = restAfter(failures, results);
  return {
    failures,
    slow: results.some(isSlow) ? 1 : 0,
    rests_until: rest === 0 ? 0 : now + rest,
    ...(isSomeTaken && { last_success_at: isoTime(now) }),
  };
}

/** Why a final failure disables the webhook; null if it does not. */
function reasonToDisable({ last_success_at }: WebhookRow, { delivery, attempt }: Attempted): string | null {
  if (isGone(attempt)) return 'Its receiver answered 410: it wants no more events';
  const hasTakenOthers = last_success_at !== null && last_success_at > delivery.created_at;
  if (hasTakenOthers) return null;
  return `Its receiver took nothing in ${delivery.attempts} attempts over ${spanSince(delivery)}. ${attempt.error}`;
}

function spanSince({ created_at, attempted_at }: DeliveryRow): string {
  const hours = (Date.parse(attempted_at ?? created_at) - Date.parse(created_at)) / 3_600_000;
  return hours < 1 ? 'less than an hour' : `${Math.round(hours)} hours`;
}

/** Stores the results of some attempts of one webhook. */
export async function recordAttempts(
  tenant: TenantDatabase,
  webhookId: string,
  attempted: readonly Attempted[],
  now: number,
): Promise<void> {
  // Computed outside, since the transaction may be retried.
  const waits = attempted.map(({ delivery, attempt }) =>
    isGone(attempt) ? null : waitAfter(delivery.attempts + 1, attempt, Math.random),
  );
  const work = async (db: WebhooksDb): Promise<void> => {
    const webhook = await lockWebhook(db, tenant, webhookId);
    if (webhook === undefined) return;
    const results = attempted.map(({ attempt }) => attempt);
    const changed = { ...webhook, ...webhookAfter(webhook, results, now) };
    let reason: string | null = null;
    for (const [index, { delivery, attempt }] of attempted.entries()) {
      const after = deliveryAfter(delivery, attempt, now, waits[index] ?? null);
      await changeDelivery(db, delivery, after);
      if (after.state === 'failed')
        reason ??= reasonToDisable(changed, { delivery: { ...delivery, ...after }, attempt });
    }
    const { failures, slow, rests_until, last_success_at } = changed;
    const disabled = reason !== null && webhook.enabled ? { enabled: 0, disabled_reason: reason } : {};
    await changeWebhook(db, webhook, { failures, slow, rests_until, last_success_at, ...disabled });
    if (reason !== null || !webhook.enabled) await setDue(db, webhook, null);
  };
  // After a power cut the same messages are sent again.
  await tenant.write(work, { durable: false });
}
