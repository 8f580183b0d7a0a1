import { inspect } from 'node:util';
import { createRandom } from '../replica/random.ts';
import { createJournal, type Journal } from '../replicas/journal.ts';
import { extendCohort, redeem, withdraw } from './beta-steps.ts';
import { checkBilling } from './billing-checks.ts';
import { buyBlock, change, payLate, subscribe, useCard, usePortal } from './billing-steps.ts';
import { checkBalance, checkCredits } from './checks.ts';
import { correct } from './correction-steps.ts';
import { deliverAll, deliverSome, pendingEvents } from './event-steps.ts';
import { mismatch, type TenantModel } from './model.ts';
import { setQuota } from './quota-steps.ts';
import { afterlife, checkGone, removeTenant } from './removal-steps.ts';
import {
  endReservation,
  renew,
  repeatSpend,
  reserve,
  spendWithKey,
  spendWithoutKey,
} from './spending-steps.ts';
import { DAY_MS, LOST, openStage, type Stage } from './stage.ts';
import type { MoneyWorld } from './world.ts';

const HOUR_MS = 3_600_000;
const FEWEST_STEPS = 20;
const MOST_STEPS = 60;
const MOST_ROUNDS = 15;

type Step = (stage: Stage, tenant: TenantModel) => Promise<void>;

/** Minutes, days or more than a month pass for everybody. */
async function pass({ random, clock, server, journal }: Stage): Promise<void> {
  const ms = random.pick([
    () => random.integer(5 * 60_000),
    () => random.integer(3 * HOUR_MS),
    () => random.integer(5 * DAY_MS),
    () => random.integer(40 * DAY_MS),
  ])();
  clock.pass(ms);
  server.advance(0);
  journal.note('time', 'passes', { ms, now: new Date(clock.now()) });
}

/** The work of an instance every few seconds. A provider that fails meanwhile only delays it. */
async function upkeep(stage: Stage): Promise<void> {
  const process = stage.any();
  const done = await stage.attempt(
    () =>
      process.upkeep().catch((error: unknown) => {
        if (process.life.isDead() || stage.troubled === false) throw error;
      }),
    process,
  );
  stage.journal.note('upkeep', done === LOST ? 'was killed' : 'is done');
}

/** Nothing is waited for: calls are on their way when it dies. */
async function kill(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random } = stage;
  const process = stage.any();
  const work = spendWithKey(stage, tenant);
  const more = deliverSome(stage);
  for (let turns = random.integer(8); turns > 0; turns -= 1) await new Promise(setImmediate);
  await stage.kill(process);
  await Promise.all([work, more]);
}

const STEPS: readonly (readonly [weight: number, step: Step])[] = [
  [5, subscribe],
  [5, change],
  [4, usePortal],
  [5, useCard],
  [6, buyBlock],
  [5, payLate],
  [3, redeem],
  [1, withdraw],
  [1, extendCohort],
  [10, pass],
  [16, deliverSome],
  [8, spendWithKey],
  [4, spendWithoutKey],
  [4, repeatSpend],
  [6, reserve],
  [7, endReservation],
  [3, renew],
  [3, correct],
  [4, setQuota],
  [5, upkeep],
  [4, kill],
];
const LATE_STEPS: typeof STEPS = [
  [1, removeTenant],
  [3, afterlife],
];

/** Those of a history where whatever is ordered is paid for, and nothing is given: it says most about credits for money. */
const UNPLAIN: readonly Step[] = [redeem, withdraw, extendCohort, useCard];
const PLAIN_STEPS: typeof STEPS = [
  ...STEPS.filter(([, step]) => !UNPLAIN.includes(step)),
  [15, change],
  [8, pass],
];

const bagOf = (steps: typeof STEPS) => steps.flatMap(([weight, step]) => Array<Step>(weight).fill(step));
const BAGS = { usual: bagOf(STEPS), plain: bagOf(PLAIN_STEPS), late: bagOf(LATE_STEPS) };

/** Something may go wrong at the provider, or a process may die at its next or a later write. */
function trouble(stage: Stage): void {
  const { random, server, journal } = stage;
  if (random.chance(0.15)) {
    const death = { after: random.integer(5), how: random.pick(['before', 'after'] as const) };
    stage.any().life.doom(death);
    journal.note('a process', 'is doomed', death);
  }
  stage.troubled = random.chance(0.1);
  if (!stage.troubled) return;
  const effect = random.pick(['done', 'none'] as const);
  server.faults.next({
    effect,
    ...(random.chance(0.5) ? { status: 500 } : { connection: 'reset' as const }),
  });
  journal.note('the provider', 'is in trouble', { effect });
}

/** Some events of pages are lost for good: upkeep finds out. */
function drop(stage: Stage): void {
  const lost = pendingEvents(stage).filter(
    ({ id, type }) =>
      type === 'checkout.session.completed' && !stage.events.has(id) && stage.random.chance(0.1),
  );
  for (const { id } of lost) stage.dropped.add(id);
}

/** Until nothing is on its way any more. */
async function comeToRest(stage: Stage): Promise<void> {
  const { clock, server } = stage;
  for (const process of stage.processes()) await stage.kill(process);
  server.faults.clear();
  stage.troubled = false;
  clock.pass(2 * HOUR_MS);
  server.advance(0);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    await deliverAll(stage);
    for (const process of stage.processes()) await process.upkeep();
    await stage.sample();
    if (pendingEvents(stage).length === 0 && round > 0) return;
  }
  mismatch('it never comes to rest', { pending: pendingEvents(stage) });
}

async function play(stage: Stage): Promise<void> {
  const { random } = stage;
  stage.isPlain = random.chance(0.3);
  const bag = stage.isPlain ? BAGS.plain : BAGS.usual;
  const losesEvents = random.chance(0.3);
  const steps = FEWEST_STEPS + random.integer(MOST_STEPS - FEWEST_STEPS + 1);
  for (let done = 0; done < steps; done += 1) {
    if (losesEvents) drop(stage);
    trouble(stage);
    await random.pick(done < steps / 2 ? bag : [...bag, ...BAGS.late])(stage, random.pick(stage.tenants));
    stage.clock.pass(random.integer(2000));
    stage.server.faults.clear();
    await stage.sample();
    for (const tenant of stage.tenants) await checkBalance(stage, tenant);
  }
  await comeToRest(stage);
  await checkBilling(stage);
  await checkCredits(stage);
  for (const tenant of stage.gone) await checkGone(stage, tenant);
}

/** One random history, drawn by the seed. Null if it ended well, else the reason. */
export async function playMoneyHistory(
  world: MoneyWorld,
  seed: number,
  journal: Journal = createJournal(),
): Promise<string | null> {
  await world.clear();
  const stage = await openStage(world, createRandom(seed), journal);
  try {
    await play(stage);
    return null;
  } catch (error) {
    return inspect(error);
  } finally {
    await stage.close();
  }
}
