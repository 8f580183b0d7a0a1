import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { cliWorld } from './support/cli.ts';

interface TenantDocument {
  tenant: {
    tenant_id: string;
    slug: string;
    plan: string;
    max_users: number;
    features: object;
    is_operator: boolean;
  };
}

describe('tenant', () => {
  test('makes, lists and changes tenants', async (t) => {
    const world = cliWorld(t);
    const made = await world.run('tenant', 'create', 'Studio', '--slug', 'studio', '--json');
    assert.equal(made.code, 0, made.err);
    const { tenant } = made.json<TenantDocument>();
    assert.deepEqual(
      [tenant.slug, tenant.plan, tenant.max_users, tenant.is_operator],
      ['studio', 'free', 1, true],
    );
    const planned = await world.run('tenant', 'plan', 'studio', 'team', '--seats', '3', '--json');
    assert.deepEqual(
      [planned.json<TenantDocument>().tenant.plan, planned.json<TenantDocument>().tenant.max_users],
      ['team', 3],
    );
    const changes = ['sso=off', 'cloud_drive_sync=on', 'credits_monthly_override=5'];
    const given = await world.run('tenant', 'features', tenant.tenant_id, ...changes, '--json');
    const { features } = given.json<TenantDocument>().tenant;
    assert.deepEqual(features, { sso: false, cloud_drive: true, credits_monthly: 5 });
    const less = await world.run(
      'tenant',
      'features',
      'studio',
      'sso=plan',
      'credits_monthly_override=plan',
      '--json',
    );
    assert.deepEqual(less.json<TenantDocument>().tenant.features, { cloud_drive: true });
    assert.match((await world.run('tenant', 'list')).out, /studio +team +3 +cloud_drive=true +Studio/);
  });

  test('says what is wrong in one line', async (t) => {
    const world = cliWorld(t);
    await world.run('tenant', 'create', 'Studio', '--slug', 'studio');
    const wrongs: [string[], RegExp][] = [
      [['create', 'Other', '--slug', 'studio'], /slug studio already/],
      [['plan', 'studio', 'gold'], /no plan 'gold'/],
      [['plan', 'nobody', 'team'], /no tenant nobody/],
      [['features', 'studio', 'flying=on'], /'flying=on' is no change/],
      [['features', 'studio', 'sso=maybe'], /KEY=on, KEY=off or KEY=plan/],
      [['create', 'Third', '--seats', 'many'], /whole number/],
    ];
    for (const [args, message] of wrongs) {
      const { code, err } = await world.run('tenant', ...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, message);
    }
  });
});

test('keys rotate makes a new key each time, and needs the ENCRYPTION_KEY', async (t) => {
  const world = cliWorld(t);
  const env = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') };
  const rotate = async () =>
    (await world.runWith({ env }, 'keys', 'rotate', '--json')).json<{ kid: string }>().kid;
  assert.notEqual(await rotate(), await rotate());
  const without = await world.run('keys', 'rotate');
  assert.equal(without.code, 2);
  assert.match(without.err, /^canonry: .*ENCRYPTION_KEY.*\n$/);
});

describe('user, of the accounts service', () => {
  interface Listed {
    users: { email: string; role: string; is_active: boolean; tenant: string }[];
  }

  /** Commands on the accounts service's database, with two tenants. */
  async function accountsWorld(t: TestContext) {
    const world = cliWorld(t);
    const env = { ACCOUNTS_DATABASE_URL: `sqlite:${join(world.folder, 'accounts.db')}` };
    const run = (...args: string[]) => world.runWith({ env }, ...args);
    const plans = { first: 'enterprise', studio: 'free' };
    for (const [slug, plan] of Object.entries(plans))
      assert.equal((await run('tenant', 'create', slug, '--slug', slug, '--plan', plan)).code, 0);
    const list = async (...more: string[]) =>
      (await run('user', 'list', '--json', ...more)).json<Listed>().users;
    return { world, run, list };
  }

  test('people have a tenant, which is named when they are made', async (t) => {
    const { world, run, list } = await accountsWorld(t);
    assert.match((await run('user', 'create', 'a@example.com')).err, /--tenant SLUG/);
    assert.match((await run('user', 'create', 'a@example.com', '--tenant', 'none')).err, /no tenant none/);
    for (const [email, tenant] of [
      ['a@example.com', 'first'],
      ['b@example.com', 'studio'],
    ] as const)
      assert.equal((await run('user', 'create', email, '--role', 'owner', '--tenant', tenant)).code, 0);
    const placed = (await list()).map(({ email, role, tenant }) => [email, role, tenant]);
    assert.deepEqual(placed, [
      ['a@example.com', 'admin', 'first'],
      ['b@example.com', 'owner', 'studio'],
    ]);
    assert.match((await run('user', 'list')).out, /b@example\.com +owner +active +\S+ +studio +b$/m);
    assert.deepEqual(
      (await list('--tenant', 'studio')).map(({ email }) => email),
      ['b@example.com'],
    );
    // A core on the same machine has its own people.
    assert.equal((await world.run('user', 'create', 'c@example.com')).code, 0);
    assert.match((await world.run('user', 'list', '--tenant', 'studio')).err, /ACCOUNTS_DATABASE_URL/);
    assert.equal((await list()).length, 2);
  });

  test('seats hold, and so does the last owner of each tenant', async (t) => {
    const { run, list } = await accountsWorld(t);
    await run('user', 'create', 'a@example.com', '--tenant', 'first');
    await run('user', 'create', 'b@example.com', '--role', 'owner', '--tenant', 'studio');
    const refused = await run('user', 'create', 'c@example.com', '--tenant', 'studio');
    assert.equal(refused.code, 2);
    assert.match(refused.err, /All 1 seats of studio are taken/);
    assert.match((await run('user', 'deactivate', 'b@example.com')).err, /last owner/);
    assert.equal((await run('tenant', 'plan', 'studio', 'team', '--seats', '2')).code, 0);
    assert.equal((await run('user', 'create', 'c@example.com', '--tenant', 'studio')).code, 0);
    assert.equal((await run('user', 'role', 'c@example.com', 'editor')).code, 0);
    assert.equal((await run('user', 'deactivate', 'c@example.com')).code, 0);
    const [, , last] = await list();
    assert.deepEqual([last?.email, last?.role, last?.is_active], ['c@example.com', 'editor', false]);
    const invited = await run('user', 'invite', 'd@example.com', '--tenant', 'studio');
    assert.match(invited.out, /register-with-invite/);
  });
});

describe('in the containers of compose.yaml', () => {
  const cloud = {
    DEPLOYMENT: 'cloud',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/accounts',
    REDIS_URL: 'redis://127.0.0.1:1',
    SERVICE_TOKEN: 'x'.repeat(32),
  };

  test('commands about people open the database of accounts, whatever a core would need', async (t) => {
    const { code, err } = await cliWorld(t).runWith({ env: cloud }, 'tenant', 'list');
    assert.equal(code, 2);
    assert.match(err, /database/i);
    assert.doesNotMatch(err, /ACCOUNTS_URL/);
  });

  test('with the settings of a core they refuse to make tables of accounts in its database', async (t) => {
    const env = { ...cloud, ACCOUNTS_URL: 'http://accounts:8000' };
    for (const args of [
      ['tenant', 'create', 'Studio'],
      ['user', 'create', 'a@example.com', '--tenant', 'studio'],
      ['user', 'list'],
    ]) {
      const { code, err } = await cliWorld(t).runWith({ env }, ...args);
      assert.equal(code, 2);
      assert.match(err, /where accounts runs/, args.join(' '));
    }
  });
});
