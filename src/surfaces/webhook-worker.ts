import { createSend } from '../exchange/webhooks/attempt.ts';
import { createDispatcher } from '../exchange/webhooks/dispatcher.ts';
import { createWebhookSecrets } from '../exchange/webhooks/webhook-secrets.ts';
import { createWebhookJobs, WEBHOOK_QUEUES } from '../exchange/webhooks/webhooks.jobs.ts';
import type { Clock } from '../kit/clock.ts';
import type { Part } from '../kit/lifecycle.ts';
import type { Log } from '../kit/log.ts';
import type { SecretBox } from '../kit/secret-box.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Database } from '../platform/database/database.ts';
import type { Jobs } from '../platform/jobs/jobs.ts';
import { createWorker } from '../platform/jobs/worker.ts';
import type { PrivateEndpoints } from '../platform/outgoing/outgoing.ts';
import type { Receivers } from '../platform/outgoing/receivers.ts';

/** What tests set: they look more often for what is to be sent, wait less, and reach receivers of their own in a cloud too. */
export interface WebhookSetup {
  everyMs?: number;
  withinMs?: number;
  privateEndpoints?: PrivateEndpoints;
}

export interface WebhookWorkerOptions extends Pick<WebhookSetup, 'everyMs'> {
  database: Database;
  jobs: Jobs;
  bus: Bus;
  receivers: Receivers;
  box: SecretBox;
  clock: Clock;
  log: Log;
}

/** Receivers that are waited for at the same time: they cost a connection each. */
const AT_ONCE = { prompt: 10, slow: 4 };
/** Short, since a lease that is lost by mistake costs no more than a message that comes twice. */
const LEASE_MS = 6_000;
/** What is new wakes the worker; it looks for what others left. */
const POLL_MS = 3_000;

/** Sends what happens to the addresses of webhooks, in a core or in a process of its own. */
export function createWebhookWorker(options: WebhookWorkerOptions): Part[] {
  const { database, jobs, bus, receivers, box, clock, log, everyMs } = options;
  const send = createSend({ receivers, secrets: createWebhookSecrets({ box, clock }), clock });
  const own = log.child('webhooks');
  const handlers = createWebhookJobs({ database, jobs, send, clock });
  const workerOf = (pace: keyof typeof WEBHOOK_QUEUES) =>
    createWorker({
      jobs,
      queue: WEBHOOK_QUEUES[pace],
      handlers,
      atOnce: AT_ONCE[pace],
      log: own,
      patience: { leaseMs: LEASE_MS, pollMs: POLL_MS },
    });
  return [
    workerOf('prompt'),
    workerOf('slow'),
    createDispatcher({ database, jobs, bus, clock, log: own, ...(everyMs && { everyMs }) }),
  ];
}
