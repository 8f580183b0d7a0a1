import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EPOCH, openLedger } from '../../../test/support/books.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { silentLog } from '../../kit/log.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import { addMonths, DAY_MS } from './books/months.ts';
import { LEASE_MS } from './books/spending.ts';
import { checkLedger } from './check.store.ts';
import { removeBooks } from './remove.store.ts';
import { createUpkeep } from './upkeep.ts';

const MIRA = { tenantId: 'one', userId: 'mira' };
const spending = (amount: number, key?: string) => ({
  userId: 'mira',
  operation: 'ai_generate',
  provider: 'fast',
  amount,
  once: key === undefined ? null : { key, request: String(amount) },
});
const bought = (amount: number, reference: string) => ({
  tenantId: 'one',
  source: 'purchase' as const,
  amount,
  expiresAtMs: null,
  reference,
  userId: 'mira',
});

forEachDatabase((_name, open) => {
  describe('spending', () => {
    test('of 200 at once in two processes as many succeed as there are credits', async (t) => {
      const { ledger, others, database } = await openLedger(t, open);
      const replies = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          (index % 2 ? ledger : others).consume('one', spending(1 + (index % 3))),
        ),
      );
      const spent = replies.reduce((sum, reply) => sum + (reply.outcome === 'spent' ? reply.spent : 0), 0);
      const { balance, team } = await ledger.look('one', 'mira');
      assert.deepEqual([balance, team.spent], [100 - spent, spent]);
      assert.ok(balance >= 0 && balance < 3);
      assert.deepEqual(await checkLedger(database), []);
    });

    test('two processes that go on spending one by one wait for each other', async (t) => {
      const { ledger, others, database, monthly } = await openLedger(t, open);
      monthly.set('one', 1_000);
      await ledger.look('one', 'mira');
      const spendOn = async (each: typeof ledger) => {
        for (let count = 0; count < 60; count += 1)
          assert.equal((await each.consume('one', spending(1))).outcome, 'spent');
      };
      await Promise.all([ledger, others].map(spendOn));
      assert.equal((await ledger.look('one', 'mira')).balance, 880);
      assert.deepEqual(await checkLedger(database), []);
    });

    test('many tenants at once, made by two processes, have a grant each', async (t) => {
      const { ledger, others, database, monthly } = await openLedger(t, open);
      const tenants = Array.from({ length: 40 }, (_, index) => `t${index}`);
      for (const tenantId of tenants) monthly.set(tenantId, 10);
      const all = [ledger, others].flatMap((each) => tenants.map((id) => each.consume(id, spending(4))));
      assert.ok((await Promise.all(all)).every(({ outcome }) => outcome === 'spent'));
      for (const id of tenants) assert.equal((await ledger.look(id, 'mira')).balance, 2);
      assert.deepEqual(await checkLedger(database), []);
    });

    test('a key is answered once, in whichever process it comes again', async (t) => {
      const { ledger, others, clock } = await openLedger(t, open);
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? ledger : others).consume('one', spending(30, 'k')),
        ),
      );
      const spent = { outcome: 'spent', spent: 30, balance: 70, unlimited: false };
      assert.equal(replies.filter((reply) => !('isReplayed' in reply)).length, 1);
      for (const reply of replies)
        assert.deepEqual({ ...reply, isReplayed: true }, { ...spent, isReplayed: true });
      assert.deepEqual(await others.consume('one', spending(31, 'k')), { outcome: 'reused' });
      const otto = await others.consume('one', { ...spending(30, 'k'), userId: 'otto' });
      assert.equal(otto.outcome === 'spent' && otto.balance, 40);
      clock.pass(DAY_MS);
      const again = await others.consume('one', spending(30, 'k'));
      assert.equal(again.outcome === 'spent' && again.balance, 70);
      assert.equal((await ledger.look('one', 'mira')).balance, 40);
    });

    test('a tenant without a limit is refused nothing, and what it spends is recorded', async (t) => {
      const { ledger, monthly, database } = await openLedger(t, open);
      monthly.set('one', -1);
      const reply = await ledger.reserve(MIRA, 5_000, { id: 'a', kind: 'ai_generate' });
      assert.ok(reply.outcome === 'reserved');
      assert.deepEqual(await ledger.settle(reply.reservation, 4_000), {
        outcome: 'settled',
        charged: 4_000,
        remaining: -1,
      });
      const { balance, unlimited, team } = await ledger.look('one', 'mira');
      assert.deepEqual([balance, unlimited, team.spent], [0, true, 4_000]);
      assert.deepEqual(await checkLedger(database), []);
    });

    test('a tenant that does not exist has no credits, and no books', async (t) => {
      const { ledger, rows } = await openLedger(t, open);
      assert.equal((await ledger.consume('nobody', spending(1))).outcome, 'refused');
      assert.deepEqual(await rows((db) => db.selectFrom('credit_accounts').selectAll().execute()), []);
    });

    test('a purchase is booked once, with the transaction of its caller', async (t) => {
      const { ledger, database } = await openLedger(t, open);
      const add = (reference: string) =>
        database.system.write((db: Executor) => ledger.add(db, bought(50, reference)));
      assert.deepEqual(await Promise.all([add('c1'), add('c1'), add('c2')]), [true, false, true]);
      const failing = database.system.write(async (db: Executor) => {
        await ledger.add(db, bought(50, 'c3'));
        throw new Error('the caller failed');
      });
      await assert.rejects(failing, /the caller failed/);
      assert.equal((await ledger.look('one', 'mira')).balance, 200);
      await ledger.consume('one', spending(200));
      assert.equal(await add('c1'), false);
      assert.equal((await ledger.look('one', 'mira')).balance, 0);
    });

    test('a promotion expires at its time, which may be put off', async (t) => {
      const { ledger, others, database, clock } = await openLedger(t, open);
      await database.system.write(async (db: Executor) => {
        const expiresAtMs = EPOCH + DAY_MS;
        await ledger.add(db, { ...bought(50, 'beta'), source: 'promotion', expiresAtMs });
        await ledger.add(db, { ...bought(20, 'gift'), source: 'promotion', expiresAtMs });
      });
      await database.system.write((db: Executor) => ledger.extend(db, 'one', 'beta', EPOCH + 2 * DAY_MS));
      assert.equal((await others.look('one', 'mira')).balance, 170);
      clock.pass(DAY_MS);
      assert.equal((await others.look('one', 'mira')).balance, 150);
      clock.pass(DAY_MS);
      assert.equal((await others.look('one', 'mira')).balance, 100);
      assert.deepEqual(await checkLedger(database), []);
    });

    test('a subscription of a new tenant begins its first period', async (t) => {
      const { ledger, database, clock } = await openLedger(t, open);
      const startMs = EPOCH - 60_000;
      await database.system.write((db: Executor) =>
        ledger.beginPeriod(db, { tenantId: 'one', startMs, anchorMs: startMs, isPaidAnew: false }),
      );
      const { periodStartMs, periodEndMs, balance } = await ledger.look('one', 'mira');
      assert.deepEqual([periodStartMs, periodEndMs, balance], [startMs, addMonths(startMs, 1), 100]);
      clock.pass(periodEndMs - clock.now());
      await ledger.consume('one', spending(100));
      assert.equal((await ledger.look('one', 'mira')).balance, 0);
      assert.deepEqual(await checkLedger(database), []);
    });

    test('a subscription with a larger plan grants it once, in its own period', async (t) => {
      const { ledger, database, clock, monthly, rows } = await openLedger(t, open);
      await ledger.look('one', 'mira');
      clock.pass(5 * DAY_MS);
      monthly.set('one', 500);
      const startMs = clock.now();
      await database.system.write((db: Executor) =>
        ledger.beginPeriod(db, { tenantId: 'one', startMs, anchorMs: startMs, isPaidAnew: false }),
      );
      const lots = await rows((db) =>
        db.selectFrom('credit_lots').select(['amount', 'remaining']).orderBy('lot_id').execute(),
      );
      assert.deepEqual(lots, [
        { amount: 100, remaining: 0 },
        { amount: 500, remaining: 500 },
      ]);
    });

    test('upkeep ends periods and leases once, also after months, and forgets old keys', async (t) => {
      const { ledger, others, database, otherDatabase, clock, monthly, rows } = await openLedger(t, open);
      for (let index = 0; index < 120; index += 1) monthly.set(`t${index}`, 10);
      await ledger.catchUp([...monthly.keys()]);
      await ledger.reserve(MIRA, 40, { id: 'a', kind: 'ai_generate' });
      await ledger.consume('one', spending(10, 'k'));
      const [here, there] = [
        createUpkeep({ database, clock, log: silentLog, ledger }),
        createUpkeep({ database: otherDatabase, clock, log: silentLog, ledger: others }),
      ];
      const balances = () =>
        rows((db) =>
          db
            .selectFrom('credit_lots')
            .select(({ fn }) => [
              fn.sum<number>('remaining').as('left'),
              fn.sum<number>('reserved').as('held'),
            ])
            .executeTakeFirstOrThrow(),
        ).then(({ left, held }) => [Number(left), Number(held)]);
      clock.pass(LEASE_MS);
      await Promise.all([here.pass(), there.pass()]);
      assert.deepEqual(await balances(), [90 + 1_200, 0]);
      clock.pass(100 * DAY_MS);
      await Promise.all([here.pass(), there.pass()]);
      await there.pass();
      assert.deepEqual(await balances(), [100 + 1_200, 0]);
      const grants = await rows((db) =>
        db.selectFrom('credit_postings').select('seq').where('kind', '=', 'issue').execute(),
      );
      assert.equal(grants.length, 242);
      assert.deepEqual(await rows((db) => db.selectFrom('credit_answers').selectAll().execute()), []);
      assert.deepEqual(await checkLedger(database), []);
    });

    test('nothing is booked for a tenant while it is removed', async (t) => {
      const { ledger, database, clock, monthly, rows } = await openLedger(t, open);
      await ledger.reserve(MIRA, 20, { id: 'left open', kind: 'ai_generate' });
      monthly.delete('one');
      const all = (table: 'credit_accounts' | 'credit_entries' | 'credit_postings') =>
        rows((db) => db.selectFrom(table).selectAll().execute());
      const { system } = database;
      const write: typeof system.write = async (work) => {
        const result = await system.write(work);
        // The lease ends when the postings are gone already.
        if ((await all('credit_postings')).length === 0) clock.pass(LEASE_MS);
        await ledger.catchUp(['one']);
        return result;
      };
      await removeBooks({ ...system, write }, 'one');
      assert.deepEqual(await all('credit_postings'), []);
      assert.deepEqual(await all('credit_entries'), []);
      assert.deepEqual(await all('credit_accounts'), []);
    });

    test('a correction is an entry', async (t) => {
      const { ledger, database, rows } = await openLedger(t, open);
      assert.equal(await ledger.correct('one', 30, 'an outage'), 30);
      assert.equal(await ledger.correct('one', -500, 'a mistake'), -130);
      assert.equal((await ledger.look('one', 'mira')).balance, 0);
      const kinds = await rows((db) =>
        db.selectFrom('credit_postings').select('kind').orderBy('seq').execute(),
      );
      assert.deepEqual(
        kinds.map(({ kind }) => kind),
        ['issue', 'correct', 'correct'],
      );
      assert.deepEqual(await checkLedger(database), []);
    });
  });
});
