import { type Clock, isoTime } from '../../kit/clock.ts';
import { messageOf } from '../../kit/errors.ts';
import type { Part } from '../../kit/lifecycle.ts';
import type { Log } from '../../kit/log.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { collect } from './collect.ts';
import { forgetOldDeliveries } from './deliveries.store.ts';
import { sendJob, WEBHOOK_QUEUES } from './webhooks.jobs.ts';
import { type DueWebhook, webhooksBehind, webhooksDue } from './webhooks.store.ts';
import type { WebhooksDb } from './webhooks.tables.ts';

export interface DispatcherOptions {
  database: Database;
  jobs: Jobs;
  /** Announces events of this process; those of others are found by polling. */
  bus: Pick<Bus, 'onAny'>;
  clock: Clock;
  log: Log;
  everyMs?: number;
}

const LOOK_EVERY_MS = 2_000;
/** A burst of changes is handled together. */
const GATHER_MS = 100;
const TIDY_EVERY_MS = 3_600_000;
const KEPT_MS = 30 * 86_400_000;

/** Reads event logs for webhooks and queues jobs to send the deliveries. Any number of processes may do so. */
export function createDispatcher(options: DispatcherOptions): Part {
  const { database, jobs, bus, clock, log, everyMs = LOOK_EVERY_MS } = options;
  let timer: NodeJS.Timeout | undefined;
  let nextAt = Number.POSITIVE_INFINITY;
  let leave: () => void = () => {};
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;
  let tidiedAt = clock.now();

  /** A webhook is in one queue at a time. */
  async function askFor(webhook: DueWebhook): Promise<void> {
    for (const queue of Object.values(WEBHOOK_QUEUES)) {
      const known = await jobs.list(webhook, queue, webhook.webhookId);
      if (known.some(({ state }) => state === 'waiting' || state === 'running')) return;
    }
    await jobs.add([sendJob(webhook)]);
  }

  async function look(): Promise<void> {
    for (const place of await database.system.read(webhooksBehind)) {
      while (!isStopped && (await collect(database, place, clock.now())));
    }
    const due = await database.system.read((db: WebhooksDb) => webhooksDue(db, clock.now()));
    for (const webhook of due) await askFor(webhook);
    if (clock.now() - tidiedAt < TIDY_EVERY_MS) return;
    tidiedAt = clock.now();
    await database.system.write((db: WebhooksDb) => forgetOldDeliveries(db, isoTime(tidiedAt - KEPT_MS)));
  }

  /** Unless an earlier look is already planned. */
  function lookIn(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (isStopped || at >= nextAt) return;
    clearTimeout(timer);
    nextAt = at;
    timer = setTimeout(() => {
      nextAt = Number.POSITIVE_INFINITY;
      looking = looking
        .then(look)
        .catch((error: unknown) => log.warn(`webhooks cannot be looked after: ${messageOf(error)}`))
        .then(() => lookIn(everyMs));
    }, milliseconds).unref();
  }

  return {
    name: 'webhooks',
    async start() {
      leave = bus.onAny(() => lookIn(GATHER_MS));
      lookIn(GATHER_MS);
    },
    async stop() {
      isStopped = true;
      leave();
      clearTimeout(timer);
      await looking;
    },
  };
}
