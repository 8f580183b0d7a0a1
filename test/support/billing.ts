import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { PlanName, Role } from '../../src/access/plans.ts';
import { assemble, tablesOf } from '../../src/frame/assemble.ts';
import { unauthorized } from '../../src/kit/errors.ts';
import { createServer } from '../../src/kit/http/server.ts';
import type { Principal } from '../../src/kit/principal.ts';
import { accessMigrations } from '../../src/people/access-changes/access-changes.tables.ts';
import { billingModule } from '../../src/people/billing/billing.module.ts';
import type { BillingTables } from '../../src/people/billing/billing.tables.ts';
import { CATALOG } from '../../src/people/billing/catalog.ts';
import { creditMigrations } from '../../src/people/credits/credits.tables.ts';
import {
  type CreditAddition,
  type CreditBooks,
  type CreditPeriod,
  createLedger,
  tenantAllowances,
} from '../../src/people/credits/index.ts';
import { createLetters } from '../../src/people/letters/letters.service.ts';
import { type LetterTables, letterMigrations } from '../../src/people/letters/letters.tables.ts';
import { createTenants } from '../../src/people/tenants/index.ts';
import { tenantMigrations } from '../../src/people/tenants/tenants.tables.ts';
import { userMigrations } from '../../src/people/users/users.tables.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Executor } from '../../src/platform/database/dialect.ts';
import type { Migration } from '../../src/platform/database/migration.ts';
import { createTable, key, notNull } from '../../src/platform/database/tables.ts';
import { createStripeEvents } from '../../src/platform/payments/adapters/stripe-events.ts';
import { createStripePayments } from '../../src/platform/payments/adapters/stripe-payments.ts';
import { translateError } from '../../src/surfaces/translate-error.ts';
import { createTestClock, type TestClock } from './auth.ts';
import type { OpenDatabase } from './databases.ts';
import { listen } from './listen.ts';
import { type PaymentServer, startPaymentServer } from './payments/payment-server.ts';
import { createTestLog } from './test-log.ts';

interface BookTables {
  test_bookings: { reference: string; tenant_id: string; amount: number };
  test_periods: { reference: string; tenant_id: string; amount: number };
}

const bookMigrations: readonly Migration[] = [
  {
    name: 'test-books-1',
    async up({ schema }, { text, bigint }) {
      for (const table of ['test_bookings', 'test_periods'])
        await createTable(schema, table, [
          key(text, 'reference'),
          notNull(text, 'tenant_id'),
          notNull(bigint, 'amount'),
        ]);
    },
  },
];

const DAY_MS = 24 * 3_600_000;

/** A ledger in rows, so that what is undone is undone here too. */
const testBooks: CreditBooks = {
  async add(db: Executor, { tenantId, reference, amount }: CreditAddition) {
    const { numInsertedOrUpdatedRows } = await (db as Kysely<BookTables>)
      .insertInto('test_bookings')
      .values({ reference, tenant_id: tenantId, amount })
      .onConflict((conflict) => conflict.column('reference').doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  },
  async beginPeriod(db: Executor, { tenantId, startMs }: CreditPeriod) {
    const tables = db as Kysely<BookTables>;
    const last = await tables
      .selectFrom('test_periods')
      .select('amount')
      .where('tenant_id', '=', tenantId)
      .orderBy('amount', 'desc')
      .executeTakeFirst();
    if (last !== undefined && last.amount >= startMs - DAY_MS) return;
    await tables
      .insertInto('test_periods')
      .values({ reference: `${tenantId} ${startMs}`, tenant_id: tenantId, amount: startMs })
      .execute();
  },
  extend: async () => {},
};

export interface Asked<Body> {
  status: number;
  body: Body & { detail: string; code: string };
  headers: Headers;
}

export interface BillingProcess {
  app: FastifyInstance;
  url: string;
  webhookUrl: string;
  /** The pass of the upkeep, once. */
  upkeep(): Promise<void>;
  stopPayments(tenantId: string): Promise<void>;
  endTenant(tenantId: string): Promise<void>;
  close(): Promise<void>;
}

export interface BillingSetup {
  open: OpenDatabase;
  /** False: no BILLING_API_KEY, or no BILLING_WEBHOOK_SECRET. */
  key?: boolean;
  secret?: boolean;
  /** Of a self-hosted core. */
  localPlan?: PlanName;
  timeoutMs?: number;
  sold?: boolean;
  /** With the ledger itself; otherwise bookings are rows of the tests. */
  ledger?: boolean;
}

/** The module on a socket, the provider of the tests on another. */
export async function startBilling(setup: BillingSetup) {
  const opened = await setup.open();
  const clock = createTestClock();
  const server = await startPaymentServer({ clock });
  const testLog = createTestLog();
  await opened.database.migrate([
    ...accessMigrations,
    ...tenantMigrations,
    ...letterMigrations,
    ...bookMigrations,
    ...userMigrations,
    ...creditMigrations,
    ...tablesOf([billingModule]),
  ]);
  const members = new Map<string, number>();
  const shared = { setup, server, clock, log: testLog.log, members };
  if (setup.sold !== false) {
    const shop = createStripePayments({ apiKey: server.apiKey, apiBase: server.url });
    for (const product of CATALOG) await shop.putProduct(product);
    shop.close();
  }
  const processes = [await startProcess(opened.database, shared)];
  const tenants = createTenants({ database: opened.database, clock });
  const [first] = processes;
  assert.ok(first);

  type Tables = BillingTables & BookTables;
  const rows = <Name extends keyof Tables>(table: Name): Promise<Tables[Name][]> =>
    opened.database.system.read(
      (db: Kysely<Tables>) => db.selectFrom<keyof Tables>(table).selectAll().execute() as Promise<unknown>,
    ) as Promise<Tables[Name][]>;

  const ask = async <Body = Record<string, unknown>>(
    as: string | null,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Asked<Body>> => {
    const response = await fetch(`${first.url}/api/billing${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(as !== null && { authorization: `Bearer ${as}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text), headers: response.headers };
  };

  /** Events that the provider makes meanwhile are delivered, again until they are accepted. */
  const happening = async <Result>(work: () => Promise<Result> | Result): Promise<Result> => {
    const delivery = server.deliverTo(first.webhookUrl);
    const result = await work();
    await delivery.idle();
    await delivery.stop();
    const accepted = new Set(
      delivery.attempts.flatMap(({ event, status }) => (status === 200 ? event.id : [])),
    );
    for (const { event, status } of delivery.attempts)
      assert.ok(accepted.has(event.id), `${event.type} ${status}`);
    return result;
  };

  return {
    ...first,
    ...testLog,
    happening,
    /** Time of the module and of the provider alike. */
    pass: (ms: number): Promise<void> =>
      happening(() => {
        clock.pass(ms);
        server.advance(0);
      }),
    /** The tenant pays at the page of its checkout. */
    async subscribe(tenantId: string, order: object, card: 'ok' | 'declines' = 'ok'): Promise<void> {
      const page = await ask<{ checkout_id: string }>(`owner:${tenantId}`, 'POST', '/checkout', order);
      assert.equal(page.status, 200, page.body.detail);
      await happening(() => server.completeCheckout(page.body.checkout_id, { card }));
    },
    opened,
    server,
    clock,
    tenants,
    credits: createLedger({
      database: opened.database,
      clock,
      readAllowances: tenantAllowances({ clock }),
    }),
    members,
    rows,
    ask,
    /** One more process on the same database; SQLite has one process, so there it shares the connection. */
    async another(): Promise<BillingProcess> {
      const { dialect } = opened.database;
      const database = dialect.name === 'postgres' ? opened.again() : opened.database;
      const process = await startProcess(database, shared);
      processes.push(process);
      return process;
    },
    tenant: async (name = 'Studio'): Promise<string> =>
      (await tenants.create({ name, slug: `studio-${++count}` })).tenantId,
    planOf: async (tenantId: string) => {
      const { plan, maxUsers } = await tenants.existing(tenantId);
      return [plan, maxUsers];
    },
    /** Until then every booking fails. */
    async hideBooks() {
      const rename = (from: string, to: string) =>
        opened.database.system.write(async (db: Kysely<unknown>) => {
          await db.schema.alterTable(from).renameTo(to).execute();
        });
      await rename('test_bookings', 'test_bookings_hidden');
      return { back: () => rename('test_bookings_hidden', 'test_bookings') };
    },
    /** Subjects of the mails to the owners of a tenant. */
    mails: async (tenantId: string): Promise<string[]> =>
      (
        await opened.database.system.read((db: Kysely<LetterTables>) =>
          db
            .selectFrom('letters')
            .select('subject')
            .where('recipient', '=', `owner@${tenantId}.example`)
            .execute(),
        )
      ).map(({ subject }) => subject),
    async close() {
      await server.close();
      for (const process of processes) await process.close();
      await opened.close();
    },
  };
}

export type Billing = Awaited<ReturnType<typeof startBilling>>;

let count = 0;

interface Shared {
  setup: BillingSetup;
  server: PaymentServer;
  clock: TestClock;
  log: ReturnType<typeof createTestLog>['log'];
  members: Map<string, number>;
}

async function startProcess(database: Database, shared: Shared): Promise<BillingProcess> {
  const { setup, server, clock, log, members } = shared;
  const { key: hasKey = true, secret = true, localPlan = null, timeoutMs = 400 } = setup;
  const payments = hasKey
    ? createStripePayments({ apiKey: server.apiKey, apiBase: server.url, timeoutMs, retries: 0 })
    : null;
  const tenants = createTenants({ database, clock });
  const nobody = { send: () => Promise.reject(new Error('mails stay in their table here')) };
  const context = {
    database,
    clock,
    log,
    config: { corsOrigins: ['https://studio.example.com'] },
    payments,
    paymentEvents: secret ? createStripeEvents({ secret: server.webhookSecret }) : null,
    planGrants: tenants.grants,
    books: setup.ledger
      ? createLedger({ database, clock, readAllowances: tenantAllowances({ clock }) })
      : testBooks,
    letters: createLetters({ database, mailer: nobody, clock, log }),
    publicUrl: 'https://canonry.example.com',
    tenantOf: tenants.find,
    ownersOf: async (tenantId: string) => [`owner@${tenantId}.example`],
    countMembers: async (tenantId: string) => members.get(tenantId) ?? 1,
    localPlan,
  };
  const people = assemble(context, [billingModule]);
  const { stopPayments, endTenant, upkeep } = people.service(billingModule);
  const app = await createServer({
    routes: people.modules.flatMap(({ routes }) => routes),
    authenticate: principalOf,
    rateLimit: () => null,
    anonymous: null,
    verifyReplies: true,
    log,
    corsOrigins: [],
    trustedProxies: [],
    translateError,
  });
  const url = await listen({ app });
  return {
    app,
    url,
    webhookUrl: `${url}/api/billing/webhook`,
    upkeep: () => upkeep(new AbortController().signal),
    stopPayments,
    endTenant,
    async close() {
      await app.close();
      payments?.close();
    },
  };
}

/** `owner:TENANT`, or `key:TENANT` for an API key of an owner. */
function principalOf(token: string): Principal {
  const [name = '', tenantId = ''] = token.split(':');
  if (tenantId === '') throw unauthorized('no such token');
  const role = (name === 'key' ? 'owner' : name) as Role;
  return {
    userId: `${role}-of-${tenantId}`,
    email: `${role}@${tenantId}.example`,
    tenantId,
    role,
    tenantRole: role,
    plan: 'free',
    ...(name === 'key' && { apiKey: { keyId: 'k', mayOnlyRead: false, mayWriteDirectly: true } }),
  };
}
