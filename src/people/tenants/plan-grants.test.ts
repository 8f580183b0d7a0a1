import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { type AccountsPerson, startAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { grantOf, type PlanGrant } from './plan-grants.ts';
import type { TenantTables } from './tenants.tables.ts';

const DAY_MS = 24 * 3_600_000;

forEachDatabase((_name, open) => {
  test('a tenant has the highest of its plans, and its own again when the others end', async (t) => {
    const accounts = await startAccounts({ open });
    t.after(() => accounts.close());
    const { tenants, database, clock } = accounts;
    const owner: AccountsPerson = await accounts.register();
    const { tenantId } = owner;
    const put = (source: 'subscription' | 'beta', grant: PlanGrant | null) =>
      database.system.write((db) => tenants.grants.put(db, tenantId, { [source]: grant }));
    const now = async () => {
      const { plan, maxUsers, creditsMonthly, overrides } = await tenants.existing(tenantId);
      return { plan, maxUsers, creditsMonthly, overrides };
    };
    const free = { plan: 'free', maxUsers: 1, creditsMonthly: 100, overrides: {} };
    assert.deepEqual(await now(), free);

    await put('beta', grantOf('indie', { features: { sso: true }, endsAtMs: clock.now() + DAY_MS }));
    assert.deepEqual(await now(), { ...free, plan: 'indie', creditsMonthly: 500, overrides: { sso: true } });
    await put('subscription', grantOf('team', { seats: 3 }));
    const team = { plan: 'team', maxUsers: 3, creditsMonthly: 750, overrides: { sso: true } };
    assert.deepEqual(await now(), team);

    // The operators' choice lies below what was bought, and overrides what a beta gave.
    await tenants.changePlan(tenantId, 'indie', 2);
    await tenants.changeFeatures(tenantId, { sso: false });
    assert.deepEqual(await now(), { ...team, overrides: { sso: false } });

    clock.pass(2 * DAY_MS);
    await tenants.grants.endDue();
    await put('subscription', null);
    const own = { plan: 'indie', maxUsers: 2, creditsMonthly: 500, overrides: { sso: false } };
    assert.deepEqual(await now(), own);
    assert.equal((await accounts.login(owner.email)).body.plan, 'indie');
  });

  test('a token of the old plan is refused once a plan ends by itself', async (t) => {
    const accounts = await startAccounts({ open });
    t.after(() => accounts.close());
    const { tenants, database, clock } = accounts;
    const { tenantId, email } = await accounts.register();
    const grant = grantOf('team', { endsAtMs: clock.now() + 60_000 });
    await database.system.write((db) => tenants.grants.put(db, tenantId, { beta: grant }));
    const { access_token: token } = (await accounts.login(email)).body;
    const me = () => accounts.ask('GET', '/api/auth/me', { token });
    // Seats are in no token.
    const seats = { ...grant, seats: 9 };
    await database.system.write((db) => tenants.grants.put(db, tenantId, { beta: seats }));
    assert.equal((await me()).body.plan, 'team');
    clock.pass(61_000);
    await tenants.grants.endDue();
    assert.equal((await me()).status, 401);
  });

  test('damaged tenants keep no other from the end of its plan', async (t) => {
    const accounts = await startAccounts({ open });
    t.after(() => accounts.close());
    const { tenants, database, clock } = accounts;
    const { tenantId } = await accounts.register();
    const grant = grantOf('team', { seats: 2, endsAtMs: clock.now() + 60_000 });
    await database.system.write((db) => tenants.grants.put(db, tenantId, { beta: grant }));
    await database.system.write(async (db: Kysely<TenantTables>) => {
      const tenant = await db.selectFrom('tenants').selectAll().executeTakeFirstOrThrow();
      const good = await db.selectFrom('tenant_plan_grants').selectAll().executeTakeFirstOrThrow();
      const bad = Array.from({ length: 110 }, (_, index) => `! ${index}`);
      await db
        .insertInto('tenants')
        .values(bad.map((id) => ({ ...tenant, tenant_id: id, slug: id, features: 'no JSON' })))
        .execute();
      await db
        .insertInto('tenant_plan_grants')
        .values(bad.map((id) => ({ ...good, tenant_id: id, source: 'beta', ends_at: clock.now() })))
        .execute();
    });
    clock.pass(61_000);
    await assert.rejects(tenants.grants.endDue(), /! 0: .*JSON/);
    assert.equal((await tenants.existing(tenantId)).plan, 'free');
  });

  test('grants put at the same time from several places all count', async (t) => {
    const accounts = await startAccounts({ open });
    t.after(() => accounts.close());
    const other = await accounts.another();
    const { tenantId } = await accounts.register();
    const puts = [accounts, other].flatMap(({ database, tenants }) =>
      (['beta', 'subscription'] as const).map((source) =>
        database.system.write((db) =>
          tenants.grants.put(db, tenantId, { [source]: grantOf(source === 'beta' ? 'indie' : 'team') }),
        ),
      ),
    );
    await Promise.all(puts);
    assert.equal((await accounts.tenants.existing(tenantId)).plan, 'team');
    await withoutSubscription(accounts, tenantId);
    assert.equal((await accounts.tenants.existing(tenantId)).plan, 'indie');
    await other.close();
  });
});

const withoutSubscription = (
  { database: { system }, tenants }: Awaited<ReturnType<typeof startAccounts>>,
  id: string,
) => system.write((db) => tenants.grants.put(db, id, { subscription: null }));
