import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { createLedger } from '../src/people/credits/credits.service.ts';
import { creditMigrations } from '../src/people/credits/credits.tables.ts';
import { createUsage } from '../src/people/credits/usage.service.ts';
import { openPostgres } from '../src/platform/database/adapters/postgres-database.ts';
import { openSqlite } from '../src/platform/database/adapters/sqlite-database.ts';
import type { Database } from '../src/platform/database/database.ts';
import { createTable, key, notNull } from '../src/platform/database/tables.ts';
import { fillUsage, TENANT, YEAR } from './support/fill-usage.ts';
import { withPostgres } from './support/postgres.ts';
import { limitResult, type Result } from './support/report.ts';
import { inTurns, median } from './support/rounds.ts';

const CLIENTS = 20;
const SECONDS = 4;
const ROUNDS = 3;
const ASKED = 9;
const PAIRS = { postgres: 500, sqlite: 300 } as const;

type Floor = Kysely<{ floor: { id: string; amount: number } }>;

const tables = [
  ...creditMigrations,
  {
    name: 'floor-1',
    up: ({ schema }: Kysely<unknown>, { text, bigint }: Database['dialect']) =>
      createTable(schema, 'floor', [key(text, 'id'), notNull(bigint, 'amount')]),
  },
];

const onPostgres = <Result>(work: (database: Database) => Promise<Result>): Promise<Result> =>
  withPostgres(async (url) => {
    const database = openPostgres(url);
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  });

async function onSqlite<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'credits-'));
  const database = openSqlite(join(folder, 'credits.db'));
  try {
    return await work(database);
  } finally {
    await database.close();
    rmSync(folder, { recursive: true });
  }
}

/** How often a second all clients together get through `work`. */
async function rate(work: (client: number) => Promise<unknown>): Promise<number> {
  let done = 0;
  const end = performance.now() + SECONDS * 1_000;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    while (performance.now() < end) {
      await work(client);
      done += 1;
    }
  });
  await Promise.all(clients);
  return done / SECONDS;
}

const ledgerOf = (database: Database) =>
  createLedger({
    database,
    clock: { now: () => Date.now() },
    readAllowances: async (_db, ids) =>
      new Map(ids.map((id) => [id, { monthly: 1_000_000_000, isPlanEnding: false }])),
  });

async function pairs(database: Database): Promise<Result> {
  await database.migrate(tables);
  const ledger = ledgerOf(database);
  const { name } = database.dialect;
  const pair = await inTurns(ROUNDS, {
    ours: () =>
      rate(async (client) => {
        // Half of the clients share a tenant, which is the harder case for its row.
        const actor = { tenantId: client % 2 ? 'one' : `t${client}`, userId: `u${client}` };
        const reply = await ledger.reserve(actor, 20, { id: randomUUID(), kind: 'ai_generate' });
        if (reply.outcome !== 'reserved') throw new Error(`it was ${reply.outcome}`);
        await ledger.settle(reply.reservation, 12);
      }),
    floor: () =>
      rate(async () => {
        const id = randomUUID();
        await database.system.write((db: Floor) =>
          db.insertInto('floor').values({ id, amount: 20 }).execute(),
        );
        await database.system.write((db: Floor) =>
          db.updateTable('floor').set({ amount: 12 }).where('id', '=', id).execute(),
        );
      }),
  });
  return {
    what: `reserve and settle on ${name}, ${CLIENTS} clients; floor: one row written twice`,
    ours: `${Math.round(pair.ours)} pairs/s`,
    floor: `${Math.round(pair.floor)} pairs/s`,
    measured: `${pair.ratio.toFixed(2)} ×`,
    target: `≥ ${PAIRS[name]} pairs/s`,
    passed: pair.ours >= PAIRS[name],
  };
}

/** The slowest grouping of a year, over ten million entries. */
async function history(database: Database): Promise<Result> {
  await database.migrate(tables);
  await fillUsage(database);
  const usage = createUsage({
    database,
    clock: { now: () => Date.now() },
    ledger: ledgerOf(database),
    membersOf: async () => [],
  });
  const slowest = { what: '', ms: 0 };
  for (const groupBy of ['day', 'user', 'operation', 'provider'] as const) {
    const times: number[] = [];
    for (let index = 0; index < ASKED; index += 1) {
      const began = performance.now();
      const { groups } = await usage.history(TENANT, { ...YEAR, groupBy });
      if (groups.length === 0) throw new Error('there is no usage');
      times.push(performance.now() - began);
    }
    const ms = median(times);
    if (ms > slowest.ms) Object.assign(slowest, { what: groupBy, ms });
  }
  const what = `usage-history of a year by ${slowest.what}, 10 million entries on ${database.dialect.name}`;
  return limitResult(what, 'ms', slowest.ms, 100);
}

/** The ledger of credits: with `pairs` or `history`, that alone. */
export async function run([only]: readonly string[]): Promise<Result[]> {
  const results: Result[] = [];
  if (only !== 'history') results.push(await onPostgres(pairs), await onSqlite(pairs));
  if (only !== 'pairs') results.push(await onPostgres(history), await onSqlite(history));
  return results;
}
