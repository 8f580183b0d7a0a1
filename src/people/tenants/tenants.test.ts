import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startAccounts, type TestAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface TenantReply {
  tenant_id: string;
  slug: string;
  plan: string;
  max_users: number;
  credits_monthly: number;
  features: Record<string, unknown>;
  code: string;
}

forEachDatabase((_name, open) => {
  describe('tenants', () => {
    let accounts: TestAccounts;
    before(async () => {
      accounts = await startAccounts({ open });
    });
    after(() => accounts.close());

    const send = async (method: string, path: string, body: object, token = accounts.first.token) => {
      const reply = await accounts.ask(method, path, { token, body });
      return { status: reply.status, text: reply.text, body: reply.body as unknown as TenantReply };
    };
    const featuresOf = async (token: string) =>
      (await accounts.ask('GET', '/api/auth/me', { token })).body.features;

    test('the first tenant’s admins make tenants, with what the plan has unless said', async () => {
      const made = await send('POST', '/api/tenants', { name: 'Studio Über', plan: 'indie' });
      assert.equal(made.status, 201, made.text);
      assert.match(made.body.slug, /^studio-u-ber-[0-9a-f]{8}$|^studio-uber-[0-9a-f]{8}$/);
      assert.deepEqual([made.body.max_users, made.body.credits_monthly], [1, 500]);
      const own = { name: 'Own', slug: 'own', plan: 'team', max_users: 5, credits_monthly: 9 };
      const second = await send('POST', '/api/tenants', own);
      assert.deepEqual([second.body.slug, second.body.max_users, second.body.credits_monthly], ['own', 5, 9]);
      const again = await send('POST', '/api/tenants', own);
      assert.deepEqual([again.status, again.body.code], [409, 'slug_taken']);
      for (const wrong of [
        { slug: 'No Slug' },
        { name: '\n' },
        { plan: 'gold' },
        { max_users: -2 },
        { is_operator: true },
      ])
        assert.equal((await send('POST', '/api/tenants', { ...own, slug: 'other', ...wrong })).status, 422);
    });

    test('other tenants’ owners make none and give themselves nothing, whether the tenant is there or not', async () => {
      const owner = await accounts.register();
      const editor = await accounts.person('editor');
      for (const [token, code] of [
        [owner.token, 'operator_only'],
        [editor.token, 'insufficient_role'],
      ] as const) {
        for (const reply of [
          await send('POST', '/api/tenants', { name: 'Mine', plan: 'enterprise' }, token),
          await send('PATCH', `/api/tenants/${owner.tenantId}/features`, { features: { sso: true } }, token),
          await send('PATCH', '/api/tenants/no-such/features', { features: { sso: true } }, token),
        ])
          assert.deepEqual([reply.status, reply.body.code], [403, code]);
      }
    });

    test('an override wins over the plan within five seconds, in both directions, until it is taken back', async () => {
      const { tenantId, token } = await accounts.register();
      const path = `/api/tenants/${tenantId}/features`;
      assert.deepEqual(await featuresOf(token), ['ai_generation']);
      const given = {
        web_access: true,
        cloud_drive_sync: true,
        ai_generation: false,
        credits_monthly_override: 7,
      };
      const reply = await send('PATCH', path, { features: given });
      assert.deepEqual(reply.body.features, {
        web_access: true,
        cloud_drive: true,
        ai_generation: false,
        credits_monthly: 7,
      });
      accounts.clock.pass(5_000);
      assert.deepEqual(await featuresOf(token), ['web_access', 'cloud_drive']);
      const less = await send('PATCH', path, {
        features: { web_access: null, ai_generation: null, credits_monthly_override: null },
      });
      assert.deepEqual(less.body.features, { cloud_drive: true });
      accounts.clock.pass(5_000);
      assert.deepEqual(await featuresOf(token), ['cloud_drive', 'ai_generation']);
      for (const body of [{ features: { plan: 'team' } }, { sso: true }, {}])
        assert.equal((await send('PATCH', path, body)).status, 422);
      assert.equal(
        (await send('PATCH', '/api/tenants/no-such/features', { features: { sso: true } })).status,
        404,
      );
    });

    test('the first tenant of all, and no other, runs the installation', async () => {
      const tenants = await accounts.tenants.list();
      assert.equal(tenants.filter(({ isOperator }) => isOperator).length, 1);
      assert.equal(tenants.find(({ isOperator }) => isOperator)?.tenantId, accounts.first.tenantId);
    });

    test('a registration that fails leaves no tenant behind, and never an installation that nobody runs', async () => {
      const fresh = await startAccounts({ open });
      const { tenantId } = fresh.first;
      const second = await fresh.tenants.create({ name: 'Second' });
      await fresh.tenants.remove(tenantId);
      assert.equal(await fresh.tenants.isOperator(second.tenantId), true);
      const body = { email: 'same@example.com', password: 'a long pass phrase' };
      await fresh.ask('POST', '/api/auth/register', { body });
      const link = new URL(/https?:\/\/\S+verify\S+/.exec(await fresh.mailTo(body.email))?.[0] ?? '');
      await Promise.all(
        Array.from({ length: 10 }, () => fresh.ask('POST', `${link.pathname}${link.search}`)),
      );
      const left = await fresh.tenants.list();
      const operators = left.filter(({ isOperator }) => isOperator).map((tenant) => tenant.tenantId);
      assert.deepEqual([left.length, operators], [2, [second.tenantId]]);
      await fresh.close();
    });
  });
});
