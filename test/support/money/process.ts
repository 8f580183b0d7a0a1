import { Readable } from 'node:stream';
import type { Kysely } from 'kysely';
import type { PlanName } from '../../../src/access/plans.ts';
import { assemble } from '../../../src/frame/assemble.ts';
import { type Clock, isoTime } from '../../../src/kit/clock.ts';
import { HttpError } from '../../../src/kit/errors.ts';
import type { Log } from '../../../src/kit/log.ts';
import type { Principal } from '../../../src/kit/principal.ts';
import { Reply, type Route, type RouteRequest } from '../../../src/kit/route.ts';
import { betaModule } from '../../../src/people/beta/index.ts';
import { billingModule } from '../../../src/people/billing/index.ts';
import { type CreditMember, creditsModule, tenantAllowances } from '../../../src/people/credits/index.ts';
import { createUpkeep } from '../../../src/people/credits/upkeep.ts';
import { lettersModule } from '../../../src/people/letters/index.ts';
import { createTenantDeletion } from '../../../src/people/tenant-deletion/deletion.service.ts';
import { createTenants } from '../../../src/people/tenants/index.ts';
import type { UserTables } from '../../../src/people/users/users.tables.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { createStripeEvents } from '../../../src/platform/payments/adapters/stripe-events.ts';
import { createStripePayments } from '../../../src/platform/payments/adapters/stripe-payments.ts';
import type { SentEvent } from '../payments/deliveries.ts';
import type { PaymentServer } from '../payments/payment-server.ts';
import { createLife, mortalDatabase, type SharedLocks } from './mortal-database.ts';

export interface Person {
  tenantId: string;
  userId: string;
}

/** Somebody of a tenant of their own, which runs the installation. */
export const OPERATOR: Person = { tenantId: 'operator', userId: 'operator' };

export interface Asked {
  /** `POST /api/billing/checkout`, as the contract has it. */
  route: string;
  body?: object;
  /** Of the header `Idempotency-Key`. */
  key?: string;
}

export interface Answered {
  status: number;
  body: Record<string, unknown>;
  isReplayed: boolean;
}

export interface ProcessOptions {
  database: Database;
  locks: SharedLocks;
  clock: Clock;
  server: PaymentServer;
  log: Log;
}

const PUBLIC_URL = 'https://canonry.example.com';
const CONFIG = { corsOrigins: [], aiTokensPerCredit: 1000 };

const nobody = { send: () => Promise.reject(new Error('mails stay in their table here')) };

/**
 * The modules of money as `openMoney` puts them together, with connections of their own. Nothing runs by itself: the history says when
 * upkeep is done. Requests reach the handlers without HTTP, whose own tests are elsewhere.
 */
export function startMoneyProcess({ database: given, locks, clock, server, log }: ProcessOptions) {
  const life = createLife();
  const database = mortalDatabase(given, life, locks);
  const payments = createStripePayments({
    apiKey: server.apiKey,
    apiBase: server.url,
    timeoutMs: 5_000,
    retries: 0,
  });
  const tenants = createTenants({ database, clock });
  const ownerOf = (tenantId: string) => `owner@${tenantId}.example`;
  /** Without names and roles: nobody asks for those here. */
  const membersOf = (tenantId: string): Promise<CreditMember[]> =>
    database.system.read(async (db: Kysely<UserTables>) => {
      const rows = await db.selectFrom('users').select('user_id').where('tenant_id', '=', tenantId).execute();
      return rows.map(({ user_id: userId }) => ({
        userId,
        displayName: userId,
        role: 'owner',
        isActive: true,
      }));
    });
  const removeUsers = (tenantId: string): Promise<void> =>
    database.system.write(async (db: Kysely<UserTables>) => {
      await db.deleteFrom('users').where('tenant_id', '=', tenantId).execute();
    });
  const shared = {
    database,
    clock,
    log,
    // These two settings are all that the modules read.
    config: CONFIG as never,
    mailer: nobody as never,
    publicUrl: PUBLIC_URL,
  };
  const ledgerModules = assemble({ ...shared, readAllowances: tenantAllowances({ clock }), membersOf }, [
    lettersModule,
    creditsModule,
  ]);
  const { ledger, checkLedger } = ledgerModules.service(creditsModule);
  const paid = assemble(
    {
      ...shared,
      payments,
      paymentEvents: createStripeEvents({ secret: server.webhookSecret }),
      planGrants: tenants.grants,
      books: ledger,
      letters: ledgerModules.service(lettersModule),
      tenantOf: tenants.find,
      ownersOf: async (tenantId: string) => [ownerOf(tenantId)],
      countMembers: async () => 1,
      localPlan: null,
      isOperator: async (tenantId: string) => tenantId === OPERATOR.tenantId,
      countAttempt: async () => {},
      mailOf: async () => null,
      lastActiveOf: async () => new Map<string, number>(),
    },
    [billingModule, betaModule],
    ledgerModules,
  );
  const routes = new Map<string, Route>(
    [...ledgerModules.modules, ...paid.modules].flatMap(({ routes: all }) =>
      all.map((each) => [`${each.contract.method} ${each.contract.path}`, each] as const),
    ),
  );
  const { endTenant: endCredits } = ledgerModules.service(creditsModule);
  const { endTenant: endBilling, stopPayments } = paid.service(billingModule);
  const { endTenant: endBeta } = paid.service(betaModule);
  const deletion = createTenantDeletion({
    tenants,
    users: { removeAll: removeUsers } as never,
    invites: { removeAll: async () => {} },
    async endTenant(tenantId) {
      await endBilling(tenantId);
      await endBeta(tenantId);
      await endCredits(tenantId);
    },
    stopPayments,
    ...{ mailer: shared.mailer, countAttempt: async () => {}, clock, log },
  });
  const creditUpkeep = createUpkeep({ database, clock, log, ledger });

  function principalOf({ tenantId, userId }: Person): Principal {
    const plan: PlanName = 'free';
    return { tenantId, userId, email: ownerOf(tenantId), role: 'owner', tenantRole: 'owner', plan };
  }

  async function handle(name: string, request: Partial<RouteRequest>): Promise<Answered> {
    life.requireLife();
    const route = routes.get(name);
    if (route === undefined) throw new Error(`no route ${name}`);
    try {
      const given = await route.handle({ query: {}, params: {}, headers: {}, ...request } as RouteRequest);
      life.requireLife();
      const body = (given instanceof Reply ? given.body : given) as Record<string, unknown>;
      const isReplayed = given instanceof Reply && given.headers['idempotency-replayed'] === 'true';
      return { status: 200, body, isReplayed };
    } catch (error) {
      life.requireLife();
      if (!(error instanceof HttpError)) throw error;
      const { code, body: more } = error.extras;
      const body = { code, detail: error.message, ...more };
      return { status: error.status, body, isReplayed: false };
    }
  }

  return {
    life,
    ledger,
    checkLedger,
    ask: (person: Person, { route, body = {}, key }: Asked): Promise<Answered> =>
      handle(route, {
        body: body as never,
        principal: principalOf(person),
        tenantId: person.tenantId,
        headers: key === undefined ? {} : { 'idempotency-key': key },
      }),
    /** An event, signed now. */
    receive: ({ payload, headers }: SentEvent): Promise<Answered> =>
      handle('POST /api/billing/webhook', { stream: Readable.from([Buffer.from(payload)]), headers }),
    async upkeep(): Promise<void> {
      await tenants.grants.endDue();
      await deletion.stopPayments(new AbortController().signal);
      await paid.service(billingModule).upkeep(new AbortController().signal);
      await creditUpkeep.pass();
    },
    /** As 30 days after an owner deleted the tenant. */
    endAccess: (tenantId: string) =>
      unlessGone(tenants.setDeletion(tenantId, isoTime(clock.now())).then(() => {})),
    forget: (tenantId: string) => unlessGone(deletion.forget(tenantId)),
    planOf: async (tenantId: string) => {
      const { plan, maxUsers, creditsMonthly } = await tenants.existing(tenantId);
      return { plan, seats: maxUsers, creditsMonthly };
    },
    read: <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) => database.system.read(work),
    /** Nobody waits for what it was doing. */
    kill(): void {
      life.kill();
      payments.close();
    },
    /** Waits for it. */
    async close(): Promise<void> {
      await ledger.idle();
      payments.close();
    },
  };
}

/** Somebody else did it meanwhile, or the answer was lost when it was done. */
const unlessGone = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) => {
    if (!(error instanceof HttpError) || error.status !== 404) throw error;
  });

export type MoneyProcess = ReturnType<typeof startMoneyProcess>;
