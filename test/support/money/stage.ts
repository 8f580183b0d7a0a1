import type { Kysely } from 'kysely';
import { PLANS } from '../../../src/access/plans.ts';
import type { CreditTables } from '../../../src/people/credits/credits.tables.ts';
import { createTenants } from '../../../src/people/tenants/index.ts';
import type { TenantTables } from '../../../src/people/tenants/tenants.tables.ts';
import type { UserTables } from '../../../src/people/users/users.tables.ts';
import { DatabaseError } from '../../../src/platform/database/database.ts';
import { createTestClock, type TestClock } from '../auth.ts';
import type { SentEvent } from '../payments/deliveries.ts';
import type { Subscription } from '../payments/objects.ts';
import { type PaymentServer, startPaymentServer } from '../payments/payment-server.ts';
import type { Random } from '../replica/random.ts';
import type { Journal } from '../replicas/journal.ts';
import { createTestLog } from '../test-log.ts';
import type { Connection } from './connections.ts';
import { type BetaCode, createTenantModel, type EventModel, mismatch, type TenantModel } from './model.ts';
import { Killed } from './mortal-database.ts';
import { type MoneyProcess, startMoneyProcess } from './process.ts';
import type { MoneyWorld } from './world.ts';

export const DAY_MS = 24 * 3_600_000;
const MOST_TRIES = 20;

/** Nobody knows what became of a call. */
export const LOST = Symbol('lost');
export type Lost = typeof LOST;

interface Running {
  process: MoneyProcess;
  connection: Connection;
}

export interface Stage {
  random: Random;
  journal: Journal;
  clock: TestClock;
  server: PaymentServer;
  tenants: TenantModel[];
  /** Tenants that were deleted. */
  gone: TenantModel[];
  codes: BetaCode[];
  events: Map<string, EventModel>;
  /** Events that the provider made besides those that it keeps. */
  further: SentEvent[];
  /** Whatever is ordered is paid for: no trials, no cards that fail, and nothing ends at once. */
  isPlain: boolean;
  /** The provider may fail in this step. */
  troubled: boolean;
  /** Never delivered. */
  dropped: Set<string>;
  /** A number that was not given before. */
  number(): number;
  processes(): readonly [MoneyProcess, MoneyProcess];
  /** One of the two. */
  any(): MoneyProcess;
  other(than: MoneyProcess): MoneyProcess;
  /** Calls a process; `LOST` if it died meanwhile, and another one runs in its place. */
  attempt<Result>(
    work: (process: MoneyProcess) => Promise<Result>,
    on?: MoneyProcess,
  ): Promise<Result | Lost>;
  /** As a client does that needs an answer: the same call again, wherever it gets to. */
  untilAnswered<Result>(work: (process: MoneyProcess) => Promise<Result>): Promise<Result>;
  kill(process: MoneyProcess): Promise<void>;
  /** Notes what each tenant may spend now. */
  sample(): Promise<void>;
  read<Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  write<Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

async function addPeople(world: MoneyWorld, tenantId: string, count: number, atMs: number) {
  const at = new Date(atMs).toISOString();
  const people = Array.from({ length: count }, (_, index) => ({ tenantId, userId: `${tenantId}-${index}` }));
  await world.database.system.write(async (db: Kysely<UserTables>) => {
    for (const { userId } of people)
      await db
        .insertInto('users')
        .values({
          user_id: userId,
          tenant_id: tenantId,
          email: `${userId}@people.example`,
          display_name: userId,
          password_hash: '',
          role: 'owner',
          tenant_role: 'owner',
          avatar_url: null,
          email_verified: 1,
          email_verified_at: null,
          is_active: 1,
          created_at: at,
          updated_at: at,
          session_epoch: 0,
        })
        .execute();
  });
  return people;
}

/** The credits that the tenant's row comes to a month. */
export async function monthlyOf(stage: Pick<Stage, 'read'>, tenant: TenantModel): Promise<number> {
  const { plan, max_users, credits_monthly } = await stage.read((db: Kysely<TenantTables>) =>
    db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenant.tenantId).executeTakeFirstOrThrow(),
  );
  const seats = max_users > 0 ? max_users : tenant.people.length;
  return credits_monthly * (PLANS[plan].credits_pooled ? seats : 1);
}

async function lastPostingOf(stage: Pick<Stage, 'read'>, { tenantId }: TenantModel): Promise<number> {
  const row = await stage.read((db: Kysely<CreditTables>) =>
    db.selectFrom('credit_accounts').select('last_seq').where('tenant_id', '=', tenantId).executeTakeFirst(),
  );
  return row?.last_seq ?? 0;
}

/** Two processes, a provider and two tenants, on a day that the seed draws. */
export async function openStage(world: MoneyWorld, random: Random, journal: Journal): Promise<Stage> {
  // Ends of months are where calendars go wrong.
  const start = Date.UTC(
    2026,
    random.integer(12),
    random.pick([1, 15, 28, 29, 30, 31]),
    10,
    0,
    0,
    random.integer(1000),
  );
  const clock = createTestClock(start);
  const server = await startPaymentServer({ clock });
  world.copyCatalog(server);
  const testLog = createTestLog();
  testLog.expectErrors(/second subscription/);
  // Money for a tenant that is gone; whether others are held is checked at rest.
  testLog.expectErrors(/billing event/);
  const { system } = world.database;

  const run = (): Running => {
    const connection = world.connections.take();
    const process = startMoneyProcess({ ...connection, clock, server, log: testLog.log });
    return { process, connection };
  };
  const running: [Running, Running] = [run(), run()];
  const dead: Running[] = [];
  const usable: Connection[] = [];
  const own = createTenants({ database: world.database, clock });
  const tenants: TenantModel[] = [];
  for (const name of ['Alder', 'Birch']) {
    const { tenantId } = await own.create({ name });
    tenants.push(createTenantModel(tenantId, await addPeople(world, tenantId, 2, start)));
  }
  let count = 0;

  async function kill(process: MoneyProcess): Promise<void> {
    process.kill();
    const place = running.findIndex((each) => each.process === process);
    const found = running[place];
    if (found === undefined) return;
    journal.note(`process ${place}`, 'is killed');
    running[place] = run();
    if ((await found.connection.cut()) === 'usable') usable.push(found.connection);
    dead.push(found);
  }

  const stage: Stage = {
    random,
    journal,
    clock,
    server,
    tenants,
    gone: [],
    codes: [],
    events: new Map(),
    further: [],
    isPlain: false,
    troubled: false,
    dropped: new Set(),
    number: () => {
      count += 1;
      return count;
    },
    processes: () => [running[0].process, running[1].process],
    any: () => random.pick(running).process,
    other: (than) => (running[0].process === than ? running[1].process : running[0].process),
    async attempt(work, on = stage.any()) {
      try {
        return await work(on);
      } catch (error) {
        if (!on.life.isDead()) throw error;
        if (!(error instanceof Killed) && !(error instanceof DatabaseError))
          journal.note('a dead process', 'failed otherwise', { error: String(error) });
        await kill(on);
        return LOST;
      }
    },
    async untilAnswered(work) {
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const answer = await stage.attempt(work);
        if (answer !== LOST && !isUnavailable(answer)) return answer;
      }
      return mismatch('no answer', { tries: MOST_TRIES });
    },
    kill,
    async sample() {
      for (const tenant of tenants)
        tenant.samples.push({
          seq: await lastPostingOf(stage, tenant),
          monthly: await monthlyOf(stage, tenant),
        });
    },
    read: system.read,
    write: system.write,
    async close() {
      for (const { process } of [...running, ...dead]) await process.close();
      await server.close();
      for (const connection of [...running.map((each) => each.connection), ...usable])
        world.connections.giveBack(connection);
    },
  };
  await stage.sample();
  return stage;
}

const isUnavailable = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'status' in answer && answer.status === 503;

/** Where the provider's periods began, and from which times it counts months, as its events told. */
export function subscriptionStarts({ server }: Stage, { tenantId }: TenantModel) {
  const starts = new Set<number>();
  const anchors = new Set<number>();
  for (const { event } of server.events) {
    const { object } = event.data;
    const { metadata, billing_cycle_anchor: anchor, items } = object as unknown as Subscription;
    if (object.object !== 'subscription' || metadata.tenant_id !== tenantId) continue;
    anchors.add(anchor * 1000);
    for (const { current_period_start: start } of items.data) starts.add(start * 1000);
  }
  return { starts, anchors };
}
