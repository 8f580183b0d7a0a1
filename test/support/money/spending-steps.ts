import { isDeepStrictEqual } from 'node:util';
import { type KeyedSpend, mismatch, noteRefusal, type OpenReservation, type TenantModel } from './model.ts';
import type { Answered, MoneyProcess, Person } from './process.ts';
import { LOST, type Stage } from './stage.ts';

/** An answer is kept for two days; a client that repeats later asks for something new. */
const REPEATED_WITHIN_MS = 47 * 3_600_000;
const CONSUME = 'POST /api/billing/credits/consume';

interface Wanted {
  person: Person;
  amount: number;
  operation: string;
  key: string;
}

const consumeOn = (process: MoneyProcess, { person, amount, operation, key }: Wanted): Promise<Answered> =>
  process.ask(person, { route: CONSUME, body: { amount, operation }, ...(key !== '' && { key }) });

function checkSpend(tenant: TenantModel, { status, body }: Answered, wanted: Wanted): number {
  const { amount, person } = wanted;
  if (status === 200 && body.consumed === amount && Number(body.balance) >= 0) return amount;
  if (status === 402 && Number(body.available) < amount && body.needed === amount) {
    noteRefusal(tenant, { userId: person.userId, amount, reason: body.code });
    return 0;
  }
  return mismatch('a spend got a wrong answer', { ...wanted, status, body });
}

function drawSpend({ random, number }: Stage, tenant: TenantModel): Wanted {
  const large = random.chance(0.2) ? 400 : 60;
  return {
    person: random.pick(tenant.people),
    amount: 1 + random.integer(large),
    operation: `spend-${number()}`,
    key: '',
  };
}

export async function spendWithoutKey(stage: Stage, tenant: TenantModel): Promise<void> {
  const wanted = drawSpend(stage, tenant);
  const answer = await stage.attempt((process) => consumeOn(process, wanted));
  const spent = answer === LOST ? null : checkSpend(tenant, answer, wanted);
  tenant.spends.set(wanted.operation, { least: spent ?? 0, most: spent ?? wanted.amount });
  stage.journal.note(tenant.tenantId, 'spends without a key', { ...wanted, spent });
}

function sameAnswer(one: Answered, other: Answered): boolean {
  return one.status === other.status && isDeepStrictEqual(one.body, other.body);
}

export async function spendWithKey(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, clock } = stage;
  const wanted = { ...drawSpend(stage, tenant), key: `key-${stage.number()}` };
  const answers: Answered[] = [];
  if (random.chance(0.3)) {
    // Two tabs, or a client that is impatient: at both processes at once.
    const both = stage.processes().map((process) => stage.attempt(() => consumeOn(process, wanted), process));
    for (const answer of await Promise.all(both)) if (answer !== LOST) answers.push(answer);
  }
  answers.push(await stage.untilAnswered((process) => consumeOn(process, wanted)));
  const [answer] = answers;
  if (answer === undefined || answers.some((each) => !sameAnswer(answer, each)))
    return mismatch('one key got several answers', { ...wanted, answers });
  const spent = checkSpend(tenant, answer, wanted);
  tenant.spends.set(wanted.operation, { least: spent, most: spent });
  tenant.keyed.push({ ...wanted, atMs: clock.now(), answer });
  stage.journal.note(tenant.tenantId, 'spends with a key', { ...wanted, spent, answers: answers.length });
}

export async function repeatSpend(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, clock } = stage;
  const recent = tenant.keyed.filter(({ atMs }) => clock.now() - atMs < REPEATED_WITHIN_MS);
  if (recent.length === 0) return spendWithKey(stage, tenant);
  const before: KeyedSpend = random.pick(recent);
  const again = await stage.untilAnswered((process) => consumeOn(process, before));
  stage.journal.note(tenant.tenantId, 'repeats', { key: before.key });
  if (!sameAnswer(before.answer, again) || (again.status === 200 && !again.isReplayed))
    mismatch('a repeated request got another answer', { ...before, again });
}

export async function reserve(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, clock } = stage;
  const person = random.pick(tenant.people);
  const kind = `reserve-${stage.number()}`;
  const operation = { id: `operation ${kind}`, kind };
  const amount = random.integer(120);
  const ask = (process: MoneyProcess) => process.ledger.reserve(person, amount, operation);
  const first = await stage.untilAnswered(ask);
  const again = random.chance(0.3) ? await stage.untilAnswered(ask) : first;
  stage.journal.note(tenant.tenantId, 'reserves', { kind, amount, first });
  if (first.outcome === 'settled') return mismatch('what is new was settled', { kind, first });
  if (first.outcome === 'refused') {
    tenant.spends.set(kind, { least: 0, most: 0 });
    if (first.available >= amount) mismatch('a refusal without reason', { amount, first });
    noteRefusal(tenant, { userId: person.userId, amount, reason: first.reason });
    return;
  }
  if (again.outcome !== 'reserved' || again.reservation.reservationId !== first.reservation.reservationId)
    return mismatch('a repeated reservation is another one', { first, again });
  tenant.spends.set(kind, { least: 0, most: 0 });
  const untilMs = again.reservation.expiresAtMs ?? clock.now();
  tenant.reservations.push({ reservation: again.reservation, untilMs, end: null });
}

type Ending = { did: 'settle' | 'release'; charged: number | null };

function endOn(process: MoneyProcess, { reservation }: OpenReservation, actual: number | null) {
  return actual === null
    ? process.ledger.release(reservation).then(
        (reply): Ending => ({
          did: 'release',
          charged: reply.outcome === 'settled' ? reply.charged : null,
        }),
      )
    : process.ledger
        .settle(reservation, actual)
        .then(
          (reply): Ending => ({ did: 'settle', charged: reply.outcome === 'settled' ? reply.charged : null }),
        );
}

/** Once something was charged, every answer says so and none says otherwise. */
function checkEnding(stage: Stage, open: OpenReservation, endings: Ending[], actuals: (number | null)[]) {
  const { clock } = stage;
  const charges = new Set(endings.map(({ charged }) => charged));
  const details = { open, endings, actuals, now: clock.now() };
  if (charges.size !== 1) return mismatch('one reservation ended in several ways', details);
  const charged = endings[0]?.charged ?? null;
  if (open.end !== null) {
    if (charged !== (open.end === 'gone' ? null : open.end)) mismatch('an end was changed', details);
    return charged;
  }
  const possible = actuals.map((actual) => actual && Math.min(actual, open.reservation.amount));
  if (charged !== null && !possible.includes(charged)) mismatch('another amount was charged', details);
  const hasLapsed = clock.now() >= open.untilMs;
  if (hasLapsed && charged !== null) mismatch('a lapsed reservation was charged', details);
  if (!hasLapsed && charged === null && !actuals.includes(null))
    mismatch('a reservation lapsed before its time', details);
  return charged;
}

/** Settles, releases, or both at once; and tells it again, also long after the end. */
export async function endReservation(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random } = stage;
  if (tenant.reservations.length === 0) return reserve(stage, tenant);
  const open = random.pick(tenant.reservations);
  const draw = () => (random.chance(0.3) ? null : random.integer(130));
  const actuals = random.chance(0.3) ? [draw(), draw()] : [draw()];
  const [one, other] = stage.processes();
  const asked = actuals.map((actual, index) => ({ actual, process: index === 0 ? one : other }));
  const ends = asked.map(({ actual, process }) => stage.attempt(() => endOn(process, open, actual), process));
  const endings: Ending[] = [];
  for (const [index, end] of (await Promise.all(ends)).entries())
    endings.push(
      end === LOST
        ? await stage.untilAnswered((process) => endOn(process, open, actuals[index] ?? null))
        : end,
    );
  const charged = checkEnding(stage, open, endings, actuals);
  open.end = charged ?? 'gone';
  const { operation, amount } = open.reservation;
  tenant.spends.set(operation.kind, { least: charged ?? 0, most: charged ?? 0 });
  stage.journal.note(tenant.tenantId, 'ends a reservation', {
    kind: operation.kind,
    amount,
    actuals,
    endings,
  });
}

/** Work that goes on longer than its lease. */
export async function renew(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random } = stage;
  if (tenant.reservations.length === 0) return reserve(stage, tenant);
  const open = random.pick(tenant.reservations);
  const { operation, amount, tenantId, userId } = open.reservation;
  const reply = await stage.untilAnswered((process) =>
    process.ledger.reserve({ tenantId, userId }, amount, operation),
  );
  stage.journal.note(tenant.tenantId, 'reserves again', { operation, reply });
  const isCharged = typeof open.end === 'number';
  if (isCharged !== (reply.outcome === 'settled'))
    return mismatch('a renewal got a wrong answer', { open, reply });
  if (reply.outcome === 'settled' && reply.charged !== open.end)
    return mismatch('a renewal tells of another charge', { open, reply });
  if (reply.outcome === 'refused') noteRefusal(tenant, { userId, amount, reason: reply.reason });
  if (reply.outcome !== 'reserved') return;
  open.reservation = reply.reservation;
  open.untilMs = reply.reservation.expiresAtMs ?? 0;
  open.end = null;
}
