import type { CoreContext } from '../../frame/context.ts';
import { defineModule, type JobQueue } from '../../frame/module.ts';
import { createSend } from './attempt.ts';
import { createDispatcher } from './dispatcher.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { createWebhookJobs, WEBHOOK_QUEUES } from './webhooks.jobs.ts';
import type { WebhooksContext } from './webhooks.module.ts';

/** Receivers served concurrently; each costs a connection. */
const AT_ONCE = { prompt: 10, slow: 4 };
/** Short: a lease lost by mistake costs no more than a message sent twice. */
const LEASE_MS = 6_000;
/** New jobs wake the worker; polling only finds what others left. */
const POLL_MS = 3_000;

export interface WebhookJobsContext extends WebhooksContext, Pick<CoreContext, 'jobs' | 'log'> {
  /** Tests poll more often. */
  lookForWebhooksMs?: number | undefined;
}

/** Sends deliveries, in a core or in a process of its own. */
export const webhookJobsModule = defineModule({
  name: 'webhook jobs',
  create(context: WebhookJobsContext) {
    const { database, jobs, bus, receivers, box, clock, lookForWebhooksMs: everyMs } = context;
    const log = context.log.child('webhooks');
    const send = createSend({ receivers, secrets: createWebhookSecrets({ box, clock }), clock });
    const handlers = createWebhookJobs({ database, jobs, send, clock });
    const queueOf = (pace: keyof typeof WEBHOOK_QUEUES): JobQueue => ({
      queue: WEBHOOK_QUEUES[pace],
      handlers,
      atOnce: AT_ONCE[pace],
      log,
      timings: { leaseMs: LEASE_MS, pollMs: POLL_MS },
    });
    const { start, stop } = createDispatcher({
      database,
      jobs,
      bus,
      clock,
      log,
      ...(everyMs && { everyMs }),
    });
    return {
      jobs: [queueOf('prompt'), queueOf('slow')],
      ...(start && { start }),
      ...(stop && { stop }),
    };
  },
});
