import { checkBeta } from './beta-checks.ts';
import { checkCorrections } from './correction-steps.ts';
import { checkEconomy } from './economy-checks.ts';
import { type Rows, rowsOf, sum } from './ledger-rows.ts';
import { mismatch, type TenantModel } from './model.ts';
import type { MoneyProcess } from './process.ts';
import { checkQuotas, checkQuotaViews } from './quota-steps.ts';
import { DAY_MS, LOST, type Stage, subscriptionStarts } from './stage.ts';

/** No balance is below zero, and it is what its sources come to. */
export async function checkBalance(stage: Stage, tenant: TenantModel): Promise<void> {
  const { userId } = stage.random.pick(tenant.people);
  const view = await stage.untilAnswered((process) => process.ledger.look(tenant.tenantId, userId));
  const remaining = sum(view.sources.map((source) => source.remaining));
  const late = view.sources.find(
    ({ expiresAtMs }) => expiresAtMs !== null && expiresAtMs <= stage.clock.now(),
  );
  const { balance, team } = view;
  if (balance < 0 || remaining !== balance || team.reserved < 0 || late !== undefined)
    mismatch('a balance is wrong', { tenantId: tenant.tenantId, view });
}

/** Both processes tell the same, without anything in between. */
async function checkViews(stage: Stage, tenant: TenantModel) {
  const look = (process: MoneyProcess) =>
    stage.attempt(() => process.ledger.look(tenant.tenantId, tenant.people[0]?.userId ?? ''), process);
  const [one, other] = stage.processes();
  const first = await look(one);
  const second = await look(other);
  if (first === LOST || second === LOST || JSON.stringify(first) !== JSON.stringify(second))
    return mismatch('the processes tell different things', { first: String(first), second: String(second) });
  return first;
}

/** Issued is what the model issued; it remains, is reserved, was spent, expired, or was taken. */
function checkTotals(stage: Stage, tenant: TenantModel, rows: Rows, balance: number): void {
  const { lots, entries } = rows;
  const issued = (source: string) =>
    sum(lots.filter((lot) => lot.source === source).map(({ amount }) => amount));
  const booked = (...accounts: string[]) =>
    sum(entries.filter(({ account }) => accounts.includes(account)).map(({ amount }) => amount));
  const purchases = sum([...tenant.blocks].filter(([id]) => isPaid(stage, id)).map(([, credits]) => credits));
  const corrected = checkCorrections(tenant, rows);
  const promotions = sum([...tenant.redeemed.values()].map(({ credits }) => credits)) + corrected.given;
  const [remaining, reserved, spent, expired] = [
    booked('grants', 'promotions', 'purchases'),
    booked('reservations'),
    booked('spending'),
    booked('expiry'),
  ];
  const details = { purchases, promotions, corrected, remaining, reserved, spent, expired, balance };
  if (issued('purchase') !== purchases)
    mismatch('the purchases are not what was paid', { ...details, booked: issued('purchase') });
  if (issued('promotion') !== promotions)
    mismatch('the promotions are not what was redeemed or given', {
      ...details,
      booked: issued('promotion'),
    });
  const all = issued('grant') + purchases + promotions - corrected.taken;
  if (all !== remaining + reserved + spent + expired || remaining !== balance)
    mismatch('credits were made or lost', { ...details, issued: all });
}

const isPaid = ({ server }: Stage, id: string): boolean => {
  const page = server.state.checkouts.get(id);
  return page?.status === 'complete' && page.payment_status === 'paid';
};

/** The amounts that the answers called spent, and nothing else. */
function checkSpending({ tenantId, spends }: TenantModel, { entries, postings }: Rows): void {
  const spent = new Map<string, number>();
  const operationOf = new Map(postings.map(({ seq, operation }) => [seq, operation ?? '']));
  for (const { account, seq, amount } of entries) {
    if (account !== 'spending') continue;
    const operation = operationOf.get(seq) ?? '';
    spent.set(operation, (spent.get(operation) ?? 0) + amount);
  }
  for (const [operation, amount] of spent)
    if (!spends.has(operation)) mismatch('nobody asked for this', { tenantId, operation, amount });
  for (const [operation, { least, most }] of spends) {
    const amount = spent.get(operation) ?? 0;
    // A spend that nobody knows of was made as a whole or not at all.
    if (amount !== least && amount !== most)
      mismatch('another amount was spent', { tenantId, operation, amount, least, most });
  }
}

/** Only what has expired is gone, and everything that has expired is. */
function checkExpiry(stage: Stage, { lots, entries, postings }: Rows): void {
  const nowMs = stage.clock.now();
  const lotOf = new Map(lots.map((lot) => [lot.lot_id, lot]));
  const timeOf = new Map(postings.map(({ seq, at_ms: at }) => [seq, at]));
  for (const { account, lot_id: id, seq, amount } of entries) {
    if (account !== 'expiry' || amount === 0) continue;
    const lot = lotOf.get(id);
    const endsAtMs = lot?.expires_at_ms ?? Number.POSITIVE_INFINITY;
    // Those of codes may end later than they expired.
    if (lot?.reference.startsWith('beta:')) continue;
    if (lot?.source === 'purchase' || (timeOf.get(seq) ?? 0) < endsAtMs)
      mismatch('credits expired before their time', { lot, seq, amount });
  }
  for (const lot of lots)
    if (lot.remaining > 0 && lot.expires_at_ms !== null && lot.expires_at_ms <= nowMs)
      mismatch('credits did not expire', { lot, nowMs });
}

interface Granted {
  /** The posting of its first grant. */
  firstSeq: number;
  amount: number;
}

function grantsOf({ lots, postings }: Rows): Map<number, Granted> {
  const amounts = new Map(
    lots.filter(({ source }) => source === 'grant').map((lot) => [lot.lot_id, lot.amount]),
  );
  const grants = new Map<number, Granted>();
  for (const { seq, kind, period_start_ms: start } of postings) {
    const amount = kind === 'issue' ? amounts.get(seq) : undefined;
    if (amount === undefined) continue;
    const before = grants.get(start) ?? { firstSeq: seq, amount: 0 };
    grants.set(start, { ...before, amount: before.amount + amount });
  }
  return grants;
}

/** The most that the tenant could spend a month at any time from one posting to another. */
function largestIn({ samples }: TenantModel, firstSeq: number, endSeq: number): number {
  const before = samples.findLastIndex(({ seq }) => seq < firstSeq);
  return Math.max(
    ...samples.filter(({ seq }, index) => index >= before && seq < endSeq).map(({ monthly }) => monthly),
  );
}

/** Each period grants once, and periods begin only where a month does: neither cycling nor waiting makes credits. */
function checkGrants(stage: Stage, tenant: TenantModel, rows: Rows): void {
  const periods = [...grantsOf(rows)].sort(([one], [other]) => one - other);
  const begun = subscriptionStarts(stage, tenant);
  const anchors = [...begun.anchors, periods[0]?.[0] ?? 0];
  for (const [index, [start, { firstSeq, amount }]] of periods.entries()) {
    const [before, earlier] = periods[index - 1] ?? [0, { amount: 0 }];
    const [, next] = periods[index + 1] ?? [];
    const allowed = largestIn(tenant, firstSeq, next?.firstSeq ?? Number.POSITIVE_INFINITY);
    const details = { start: new Date(start), amount, allowed, periods, samples: tenant.samples };
    if (amount > allowed) mismatch('a period granted too much', details);
    // A period that begins within a day of another one goes on with its grant.
    if (start - before <= DAY_MS && earlier.amount + amount > allowed)
      mismatch('two periods of one day granted twice', details);
    if (!begun.starts.has(start) && !anchors.some((anchor) => isMonthFrom(anchor, start)))
      mismatch('a period began where no month does', { ...details, anchors, begun: [...begun.starts] });
  }
}

/** True if it is some months after, on the same day and at the same time, or on the last day of a shorter month. */
function isMonthFrom(anchorMs: number, atMs: number): boolean {
  const [anchor, at] = [new Date(anchorMs), new Date(atMs)];
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate();
  return at.getUTCDate() === Math.min(anchor.getUTCDate(), lastDay) && (atMs - anchorMs) % DAY_MS === 0;
}

export async function checkCredits(stage: Stage): Promise<void> {
  for (const tenant of stage.tenants) {
    const view = await checkViews(stage, tenant);
    const rows = await rowsOf(stage, tenant.tenantId);
    checkTotals(stage, tenant, rows, view.balance);
    checkSpending(tenant, rows);
    checkExpiry(stage, rows);
    checkGrants(stage, tenant, rows);
    checkEconomy(stage, tenant, rows, view.periodEndMs);
    checkQuotas(tenant, rows);
    await checkBeta(stage, tenant, rows);
    await checkQuotaViews(stage, tenant);
    if (view.granted < view.monthly)
      mismatch('a period granted too little', { tenant: tenant.tenantId, view });
  }
  const problems = await stage.any().checkLedger();
  if (problems.length > 0) mismatch('the ledger does not add up', { problems });
}
