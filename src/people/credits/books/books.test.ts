import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/support/properties.ts';
import { type Books, balanceOf, type Entry, noChanges, type Posting, type Reservation } from './books.ts';
import { add, correct, extend, setUserQuota } from './changes.ts';
import { dayIn, knownTimeZone } from './days.ts';
import { beginPeriod, bringUpToDate } from './due.ts';
import { addMonths, monthAt } from './months.ts';
import { consume, release, reserve, settle } from './spending.ts';

const START = Date.UTC(2026, 0, 31, 10);
const DAY = 24 * 3_600_000;
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

function newBooks(monthly = 100): Books {
  const account = {
    tenantId: 'one',
    periodStartMs: START,
    periodEndMs: addMonths(START, 1),
    anchorMs: START,
    granted: 0,
    spent: 0,
    reserved: 0,
    lastSeq: 0,
    timeZone: 'UTC',
    quota: null,
  };
  const books: Books = {
    nowMs: START,
    monthly,
    isPlanEnding: false,
    isReal: true,
    isNew: false,
    account,
    lots: new Map(),
    reservations: new Map(),
    members: new Map(),
    answers: new Map(),
    changes: noChanges(),
  };
  bringUpToDate(books);
  return books;
}

function passTo(books: Books, nowMs: number): void {
  books.nowMs = nowMs;
  bringUpToDate(books);
}

const sumOf = (entries: readonly Entry[], account: Entry['account']): number =>
  entries.reduce((sum, entry) => sum + (entry.account === account ? entry.amount : 0), 0);

const spender = { userId: 'mira', operation: 'ai_generate', provider: '' };
const hold = (books: Books, operationId: string, amount: number): Reservation => {
  const reply = reserve(books, { ...spender, operationId, amount });
  return reply.outcome === 'reserved' ? reply.reservation : assert.fail(JSON.stringify(reply));
};
const spend = (books: Books, amount: number) => consume(books, { ...spender, amount, once: null });

/** Everything that must hold at any moment. */
function check(books: Books): void {
  const postings: readonly Posting[] = books.changes.postings;
  for (const { entries } of postings)
    assert.equal(
      entries.reduce((sum, { amount }) => sum + amount, 0),
      0,
    );
  const entries = postings.flatMap((posting) => posting.entries);
  let [remaining, reserved] = [0, 0];
  for (const lot of books.lots.values()) {
    assert.ok(lot.remaining >= 0 && lot.reserved >= 0);
    const own = entries.filter(({ lotId }) => lotId === lot.lotId);
    const left = sumOf(own, 'grants') + sumOf(own, 'promotions') + sumOf(own, 'purchases');
    assert.equal(left, lot.remaining);
    assert.equal(sumOf(own, 'reservations'), lot.reserved);
    remaining += lot.remaining;
    reserved += lot.reserved;
  }
  assert.equal(balanceOf(books), remaining);
  const issued = -sumOf(entries, 'issued') - sumOf(entries, 'unlimited');
  const held = sumOf(entries, 'reservations');
  assert.ok(held >= reserved);
  assert.equal(held, books.account.reserved);
  assert.equal(issued, remaining + held + sumOf(entries, 'spending') + sumOf(entries, 'expiry'));
  const open = [...books.reservations.values()].filter(({ openUntilMs }) => openUntilMs !== null);
  assert.equal(
    held,
    open.reduce((sum, { amount }) => sum + amount, 0),
  );
  const usage = [...books.changes.usage.values()].reduce((sum, { spent }) => sum + spent, 0);
  assert.equal(usage, sumOf(entries, 'spending'));
}

const amounts = fc.integer({ min: 0, max: 80 });
const ids = fc.constantFrom('a', 'b', 'c', 'd');
const commands = fc.oneof(
  fc.record({ kind: fc.constant('reserve' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('settle' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('release' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('consume' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('purchase' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('promotion' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('extend' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('correct' as const), id: ids, amount: fc.integer({ min: -50, max: 50 }) }),
  fc.record({ kind: fc.constant('plan' as const), id: ids, amount: fc.constantFrom(-1, 0, 50, 100, 300) }),
  fc.record({ kind: fc.constant('period' as const), id: ids, amount: amounts }),
  fc.record({ kind: fc.constant('quota' as const), id: ids, amount: amounts }),
  fc.record({
    kind: fc.constant('pass' as const),
    id: ids,
    amount: fc.constantFrom(60_000, 130_000, DAY, 32 * DAY, 100 * DAY),
  }),
);

test('whatever happens, every balance is the sum of its entries and nothing is below zero', () => {
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 60 }), (all) => {
      const books = newBooks();
      const last = new Map<string, number>();
      for (const { kind, id, amount } of all) {
        const named = { reservationId: last.get(id) ?? -1, operationId: id };
        const addition = { tenantId: 'one', reference: `${kind} ${id}`, userId: null, amount };
        if (kind === 'reserve') {
          const reply = reserve(books, { ...spender, operationId: id, amount });
          if (reply.outcome === 'reserved') last.set(id, reply.reservation.reservationId);
        } else if (kind === 'settle') settle(books, named, amount);
        else if (kind === 'release') release(books, named);
        else if (kind === 'consume') spend(books, amount);
        else if (kind === 'purchase') add(books, { ...addition, source: kind, expiresAtMs: null });
        else if (kind === 'promotion')
          add(books, { ...addition, source: kind, expiresAtMs: books.nowMs + amount * DAY });
        else if (kind === 'extend') extend(books, `promotion ${id}`, books.nowMs + amount * DAY);
        else if (kind === 'correct') correct(books, amount, id);
        else if (kind === 'quota') setUserQuota(books, 'mira', amount);
        else if (kind === 'plan') books.monthly = amount;
        else if (kind === 'period')
          beginPeriod(books, {
            tenantId: 'one',
            startMs: books.nowMs,
            anchorMs: books.nowMs,
            isPaidAnew: amount % 2 === 0,
          });
        else passTo(books, books.nowMs + amount);
        check(books);
      }
    }),
    { numRuns: 300 },
  );
});

test('months end on their day, or on the last day of a shorter month, also in leap years', () => {
  const starts = (anchor: number, count: number) =>
    Array.from({ length: count }, (_, index) => iso(addMonths(anchor, index)).slice(0, 10));
  assert.deepEqual(starts(Date.UTC(2028, 0, 31), 4), [
    '2028-01-31',
    '2028-02-29',
    '2028-03-31',
    '2028-04-30',
  ]);
  assert.deepEqual(starts(Date.UTC(2027, 0, 30), 3), ['2027-01-30', '2027-02-28', '2027-03-30']);
  assert.equal(iso(addMonths(Date.UTC(2026, 11, 31, 23, 59), 2)), '2027-02-28T23:59');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.integer({ min: 0, max: 4e12 }), (anchor, at) => {
      const { startMs, endMs } = monthAt(anchor, at);
      assert.ok(startMs <= at && at < endMs);
      assert.ok(endMs - startMs >= 28 * DAY && endMs - startMs <= 31 * DAY);
    }),
  );
});

test('a grant ends with its period, and after a sleep of months there is one new grant', () => {
  const books = newBooks();
  spend(books, 30);
  passTo(books, addMonths(START, 1) - 1);
  assert.equal(balanceOf(books), 70);
  passTo(books, addMonths(START, 1));
  assert.deepEqual([balanceOf(books), books.account.spent], [100, 0]);
  passTo(books, addMonths(START, 4) + DAY);
  assert.equal(balanceOf(books), 100);
  assert.equal(iso(books.account.periodStartMs), '2026-05-31T10:00');
  assert.equal(iso(books.account.periodEndMs), '2026-06-30T10:00');
  const grants = books.changes.postings.filter(({ kind }) => kind === 'issue');
  assert.equal(grants.length, 3);
  check(books);
});

test('what expires first is spent first, and purchases stay', () => {
  const books = newBooks();
  const addition = { tenantId: 'one', userId: null, amount: 50 };
  add(books, { ...addition, source: 'purchase', reference: 'p', expiresAtMs: null });
  add(books, { ...addition, source: 'promotion', reference: 'q', expiresAtMs: null });
  add(books, { ...addition, source: 'promotion', reference: 'r', expiresAtMs: START + DAY });
  assert.equal(add(books, { ...addition, source: 'promotion', reference: 'r', expiresAtMs: null }), false);
  const left = () => {
    const of = (reference: string) =>
      [...books.lots.values()].find((lot) => lot.reference.startsWith(reference))?.remaining;
    return [of('r'), of('grant'), of('q'), of('p')];
  };
  spend(books, 60);
  assert.deepEqual(left(), [0, 90, 50, 50]);
  spend(books, 120);
  assert.deepEqual(left(), [0, 0, 20, 50]);
  spend(books, 30);
  assert.deepEqual(left(), [0, 0, 0, 40]);
  passTo(books, addMonths(START, 1));
  assert.equal(balanceOf(books), 140);
  assert.equal(spend(books, 141).outcome, 'refused');
  check(books);
});

test('an upgrade grants the difference at once, and no cycle of plans makes credits', () => {
  const books = newBooks();
  spend(books, 100);
  for (let round = 0; round < 5; round += 1) {
    books.monthly = 500;
    passTo(books, books.nowMs);
    books.monthly = 100;
    passTo(books, books.nowMs);
  }
  assert.equal(balanceOf(books), 400);
  books.monthly = -1;
  passTo(books, books.nowMs);
  assert.equal(spend(books, 10_000).outcome, 'spent');
  assert.equal(balanceOf(books), 400);
  books.monthly = 100;
  passTo(books, addMonths(START, 1));
  assert.equal(balanceOf(books), 100);
  check(books);
});

test('an upgrade within a period grants for what is left of it', () => {
  const books = newBooks();
  const { periodStartMs, periodEndMs } = books.account;
  const half = periodStartMs + (periodEndMs - periodStartMs) / 2;
  books.monthly = 300;
  passTo(books, half);
  assert.equal(balanceOf(books), 200);
  books.monthly = 100;
  passTo(books, half + DAY);
  books.monthly = 300;
  passTo(books, half + 2 * DAY);
  assert.equal(balanceOf(books), 200, 'once for a period');
  books.monthly = 900;
  passTo(books, periodEndMs - 1);
  assert.equal(balanceOf(books), 201, 'a minute of 600 a month');
  passTo(books, periodEndMs);
  assert.equal(balanceOf(books), 900);
  check(books);
});

test('in a period that was cut short, an upgrade grants by the month', () => {
  const books = newBooks();
  passTo(books, START + 25 * DAY);
  // A subscription that began before this period, and was heard of late.
  const anchorMs = START - 5 * DAY;
  books.monthly = 700;
  beginPeriod(books, { tenantId: 'one', startMs: anchorMs, anchorMs, isPaidAnew: false });
  const end = addMonths(anchorMs, 1);
  assert.equal(books.account.periodEndMs, end);
  assert.equal(balanceOf(books), 100 + Math.ceil((600 * (end - books.nowMs)) / (end - anchorMs)));
  check(books);
});

test('a plan that is about to be taken away grants nothing', () => {
  const books = newBooks();
  books.isPlanEnding = true;
  books.monthly = 5_000;
  passTo(books, addMonths(START, 1));
  assert.equal(balanceOf(books), 0);
  books.isPlanEnding = false;
  books.monthly = 100;
  passTo(books, books.nowMs + 30_000);
  assert.equal(balanceOf(books), 100);
  check(books);
});

test('a period that is paid anew grants what the one before it had not', () => {
  const books = newBooks(300);
  const { periodStartMs, periodEndMs } = books.account;
  spend(books, 250);
  const startMs = periodStartMs + (periodEndMs - periodStartMs) / 2;
  passTo(books, startMs + 5_000);
  for (let round = 0; round < 3; round += 1)
    beginPeriod(books, { tenantId: 'one', startMs, anchorMs: startMs, isPaidAnew: true });
  assert.equal(balanceOf(books), 50 + 150);
  assert.equal(books.account.periodEndMs, addMonths(startMs, 1));
  passTo(books, addMonths(startMs, 1));
  assert.equal(balanceOf(books), 300);
  check(books);
});

test('what was reserved before an end may be spent; the rest of it has expired', () => {
  const books = newBooks();
  passTo(books, addMonths(START, 1) - 60_000);
  const reservation = hold(books, 'a', 80);
  passTo(books, addMonths(START, 1));
  assert.equal(balanceOf(books), 100);
  const named = { reservationId: reservation.reservationId, operationId: 'a' };
  assert.deepEqual(settle(books, named, 30), { outcome: 'settled', charged: 30, remaining: 100 });
  assert.equal(balanceOf(books), 100);
  assert.equal(books.account.spent, 30);
  check(books);
});

test('what was reserved before an end is not brought back by a period that is moved', () => {
  const books = newBooks();
  const endMs = addMonths(START, 1);
  passTo(books, endMs - 60_000);
  const { reservationId } = hold(books, 'a', 80);
  passTo(books, endMs + 10_000);
  beginPeriod(books, { tenantId: 'one', startMs: endMs + 5_000, anchorMs: endMs + 5_000, isPaidAnew: true });
  release(books, { reservationId, operationId: 'a' });
  assert.equal(balanceOf(books), 100);
  check(books);
});

test('however often it is renewed, a reservation ends after fifteen minutes', () => {
  const books = newBooks();
  const first = hold(books, 'a', 80);
  for (let minute = 1; minute < 15; minute += 1) {
    passTo(books, START + minute * 60_000);
    assert.equal(hold(books, 'a', 80).reservationId, first.reservationId);
  }
  assert.equal(first.openUntilMs, START + 15 * 60_000);
  passTo(books, START + 15 * 60_000);
  assert.equal(balanceOf(books), 100);
  const named = { reservationId: first.reservationId, operationId: 'a' };
  assert.deepEqual(settle(books, named, 80), { outcome: 'lapsed' });
  assert.notEqual(hold(books, 'a', 80).reservationId, first.reservationId);
});

test('a subscription begins a period with its grant, once', () => {
  const books = newBooks();
  const startMs = START + 10 * DAY;
  passTo(books, startMs + 1_000);
  books.monthly = 500;
  for (let round = 0; round < 3; round += 1)
    beginPeriod(books, { tenantId: 'one', startMs, anchorMs: startMs, isPaidAnew: false });
  assert.equal(balanceOf(books), 500);
  assert.deepEqual(
    [books.account.periodStartMs, books.account.periodEndMs],
    [startMs, addMonths(startMs, 1)],
  );
  check(books);
});

test('quotas count what is spent and reserved, and begin anew with the period', () => {
  const books = newBooks();
  setUserQuota(books, 'mira', 40);
  hold(books, 'a', 30);
  const refused = { outcome: 'refused', needed: 11, available: 10, reason: 'user_quota', balance: 70 };
  assert.deepEqual(spend(books, 11), refused);
  assert.equal(spend(books, 10).outcome, 'spent');
  assert.equal(consume(books, { ...spender, userId: 'otto', amount: 11, once: null }).outcome, 'spent');
  books.account.quota = 51;
  const team = consume(books, { ...spender, userId: 'otto', amount: 1, once: null });
  assert.equal(team.outcome === 'refused' && team.reason, 'team_quota');
  passTo(books, addMonths(START, 1));
  assert.equal(spend(books, 40).outcome, 'spent');
});

test('a day is that of the time zone, and zones have names', () => {
  const late = Date.UTC(2026, 2, 4, 23, 30);
  assert.equal(dayIn('UTC', late), '2026-03-04');
  assert.equal(dayIn('Europe/Berlin', late), '2026-03-05');
  assert.equal(dayIn('America/New_York', late), '2026-03-04');
  assert.equal(knownTimeZone('europe/berlin'), 'Europe/Berlin');
  for (const name of ['+02:00', 'Mars/Olympus', '', 'UTC; drop']) assert.equal(knownTimeZone(name), null);
});
