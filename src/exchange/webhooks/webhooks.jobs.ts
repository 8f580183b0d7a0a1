import type { Clock } from '../../kit/clock.ts';
import type { Database, TenantDatabase } from '../../platform/database/database.ts';
import type { JobHandlers } from '../../platform/jobs/handlers.ts';
import type { JobKey, Jobs } from '../../platform/jobs/jobs.ts';
import type { Send } from './attempt.ts';
import { dueDeliveries, forgetDeliveries, surplusFrom } from './deliveries.store.ts';
import { recordAttempts } from './record.ts';
import { type DueWebhook, findWebhook } from './webhooks.store.ts';
import type { DeliveryRow, WebhookRow, WebhooksDb } from './webhooks.tables.ts';

/**
 * One queue for receivers that respond promptly, one for those that last failed or were slow, so that these hold up nobody
 * else.
 */
export const WEBHOOK_QUEUES = { prompt: 'webhooks', slow: 'webhooks-slow' } as const;

const queueOf = (isSlow: boolean): string => (isSlow ? WEBHOOK_QUEUES.slow : WEBHOOK_QUEUES.prompt);

export const sendJob = ({ tenantId, projectId, webhookId, isSlow }: DueWebhook): JobKey => ({
  ...{ tenantId, projectId, queue: queueOf(isSlow), kind: 'send', subject: webhookId },
});

export interface WebhookJobsOptions {
  database: Database;
  jobs: Jobs;
  send: Send;
  clock: Clock;
}

/** Concurrent requests to one receiver. */
const AT_ONCE = 4;
/** After this it is another webhook's turn. */
const TURN_MS = 5_000;
const MOST_KEPT = 1_000;

interface Round {
  webhook: WebhookRow;
  due: DeliveryRow[];
}

/** Sends what is due for one webhook. Only one worker at a time does so, which bounds the requests to its receiver. */
export function createWebhookJobs({ database, jobs, send, clock }: WebhookJobsOptions): JobHandlers {
  /** Null if nothing is due, or nothing for this queue. */
  const nextRound = (
    tenant: TenantDatabase,
    { tenantId, projectId, queue, subject }: JobKey,
  ): Promise<Round | null> =>
    tenant.read(async (db: WebhooksDb) => {
      const webhook = await findWebhook(db, { tenantId, projectId }, subject);
      if (!webhook?.enabled || webhook.rests_until > clock.now()) return null;
      if (queueOf(webhook.slow === 1) !== queue) return null;
      const due = await dueDeliveries(db, webhook, clock.now(), AT_ONCE);
      return due.length === 0 ? null : { webhook, due };
    });

  async function sendRound(tenant: TenantDatabase, { webhook, due }: Round, signal: AbortSignal) {
    const attempted = await Promise.all(
      due.map(async (delivery) => ({ delivery, attempt: await send(webhook, delivery, signal) })),
    );
    // A request cut short by the worker says nothing about its receiver and is repeated.
    if (signal.aborted) return;
    await recordAttempts(tenant, webhook.webhook_id, attempted, clock.now());
  }

  async function forgetSurplus(tenant: TenantDatabase, webhookId: string): Promise<void> {
    const key = { tenant_id: tenant.tenantId, webhook_id: webhookId };
    const from = await tenant.read((db: WebhooksDb) => surplusFrom(db, key, MOST_KEPT));
    if (from !== undefined) await tenant.write((db: WebhooksDb) => forgetDeliveries(db, key, from));
  }

  return {
    async send(job, signal) {
      const tenant = database.tenant(job.tenantId);
      const until = performance.now() + TURN_MS;
      for (;;) {
        const round = await nextRound(tenant, job);
        if (round === null) break;
        if (performance.now() > until) {
          await jobs.add([job]);
          break;
        }
        await sendRound(tenant, round, signal);
        if (signal.aborted) return;
      }
      await forgetSurplus(tenant, job.subject);
    },
  };
}
