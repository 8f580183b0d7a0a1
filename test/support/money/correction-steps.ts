import { broughtTo, type Rows } from './ledger-rows.ts';
import { type Correction, mismatch, type TenantModel } from './model.ts';
import type { MoneyProcess } from './process.ts';
import { LOST, type Stage } from './stage.ts';

/** Some reasons are given again: each correction counts all the same. */
function drawCorrection({ random, number }: Stage, { corrections }: TenantModel): Correction {
  const isRepeated = corrections.length > 0 && random.chance(0.3);
  const reason = isRepeated ? random.pick(corrections).reason : `complaint ${number()}`;
  const most = random.chance(0.2) ? 5000 : 200;
  const amount = (1 + random.integer(most)) * (random.chance(0.5) ? 1 : -1);
  return { reason, amount, changed: null };
}

/** An operator corrects the credits at the command line; sometimes two of them do at once. */
export async function correct(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, journal } = stage;
  const { tenantId } = tenant;
  const drawn = drawCorrection(stage, tenant);
  const { balance } = await stage.untilAnswered((process) => process.ledger.look(tenantId, ''));
  const [one, other] = stage.processes();
  const on: MoneyProcess[] = random.chance(0.2) ? [one, other] : [stage.any()];
  const done = await Promise.all(
    on.map(async (each): Promise<Correction> => {
      const changed = await stage.attempt(
        (process) => process.ledger.correct(tenantId, drawn.amount, drawn.reason),
        each,
      );
      return { ...drawn, changed: changed === LOST ? null : changed };
    }),
  );
  tenant.corrections.push(...done);
  journal.note(tenantId, 'is corrected', { done, balance });
  const [{ changed } = drawn, ...more] = done;
  const expected = drawn.amount > 0 ? drawn.amount : Math.max(drawn.amount, -balance);
  // `+ 0`: taking nothing may be told as -0.
  if (more.length === 0 && changed !== null && changed + 0 !== expected)
    mismatch('a correction changed something else', { drawn, balance, changed });
  if (done.some((each) => !isPossible(each.changed, drawn.amount)))
    mismatch('a correction got a wrong answer', { done });
}

const isPossible = (changed: number | null, amount: number): boolean =>
  changed === null || (amount > 0 ? changed === amount : changed <= 0 && changed >= amount);

/** Each correction that was answered is there once, as it was answered; one that was lost is there once at most. Returns the sums. */
export function checkCorrections({ tenantId, corrections }: TenantModel, { entries, postings }: Rows) {
  const left = [...corrections];
  const sums = { given: 0, taken: 0 };
  const posted = postings
    .filter(({ kind }) => kind === 'correct')
    .map(({ seq, reference }) => ({
      reason: (reference ?? '').replace(/^correction \d+: /, ''),
      changed: 0 - broughtTo(ofPosting(entries, seq), 'issued'),
    }));
  for (const one of posted) {
    sums[one.changed > 0 ? 'given' : 'taken'] += Math.abs(one.changed);
    const known = left.findIndex(({ reason, changed }) => reason === one.reason && changed === one.changed);
    const lost = left.findIndex(
      ({ reason, changed, amount }) =>
        reason === one.reason && changed === null && isPossible(one.changed, amount),
    );
    if (known < 0 && lost < 0) mismatch('nobody asked for this correction', { tenantId, one, corrections });
    left.splice(known < 0 ? lost : known, 1);
  }
  const missing = left.filter(({ changed }) => changed !== null);
  if (missing.length > 0) mismatch('a correction is missing', { tenantId, missing, posted });
  return sums;
}

const ofPosting = (entries: Rows['entries'], seq: number) => entries.filter((entry) => entry.seq === seq);
