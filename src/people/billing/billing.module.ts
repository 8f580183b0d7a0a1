import { defineModule } from '../../frame/module.ts';
import { billingRoutes } from './billing.routes.ts';
import { billingMigrations } from './billing.tables.ts';
import { createChanges } from './changes.service.ts';
import { createCheckouts } from './checkouts.service.ts';
import type { BillingContext } from './context.ts';
import { createOverview } from './overview.service.ts';
import { createProducts } from './products.service.ts';
import { createSubscriptions } from './subscriptions.service.ts';
import { createTenantEnd } from './tenant-end.ts';
import { createUpkeep } from './upkeep.ts';
import { createWebhooks, type Webhooks } from './webhook.service.ts';

/** Subscriptions and purchases at the billing provider, and what they give. */
export const billingModule = defineModule({
  name: 'billing',
  tags: {
    Billing:
      'Plans and credits: prices, checkout, the subscription, invoices, what credits were spent on, quotas, and the events of the billing provider.',
  },
  tables: billingMigrations,
  create(given: BillingContext) {
    const context = { ...given, log: given.log.child('billing') };
    const products = createProducts(context);
    const subscriptions = createSubscriptions(context);
    const tools = { context, products, subscriptions };
    const upkeep = createUpkeep(tools, (): Webhooks => webhooks);
    const webhooks = createWebhooks(tools, upkeep.soon);
    return {
      routes: billingRoutes({
        context,
        products,
        checkouts: createCheckouts(context, products),
        changes: createChanges(tools),
        overview: createOverview(context),
        webhooks,
      }),
      service: { ...createTenantEnd(context), upkeep: upkeep.pass },
      start: upkeep.start,
      stop: upkeep.stop,
    };
  },
});
