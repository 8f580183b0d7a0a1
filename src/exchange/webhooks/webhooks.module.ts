import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { Receivers } from '../../platform/outgoing/receivers.ts';
import { projectsModule } from '../../world/projects/index.ts';
import { LIVE_EVENTS } from '../realtime/events.contract.ts';
import { createCheckAddress } from './address.ts';
import { createSend } from './attempt.ts';
import { createDeliveries } from './deliveries.service.ts';
import { createLiveEvents } from './live-events.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { createWebhooks } from './webhooks.service.ts';
import { sealAddresses } from './webhooks.store.ts';
import { type WebhooksDb, webhookMigrations } from './webhooks.tables.ts';

export interface WebhooksContext extends Pick<CoreContext, 'database' | 'bus' | 'box' | 'clock'> {
  receivers: Receivers;
}

/** Events for addresses that admins name. Workers do the sending (`webhook-jobs.module.ts`). */
export const webhooksModule = defineModule({
  name: 'webhooks',
  tags: {
    Webhooks: 'Events sent to addresses of yours, signed and tried again, and what became of them.',
  },
  uses: { projects: projectsModule },
  tables: webhookMigrations,
  create({ database, bus, receivers, box, clock }: WebhooksContext, { projects }) {
    const secrets = createWebhookSecrets({ box, clock });
    const checkAddress = createCheckAddress(receivers);
    const webhooks = createWebhooks({ secrets, checkAddress, clock });
    const send = createSend({ receivers, secrets, clock });
    const deliveries = createDeliveries({ webhooks, send, clock });
    const leaves: (() => void)[] = [];
    return {
      routes: webhookRoutes({ projects, webhooks, deliveries, secrets }),
      async start() {
        await database.system.write((db: WebhooksDb) => sealAddresses(db, secrets.sealAddress));
        const noteLive = createLiveEvents({ database, clock });
        leaves.push(...LIVE_EVENTS.map((event) => bus.on(event, noteLive)));
      },
      async stop() {
        for (const leave of leaves.splice(0)) leave();
      },
    };
  },
});
