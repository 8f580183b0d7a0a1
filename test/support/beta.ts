import type { Kysely } from 'kysely';
import type { Role } from '../../src/access/plans.ts';
import { createServer } from '../../src/kit/http/server.ts';
import { silentLog } from '../../src/kit/log.ts';
import type { Principal } from '../../src/kit/principal.ts';
import { twinRoute } from '../../src/kit/service-twin.ts';
import { accessMigrations } from '../../src/people/access-changes/access-changes.tables.ts';
import { betaModule } from '../../src/people/beta/beta.module.ts';
import { betaMigrations } from '../../src/people/beta/beta.tables.ts';
import type { CreditAddition, CreditBooks } from '../../src/people/credits/ledger.ts';
import { createLetters } from '../../src/people/letters/letters.service.ts';
import {
  type LetterRow,
  type LetterTables,
  letterMigrations,
} from '../../src/people/letters/letters.tables.ts';
import { createTenants } from '../../src/people/tenants/tenants.service.ts';
import { type TenantTables, tenantMigrations } from '../../src/people/tenants/tenants.tables.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createTestClock, type TestClock } from './auth.ts';
import { BARE_SERVER } from './bare-server.ts';
import type { OpenDatabase } from './databases.ts';

export const SERVICE_TOKEN = 'a service token of tests that is long enough';

/** Replies of the beta programme; each test reads only its own part. */
export interface BetaReply {
  detail: string;
  code: string;
  codes: { code: string; code_id: string; hint: string; state: string; uses: number; expires_at: string }[];
  total: number;
  valid: boolean;
  plan: string;
  access_ends_at: string;
  credits: number;
  features: Record<string, boolean>;
  revoked: boolean;
  withdrawn: number;
  id: string;
  feedback: Record<string, unknown>[];
  mailed: boolean;
  message: string;
  position: number | null;
  referral_code: string;
  referrals: number;
  status: string;
  entries: { entry_id: string; email: string; state: string; position: number | null; referrals: number }[];
  promoted: { entry_id: string; email: string; code_id: string }[];
  already: string[];
  unconfirmed: string[];
  unknown: string[];
  cohorts: Record<string, unknown>[];
  waitlist: Record<string, number>;
}

export interface BetaPerson {
  userId: string;
  tenantId: string;
  token: string;
}

/** Books that remember what was asked of them, once the transaction has committed or not. */
function createTestBooks() {
  const added = new Map<string, CreditAddition>();
  const failure = { isOn: false };
  const books: CreditBooks = {
    async add(_db, addition) {
      if (failure.isOn) throw new Error('the books are broken');
      const isNew = !added.has(addition.reference);
      if (isNew) added.set(addition.reference, addition);
      return isNew;
    },
    beginPeriod: async () => {},
    async extend(_db, tenantId, reference, expiresAtMs) {
      const known = added.get(reference);
      if (known?.tenantId === tenantId) added.set(reference, { ...known, expiresAtMs });
    },
  };
  return { books, failure, added: () => [...added.values()] };
}

interface Shared {
  clock: TestClock;
  books: CreditBooks;
  lastActive: Map<string, number>;
  deleted: Set<string>;
  operatorTenant: () => string;
}

const mailOfUser = (userId: string): string => `${userId}@people.example`;

async function startProcess(database: Database, shared: Shared) {
  const { clock, books, lastActive, deleted, operatorTenant } = shared;
  const tenants = createTenants({ database, clock });
  const letters = createLetters({ database, clock, log: silentLog, mailer: { send: async () => {} } });
  const attempts: string[] = [];
  const beta = betaModule.create(
    {
      database,
      clock,
      books,
      letters,
      log: silentLog,
      planGrants: tenants.grants,
      publicUrl: 'https://canonry.example',
      isOperator: async (tenantId) => tenantId === operatorTenant(),
      countAttempt: async (purpose, account) => void attempts.push(`${purpose} ${account}`),
      mailOf: async (userId) => (deleted.has(userId) ? null : mailOfUser(userId)),
      lastActiveOf: async (userIds) => new Map([...lastActive].filter(([id]) => userIds.includes(id))),
    },
    {},
  );
  const routes = beta.routes ?? [];
  const app = await createServer({
    ...BARE_SERVER,
    routes: [...routes, ...routes.map(twinRoute)],
    authenticate: (token) => JSON.parse(Buffer.from(token, 'base64url').toString()),
    anonymous: null,
    verifyReplies: true,
    serviceToken: SERVICE_TOKEN,
  });
  await beta.start?.();
  const ask = async (
    method: string,
    path: string,
    { token, body }: { token?: string; body?: object } = {},
  ) => {
    const reply = await app.inject({
      method: method as 'GET',
      url: `/api/beta/${path}`,
      ...(body && { payload: body }),
      ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }),
    });
    const isJson = String(reply.headers['content-type']).includes('json');
    const read = (isJson ? reply.json() : {}) as BetaReply;
    return { status: reply.statusCode, body: read, text: reply.body, headers: reply.headers };
  };
  return {
    app,
    ask,
    attempts,
    tenants,
    service: beta.service,
    async close() {
      await app.close();
      await beta.stop?.();
    },
  };
}

/** The routes of the beta programme on two processes with one database; mails stay in their table. */
export async function startBeta(open: OpenDatabase) {
  const { database, again, close } = await open();
  await database.migrate([...accessMigrations, ...tenantMigrations, ...letterMigrations, ...betaMigrations]);
  const clock = createTestClock();
  const { books, failure, added } = createTestBooks();
  let operatorTenant = '';
  const shared: Shared = {
    ...{ clock, books, lastActive: new Map(), deleted: new Set() },
    operatorTenant: () => operatorTenant,
  };
  const first = await startProcess(database, shared);
  const second = await startProcess(again(), shared);
  let count = 0;

  const tokenOf = (userId: string, tenantId: string, role: Role): string => {
    const principal: Principal = {
      ...{ userId, tenantId, role, tenantRole: role, plan: 'free', email: mailOfUser(userId) },
    };
    return Buffer.from(JSON.stringify(principal)).toString('base64url');
  };
  const person = (tenantId: string, role: Role): BetaPerson => {
    const userId = `user-${++count}`;
    return { userId, tenantId, token: tokenOf(userId, tenantId, role) };
  };
  const owner = async (): Promise<BetaPerson> => {
    const { tenantId } = await first.tenants.create({ name: `Tenant ${++count}` });
    return person(tenantId, 'owner');
  };

  const operator = await owner();
  operatorTenant = operator.tenantId;
  const lettersNow = (): Promise<LetterRow[]> =>
    database.system.read((db: Kysely<LetterTables>) => db.selectFrom('letters').selectAll().execute());

  return {
    ...shared,
    first,
    second,
    ask: first.ask,
    database,
    operator,
    owner,
    person,
    mailOfUser,
    /** Credits that the ledger was told to add. */
    added,
    /** Lets the ledger refuse everything. */
    ledgerFailure: failure,
    planOf: async (tenantId: string) => (await first.tenants.find(tenantId))?.plan,
    grantOf: (tenantId: string) =>
      database.system.read((db: Kysely<TenantTables>) =>
        db
          .selectFrom('tenant_plan_grants')
          .select(['plan', 'ends_at', 'features'])
          .where('tenant_id', '=', tenantId)
          .where('source', '=', 'beta')
          .executeTakeFirst(),
      ),
    mailsTo: async (address: string) =>
      (await lettersNow())
        .filter(({ recipient }) => recipient === address)
        .sort((one, other) => one.created_at - other.created_at),
    /** As an admin of the tenant that runs the installation. */
    manage: (method: string, path: string, body?: object) =>
      first.ask(method, path, { token: operator.token, ...(body && { body }) }),
    async close() {
      await first.close();
      await second.close();
      await close();
    },
  };
}

export type TestBeta = Awaited<ReturnType<typeof startBeta>>;
