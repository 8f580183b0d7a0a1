import { broughtTo, type Rows } from './ledger-rows.ts';
import { mismatch, type TenantModel } from './model.ts';
import type { Answered, Asked, MoneyProcess } from './process.ts';
import { spendWithKey } from './spending-steps.ts';
import { LOST, type Stage } from './stage.ts';

/** Sets, changes or removes the quota of a person or of the team; sometimes while somebody spends. */
export async function setQuota(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, journal } = stage;
  const admin = random.pick(tenant.people);
  const userId = random.chance(0.6) ? random.pick(tenant.people).userId : null;
  const view = await stage.untilAnswered((process) => process.ledger.look(tenant.tenantId, userId ?? ''));
  const { spent, reserved } = userId === null ? view.team : view.user;
  // Most leave a little, which the next steps use up.
  const more = random.pick([0, 100, 300]);
  const quota = random.chance(0.3) ? null : random.integer(spent + reserved + 100) + more;
  const asked: Asked =
    userId === null
      ? { route: 'PUT /api/billing/quota', body: { quota } }
      : { route: 'PUT /api/billing/team/user-quota', body: { user_id: userId, quota } };
  const ask = (process: MoneyProcess): Promise<Answered> => process.ask(admin, asked);
  const [first] = await Promise.all([
    stage.attempt(ask),
    random.chance(0.3) ? spendWithKey(stage, tenant) : null,
  ]);
  const { status, body } = first === LOST ? await stage.untilAnswered(ask) : first;
  journal.note(tenant.tenantId, 'sets a quota', { userId, quota, status, body });
  if (status !== 200 || body.quota !== quota) mismatch('a quota got a wrong answer', { asked, status, body });
  tenant.quotas.push({ userId, quota, step: tenant.samples.length });
}

interface Use {
  seq: number;
  /** Spent in the period and reserved. */
  used: number;
  /** Spent or reserved anew by this posting. */
  took: number;
}

/** The credits that a person, or for null the team, had used after each posting. */
function usesOf({ postings, entries }: Rows, userId: string | null): Use[] {
  const uses: Use[] = [{ seq: 0, used: 0, took: 0 }];
  const entriesOf = Map.groupBy(entries, ({ seq }) => seq);
  let [period, spent, reserved] = [Number.NaN, 0, 0];
  for (const { seq, kind, user_id: user, period_start_ms: start } of postings) {
    if (start !== period) spent = 0;
    period = start;
    if (userId !== null && user !== userId) continue;
    const own = entriesOf.get(seq) ?? [];
    spent += broughtTo(own, 'spending');
    reserved += broughtTo(own, 'reservations');
    const took = kind === 'spend' || kind === 'reserve' ? -sumTaken(own) : 0;
    uses.push({ seq, used: spent + reserved, took });
  }
  return uses;
}

const sumTaken = (entries: Rows['entries']): number =>
  entries.reduce((total, { amount }) => total + Math.min(0, amount), 0);

/** All that may have been the quota in a step: there, a change came sooner or later. */
function quotasIn({ quotas }: TenantModel, userId: string | null, inStep: number): (number | null)[] {
  const own = quotas.filter((change) => change.userId === userId);
  const before = own.findLast(({ step }) => step < inStep)?.quota ?? null;
  return [before, ...own.filter(({ step }) => step === inStep).map(({ quota }) => quota)];
}

/** The uses that there were in a step, the one with which it began included. */
function usesIn({ samples }: TenantModel, uses: readonly Use[], step: number): Use[] {
  const before = samples[step - 1]?.seq ?? 0;
  const after = samples[step]?.seq ?? Number.POSITIVE_INFINITY;
  const first = uses.findLastIndex(({ seq }) => seq <= before);
  return uses.filter(({ seq }, index) => index >= first && seq <= after);
}

const fits = (quota: number | null, used: number): boolean => quota === null || used <= quota;

/** Nobody spent or reserved beyond a quota, and whoever was refused for one would have. */
export function checkQuotas(tenant: TenantModel, rows: Rows): void {
  const { tenantId, quotas, quotaRefusals } = tenant;
  for (const userId of [null, ...tenant.people.map((person) => person.userId)]) {
    const uses = usesOf(rows, userId);
    for (const { seq, used, took } of uses) {
      const step = tenant.samples.findIndex((sample) => sample.seq >= seq);
      if (took > 0 && !quotasIn(tenant, userId, step).some((quota) => fits(quota, used)))
        mismatch('a quota was exceeded', { tenantId, userId, seq, used, took, quotas });
    }
    for (const { quotaOf, amount, step } of quotaRefusals) {
      if (quotaOf !== userId) continue;
      const set = quotasIn(tenant, userId, step);
      const possible = usesIn(tenant, uses, step);
      if (!possible.some(({ used }) => set.some((quota) => !fits(quota, used + amount))))
        mismatch('a refusal for a quota without reason', { tenantId, userId, amount, possible, set });
    }
  }
}

/** The last quota that was set is the one that counts. */
export async function checkQuotaViews(
  stage: Stage,
  { tenantId, people, quotas }: TenantModel,
): Promise<void> {
  const lastOf = (userId: string | null) =>
    quotas.findLast((change) => change.userId === userId)?.quota ?? null;
  for (const { userId } of people) {
    const { user, team } = await stage.any().ledger.look(tenantId, userId);
    if (user.quota !== lastOf(userId) || team.quota !== lastOf(null))
      mismatch('a quota is another one', { tenantId, userId, user, team, quotas });
  }
}
