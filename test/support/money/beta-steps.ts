import { makeCode } from '../../../src/people/beta/codes.service.ts';
import { insertCodes } from '../../../src/people/beta/codes.store.ts';
import { type BetaCode, endOf, mismatch, type Redeemed, type TenantModel } from './model.ts';
import { type Answered, type Asked, type MoneyProcess, OPERATOR } from './process.ts';
import { spendWithKey } from './spending-steps.ts';
import { DAY_MS, LOST, type Stage } from './stage.ts';

async function newCode(stage: Stage): Promise<BetaCode> {
  const { random, clock } = stage;
  const given = {
    plan: random.pick(['indie', 'team'] as const),
    days: 3 + random.integer(40),
    credits: random.pick([0, 50, 300]),
    maxUses: 1 + random.integer(2),
    cohort: random.pick(['spring', 'autumn', null]),
  };
  const { code, row } = makeCode(
    { ...given, expiresAtMs: null, features: {}, note: null, email: null, createdBy: null },
    clock.now(),
  );
  await stage.write((db) => insertCodes(db, [row]));
  const made = { ...given, code, isRevoked: false };
  stage.codes.push(made);
  return made;
}

/** A new code, one that this tenant has, or one that the other may have used up. */
export async function redeem(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, codes } = stage;
  const code = codes.length > 0 && random.chance(0.5) ? random.pick(codes) : await newCode(stage);
  const rivals = random.chance(0.3) ? stage.tenants : [tenant];
  const [one, other] = stage.processes();
  await Promise.all(
    rivals.map(async (rival, index) => {
      const ask = (process: MoneyProcess) =>
        process.ask(rival.people[0] ?? mismatch('nobody there', {}), {
          route: 'POST /api/beta/redeem',
          body: { code: code.code },
        });
      const on = index === 0 ? one : other;
      const first = await stage.attempt(() => ask(on), on);
      noteRedeemed(stage, rival, code, first === LOST ? await stage.untilAnswered(ask) : first);
    }),
  );
  const uses = [...stage.tenants, ...stage.gone].filter(({ redeemed }) => redeemed.has(code.code)).length;
  if (uses > code.maxUses) mismatch('a code was used too often', { code, uses });
}

function noteRedeemed(
  { clock, journal }: Stage,
  tenant: TenantModel,
  code: BetaCode,
  answer: Answered,
): void {
  journal.note(tenant.tenantId, 'redeems a code', { code, answer });
  const known = tenant.redeemed.get(code.code);
  const isGood = known === undefined ? !code.isRevoked : !known.isWithdrawn;
  if (answer.status === 404 && (known === undefined || !isGood)) return;
  if (answer.status !== 200 || !isGood) mismatch('an unexpected answer', { code, known, answer });
  if (known !== undefined) return;
  const fromMs = clock.now();
  const { credits, plan, days, cohort } = code;
  tenant.redeemed.set(code.code, {
    ...{ code: code.code, credits, plan, cohort, fromMs, isWithdrawn: false },
    ends: [{ sinceMs: fromMs, endsAtMs: fromMs + days * DAY_MS }],
  });
}

const redemptionsIn = ({ tenants }: Stage) => tenants.flatMap(({ redeemed }) => [...redeemed.values()]);

/** Nobody can use a code any more; mostly, those who did lose what it gave, also while they spend it. */
export async function withdraw(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, codes, clock, journal } = stage;
  if (codes.length === 0) return redeem(stage, tenant);
  const code = random.pick(codes);
  const withdraws = random.chance(0.7);
  const asked: Asked = {
    route: 'POST /api/beta/invite/revoke',
    body: { code: code.code, ...(withdraws && { withdraw: true }) },
  };
  const ask = (process: MoneyProcess) => process.ask(OPERATOR, asked);
  const [first] = await Promise.all([
    stage.attempt(ask),
    random.chance(0.3) ? spendWithKey(stage, tenant) : null,
  ]);
  const { status, body } = first === LOST ? await stage.untilAnswered(ask) : first;
  journal.note('the operator', 'revokes a code', { code, withdraws, status, body });
  const lost = redemptionsIn(stage).filter((each) => each.code === code.code && !each.isWithdrawn);
  const expected = { revoked: !code.isRevoked, withdrawn: withdraws ? lost.length : 0 };
  const isRight = body.revoked === expected.revoked && body.withdrawn === expected.withdrawn;
  if (status !== 200 || (first !== LOST && !isRight)) mismatch('a code was not revoked', { expected, body });
  code.isRevoked = true;
  if (!withdraws) return;
  for (const redemption of lost) {
    redemption.isWithdrawn = true;
    endAt(redemption, clock.now(), Math.min(endOf(redemption), clock.now()));
  }
}

function endAt({ ends }: Redeemed, sinceMs: number, endsAtMs: number): void {
  ends.push({ sinceMs, endsAtMs });
}

/** Everything of a cohort ends later. Whoever does not know whether days were added says until when. */
export async function extendCohort(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, clock, journal } = stage;
  const cohort = random.pick(['spring', 'autumn']);
  const days = 1 + random.integer(30);
  const nowMs = clock.now();
  const extended = redemptionsIn(stage).filter((each) => each.cohort === cohort && !each.isWithdrawn);
  if (extended.length === 0) return redeem(stage, tenant);
  const ask = (body: object) => (process: MoneyProcess) =>
    process.ask(OPERATOR, { route: 'POST /api/beta/extend', body: { cohort, ...body } });
  const laterBy = (redemption: Redeemed) => Math.max(endOf(redemption), nowMs) + days * DAY_MS;
  const first = random.chance(0.5) ? await stage.attempt(ask({ days })) : LOST;
  const untilMs = first === LOST ? Math.max(...extended.map(laterBy)) : null;
  const answer =
    untilMs === null ? first : await stage.untilAnswered(ask({ until: new Date(untilMs).toISOString() }));
  journal.note('the operator', 'extends a cohort', { cohort, days, untilMs, answer });
  if (answer === LOST || answer.status !== 200) mismatch('a cohort was not extended', { answer });
  for (const redemption of extended) endAt(redemption, nowMs, untilMs ?? laterBy(redemption));
}
