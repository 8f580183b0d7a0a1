import { type Kysely, sql } from 'kysely';
import type { CheckoutSession } from '../payments/objects.ts';
import { arrive, pagesOf, pay, subscriptionsOf } from './billing-steps.ts';
import { deliverSome } from './event-steps.ts';
import { mismatch, type TenantModel } from './model.ts';
import type { MoneyProcess } from './process.ts';
import { LOST, type Stage } from './stage.ts';
import { TENANT_TABLES } from './world.ts';

const HOUR_MS = 3_600_000;
const MOST_TRIES = 20;

/** A page that somebody has open, or whose money is on its way. */
const isUnderWay = ({ pages }: TenantModel, { id, status, payment_status: paid }: CheckoutSession) =>
  status === 'open' ? pages.has(id) : status === 'complete' && paid === 'unpaid';

/** Money that comes while a tenant is removed, or afterwards. */
function settleLate(stage: Stage, tenant: TenantModel): void {
  const pages = pagesOf(stage, tenant).filter((page) => isUnderWay(tenant, page));
  if (pages.length === 0) return;
  const page = stage.random.pick(pages);
  if (page.status === 'open') pay(stage, page);
  else arrive(stage, page);
}

/** True once the tenant is gone. The provider may fail, and then it is done again. */
async function forgetOn(stage: Stage, process: MoneyProcess, tenantId: string): Promise<boolean> {
  const done = await stage.attempt(
    () =>
      process.forget(tenantId).then(
        () => true,
        (error: unknown) => {
          if (process.life.isDead() || !stage.troubled) throw error;
          return false;
        },
      ),
    process,
  );
  return done !== LOST && done;
}

/** The service asks for it again and again; perhaps two processes of it do. */
async function forget(stage: Stage, { tenantId }: TenantModel): Promise<void> {
  const [one, other] = stage.processes();
  const first = stage.random.chance(0.3) ? [one, other] : [stage.any()];
  const done = await Promise.all(first.map((process) => forgetOn(stage, process, tenantId)));
  if (done.includes(true)) return;
  for (let tries = 0; tries < MOST_TRIES; tries += 1)
    if (await forgetOn(stage, stage.any(), tenantId)) return;
  mismatch('a tenant is never removed', { tenantId });
}

/** An owner deleted the tenant, and the time to reconsider is over. One tenant stays. */
export async function removeTenant(stage: Stage, tenant: TenantModel): Promise<void> {
  const { random, clock, server, journal, tenants, gone } = stage;
  if (tenants.length < 2) return deliverSome(stage);
  await stage.untilAnswered((process) => process.endAccess(tenant.tenantId));
  gone.push(...tenants.splice(tenants.indexOf(tenant), 1));
  journal.note(tenant.tenantId, 'loses access');
  clock.pass(HOUR_MS + random.integer(4 * HOUR_MS));
  server.advance(0);
  if (random.chance(0.5)) settleLate(stage, tenant);
  await Promise.all([
    forget(stage, tenant),
    random.chance(0.3) ? deliverSome(stage) : null,
    random.chance(0.3) ? upkeepMeanwhile(stage) : null,
    random.chance(0.3) ? Promise.resolve().then(() => settleLate(stage, tenant)) : null,
  ]);
  journal.note(tenant.tenantId, 'is removed');
  await checkGone(stage, tenant);
}

async function upkeepMeanwhile(stage: Stage): Promise<void> {
  const process = stage.any();
  await stage.attempt(
    () =>
      process.upkeep().catch((error: unknown) => {
        if (process.life.isDead() || !stage.troubled) throw error;
      }),
    process,
  );
}

/** Money and spending of a tenant that is gone. */
export async function afterlife(stage: Stage): Promise<void> {
  for (const tenant of stage.gone) {
    settleLate(stage, tenant);
    const reservation = tenant.reservations.at(-1)?.reservation;
    if (reservation === undefined) continue;
    const reply = await stage.untilAnswered((process) => process.ledger.settle(reservation, 1));
    if (reply.outcome !== 'lapsed') mismatch('a tenant that is gone was charged', { reservation, reply });
  }
  await deliverSome(stage);
}

/** Nobody pays for it, nothing can be bought for it or spent, and nothing is kept of it. */
export async function checkGone(stage: Stage, tenant: TenantModel): Promise<void> {
  const { tenantId, people, pages } = tenant;
  const live = subscriptionsOf(stage, tenant).filter(({ status }) => status !== 'canceled');
  if (live.length > 0) mismatch('a tenant that is gone is still charged', { tenantId, live });
  const open = pagesOf(stage, tenant).filter(({ id, status }) => status === 'open' && pages.has(id));
  if (open.length > 0) mismatch('a tenant that is gone can still buy', { tenantId, open });
  const [{ userId } = { userId: '' }] = people;
  const operation = { id: `${tenantId} gone`, kind: 'gone' };
  const reply = await stage.untilAnswered((process) =>
    process.ledger.reserve({ tenantId, userId }, 1, operation),
  );
  if (reply.outcome !== 'refused') mismatch('a tenant that is gone spends', { tenantId, reply });
  const left = await stage.read(async (db: Kysely<unknown>) => {
    const rows: unknown[] = [];
    for (const table of TENANT_TABLES) {
      const found = await sql`select * from ${sql.table(table)} where tenant_id = ${tenantId}`.execute(db);
      rows.push(...found.rows.map((row) => ({ table, row })));
    }
    return rows;
  });
  if (left.length > 0) mismatch('rows of a tenant that is gone are left', { tenantId, left });
}
