import { type Kysely, sql } from 'kysely';
import { tablesOf } from '../../../src/frame/assemble.ts';
import { accessMigrations } from '../../../src/people/access-changes/access-changes.tables.ts';
import { betaModule } from '../../../src/people/beta/index.ts';
import { CATALOG } from '../../../src/people/billing/catalog.ts';
import { billingModule } from '../../../src/people/billing/index.ts';
import { creditsModule } from '../../../src/people/credits/index.ts';
import { lettersModule } from '../../../src/people/letters/index.ts';
import { tenantMigrations } from '../../../src/people/tenants/tenants.tables.ts';
import { userMigrations } from '../../../src/people/users/users.tables.ts';
import { createStripePayments } from '../../../src/platform/payments/adapters/stripe-payments.ts';
import type { OpenDatabase } from '../databases.ts';
import { type PaymentServer, startPaymentServer } from '../payments/payment-server.ts';
import { createConnections } from './connections.ts';

/** Everything of a tenant but its events and mails. */
export const TENANT_TABLES = [
  'billing_customers',
  'billing_subscriptions',
  'billing_changes',
  'billing_checkouts',
  'billing_purchases',
  'billing_invoices',
  'credit_accounts',
  'credit_lots',
  'credit_reservations',
  'credit_members',
  'credit_postings',
  'credit_entries',
  'credit_usage',
  'credit_usage_totals',
  'credit_answers',
  'beta_redemptions',
  'tenant_plan_grants',
  'tenants',
  'users',
] as const;

/** Everything that a history leaves behind. */
const TABLES = [
  ...TENANT_TABLES,
  'billing_events',
  'billing_catalog',
  'beta_codes',
  'letters',
  'access_changes',
] as const;

const MIGRATIONS = [
  ...accessMigrations,
  ...tenantMigrations,
  ...userMigrations,
  ...tablesOf([lettersModule, creditsModule, billingModule, betaModule]),
];

/** The products for sale, made once by the setup and copied to the provider of each history. */
async function soldAt(server: PaymentServer): Promise<void> {
  const shop = createStripePayments({ apiKey: server.apiKey, apiBase: server.url });
  for (const product of CATALOG) await shop.putProduct(product);
  shop.close();
}

/** A database for one history after another. */
export async function openMoneyWorld(open: OpenDatabase) {
  const opened = await open();
  await opened.database.migrate(MIGRATIONS);
  const shop = await startPaymentServer();
  await soldAt(shop);
  const connections = createConnections(opened);
  const { system } = opened.database;
  return {
    database: opened.database,
    connections,
    copyCatalog({ state: { products, prices } }: PaymentServer): void {
      for (const [id, product] of shop.state.products) products.set(id, structuredClone(product));
      for (const [id, price] of shop.state.prices) prices.set(id, structuredClone(price));
    },
    /** As on the first day. */
    clear: (): Promise<void> =>
      system.write(async (db: Kysely<unknown>) => {
        for (const table of TABLES) await sql`delete from ${sql.table(table)}`.execute(db);
      }),
    async close(): Promise<void> {
      await shop.close();
      await connections.close();
      await opened.close();
    },
  };
}

export type MoneyWorld = Awaited<ReturnType<typeof openMoneyWorld>>;
