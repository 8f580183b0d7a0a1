import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Receivers } from '../../platform/outgoing/receivers.ts';
import type { Projects } from '../../world/projects/projects.service.ts';
import { createCheckAddress } from './address.ts';
import { createSend } from './attempt.ts';
import { createDeliveries } from './deliveries.service.ts';
import { createLiveEvents } from './live-events.ts';
import { createWebhookSecrets } from './webhook-secrets.ts';
import { webhookRoutes } from './webhooks.routes.ts';
import { createWebhooks } from './webhooks.service.ts';
import { sealAddresses } from './webhooks.store.ts';
import type { WebhooksDb } from './webhooks.tables.ts';

export interface WebhooksModuleOptions {
  projects: Projects;
  database: Database;
  bus: Bus;
  receivers: Receivers;
  box: SecretBox;
  clock: Clock;
}

/** Events sent to addresses that admins name. What is sent in the end, workers do (`webhooks.jobs.ts`). */
export function createWebhooksModule(options: WebhooksModuleOptions): Module {
  const { projects, database, bus, receivers, box, clock } = options;
  const secrets = createWebhookSecrets({ box, clock });
  const checkAddress = createCheckAddress(receivers);
  const webhooks = createWebhooks({ secrets, checkAddress, clock });
  const send = createSend({ receivers, secrets, clock });
  const deliveries = createDeliveries({ webhooks, send, clock });
  let leave: () => void = () => {};
  return {
    name: 'webhooks',
    routes: webhookRoutes({ projects, webhooks, deliveries, secrets }),
    async start() {
      await database.system.write((db: WebhooksDb) => sealAddresses(db, secrets.sealAddress));
      leave = bus.subscribe(createLiveEvents({ database, clock }));
    },
    stop: async () => leave(),
  };
}
