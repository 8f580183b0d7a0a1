import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CreditReservation, Credits, ReserveReply } from './credits.ts';

type MakeCredits = (t: TestContext) => Promise<Credits>;

export interface LedgerUnderTest {
  credits: Credits;
  /** A second process's view of the same ledger. */
  others: Credits;
  /** Credits that the tenant `one`, which started with 100, can still reserve. */
  available(): Promise<number>;
  /** Lets time pass until every current lease has ended. */
  passLease(): void;
  /** Lets more than half of a lease pass, so that two calls end it. */
  passHalfLease(): void;
}

type MakeLedger = (t: TestContext) => Promise<LedgerUnderTest>;

const MIRA = { tenantId: 'one', userId: 'mira' };
const OTTO = { tenantId: 'one', userId: 'otto' };
const operation = (id: string) => ({ id, kind: 'ai_generate' });

/** A settlement without what remains, which has a test of its own. */
async function settle(credits: Credits, reservation: CreditReservation, actual: number) {
  const reply = await credits.settle(reservation, actual);
  return reply.outcome === 'settled' ? { outcome: reply.outcome, charged: reply.charged } : reply;
}

function reservationOf(reply: ReserveReply): CreditReservation {
  assert.equal(reply.outcome, 'reserved');
  return reply.outcome === 'reserved' ? reply.reservation : assert.fail();
}

const times = <Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

/** Tests for every adapter, including one that keeps no ledger; `make` returns one with at least 100 credits. */
export function creditsConformance(make: MakeCredits): void {
  test('what is reserved can be settled for less, and again with the same answer', async (t) => {
    const credits = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    const { tenantId, userId, amount } = reservation;
    assert.deepEqual([{ tenantId, userId }, amount, reservation.operation], [MIRA, 30, operation('a')]);
    for (let round = 0; round < 2; round += 1)
      assert.deepEqual(await settle(credits, reservation, 12), { outcome: 'settled', charged: 12 });
  });

  test('no more is charged than was reserved', async (t) => {
    const credits = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    assert.deepEqual(await settle(credits, reservation, 31), { outcome: 'settled', charged: 30 });
  });

  test('what is reserved can be released, and again', async (t) => {
    const credits = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    for (let round = 0; round < 2; round += 1)
      assert.deepEqual(await credits.release(reservation), { outcome: 'released' });
  });

  test('of an operation there is one reservation, however many ask for it at once', async (t) => {
    const credits = await make(t);
    const replies = await times(50, () => credits.reserve(MIRA, 30, operation('a')));
    assert.equal(new Set(replies.map((reply) => reservationOf(reply).reservationId)).size, 1);
    const other = reservationOf(await credits.reserve(MIRA, 30, operation('b')));
    assert.equal(
      replies.map(reservationOf).some((each) => each.reservationId === other.reservationId),
      false,
    );
  });

  test('nothing is an amount, and what is not whole or below nothing is none', async (t) => {
    const credits = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 0, operation('a')));
    for (const amount of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      await assert.rejects(credits.reserve(MIRA, amount, operation('b')), RangeError);
      await assert.rejects(credits.settle(reservation, amount), RangeError);
    }
    assert.deepEqual(await settle(credits, reservation, 0), { outcome: 'settled', charged: 0 });
  });
}

export function creditLedgerConformance(make: MakeLedger): void {
  creditsConformance(async (t) => (await make(t)).credits);

  test('what is reserved cannot be reserved by others, and what is left over can', async (t) => {
    const { credits, others, available } = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 70, operation('a')));
    assert.equal(await available(), 30);
    const refused = { outcome: 'refused', needed: 40, available: 30 };
    assert.deepEqual(await others.reserve(OTTO, 40, operation('b')), refused);
    await credits.settle(reservation, 20);
    assert.equal(await available(), 80);
    const next = reservationOf(await others.reserve(OTTO, 80, operation('b')));
    await others.release(next);
    assert.equal(await available(), 80);
  });

  test('a settlement says what remains', async (t) => {
    const { credits, others, available } = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    await others.reserve(OTTO, 20, operation('b'));
    for (let round = 0; round < 2; round += 1) {
      const reply = await credits.settle(reservation, 12);
      assert.equal(reply.outcome === 'settled' && reply.remaining, await available());
    }
  });

  test('what was settled stays so, whatever is asked later', async (t) => {
    const { credits, others, available, passLease } = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    const settled = { outcome: 'settled', charged: 12 };
    assert.deepEqual(await settle(credits, reservation, 12), settled);
    assert.deepEqual(await settle(others, reservation, 25), settled);
    assert.deepEqual(await others.release(reservation), settled);
    assert.deepEqual(await others.reserve(MIRA, 30, operation('a')), settled);
    passLease();
    assert.deepEqual(await settle(credits, reservation, 12), settled);
    assert.equal(await available(), 88);
  });

  test('what was released cannot be settled, and the operation may be tried anew', async (t) => {
    const { credits, others, available } = await make(t);
    const first = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    await credits.release(first);
    assert.deepEqual(await settle(others, first, 12), { outcome: 'lapsed' });
    assert.equal(await available(), 100);
    const second = reservationOf(await others.reserve(MIRA, 50, operation('a')));
    assert.equal(second.amount, 50);
    // A late call for the first reservation must not touch the second.
    assert.deepEqual(await credits.release(first), { outcome: 'released' });
    assert.deepEqual(await settle(credits, first, 12), { outcome: 'lapsed' });
    assert.equal(await available(), 50);
    assert.deepEqual(await settle(others, second, 40), { outcome: 'settled', charged: 40 });
  });

  test('a reservation that nobody ends lapses with its lease, which asking again renews', async (t) => {
    const { credits, others, available, passLease, passHalfLease } = await make(t);
    const forgotten = reservationOf(await credits.reserve(MIRA, 40, operation('forgotten')));
    const renewed = reservationOf(await credits.reserve(MIRA, 30, operation('renewed')));
    passHalfLease();
    const again = reservationOf(await others.reserve(MIRA, 99, operation('renewed')));
    assert.deepEqual([again.reservationId, again.amount], [renewed.reservationId, 30]);
    assert.ok((again.expiresAtMs ?? 0) > (renewed.expiresAtMs ?? 0));
    passHalfLease();
    assert.equal(await available(), 70);
    assert.deepEqual(await settle(credits, forgotten, 12), { outcome: 'lapsed' });
    assert.deepEqual(await credits.release(forgotten), { outcome: 'released' });
    assert.deepEqual(await settle(credits, renewed, 10), { outcome: 'settled', charged: 10 });
    assert.equal(await available(), 90);
    const anew = reservationOf(await credits.reserve(MIRA, 90, operation('forgotten')));
    passLease();
    assert.deepEqual(await settle(others, anew, 90), { outcome: 'lapsed' });
  });

  test('fifty at once never take more than there is, and each settles once', async (t) => {
    const { credits, others, available } = await make(t);
    const here = (index: number) => (index % 2 ? credits : others);
    const replies = await times(50, (index) => here(index).reserve(MIRA, 9, operation(`o${index}`)));
    const reservations = replies.flatMap((reply) =>
      reply.outcome === 'reserved' ? [reply.reservation] : [],
    );
    assert.equal(reservations.length, 11);
    assert.equal(await available(), 1);
    const [first = assert.fail(), ...rest] = reservations;
    const settled = await times(50, (index) => settle(here(index), first, 1 + (index % 9)));
    const charged = settled.map((reply) => (reply.outcome === 'settled' ? reply.charged : assert.fail()));
    assert.equal(new Set(charged).size, 1);
    const left = 10 - (charged[0] ?? 0);
    assert.equal(await available(), left);
    await times(50, (index) => here(index).release(rest[index % rest.length] ?? assert.fail()));
    assert.equal(await available(), left + 90);
  });

  test('of settling and releasing at once, one comes first and both answer so', async (t) => {
    const { credits, others, available } = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    const [settled, released] = await Promise.all([
      times(25, () => settle(credits, reservation, 12)),
      times(25, () => others.release(reservation)),
    ]);
    const outcomes = new Set([...settled, ...released].map((reply) => reply.outcome));
    const isCharged = outcomes.has('settled');
    assert.deepEqual([...outcomes].sort(), isCharged ? ['settled'] : ['lapsed', 'released']);
    assert.equal(await available(), isCharged ? 88 : 100);
  });

  test('an operation of another tenant is another one', async (t) => {
    const { credits, available } = await make(t);
    const reservation = reservationOf(await credits.reserve(MIRA, 30, operation('a')));
    const stranger = { tenantId: 'two', userId: 'mira' };
    // The stranger may have no credits at all, but never gets another tenant's reservation or receipt.
    const meanwhile = await credits.reserve(stranger, 100, operation('a'));
    if (meanwhile.outcome === 'reserved') {
      assert.equal(meanwhile.reservation.tenantId, 'two');
      await credits.release(meanwhile.reservation);
    }
    await credits.settle(reservation, 30);
    assert.notEqual((await credits.reserve(stranger, 100, operation('a'))).outcome, 'settled');
    assert.deepEqual(await settle(credits, { ...reservation, ...stranger }, 30), { outcome: 'lapsed' });
    await credits.release({ ...reservation, ...stranger });
    assert.equal(await available(), 70);
  });
}
