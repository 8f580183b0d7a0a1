import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type AccountsPerson, startAccounts, type TestAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { permissionsOf, ROLES } from '../../access/plans.ts';

interface SeamReply {
  code: string;
  user_id: string;
  users: { user_id: string }[];
  display_name: string;
  is_active: boolean;
  permissions: string[];
  features: string[];
}

forEachDatabase((_name, open) => {
  describe('people of many tenants', () => {
    let accounts: TestAccounts;
    let owner: AccountsPerson;
    before(async () => {
      accounts = await startAccounts({ open });
      owner = await studio(4);
    });
    after(() => accounts.close());

    async function studio(seats: number): Promise<AccountsPerson> {
      const registered = await accounts.register();
      await accounts.tenants.changePlan(registered.tenantId, 'team', seats);
      return { ...registered, token: (await accounts.login(registered.email)).body.access_token };
    }
    const ask = async (by: AccountsPerson, method: string, path: string, body?: unknown) => {
      const reply = await accounts.ask(method, path, { token: by.token, body });
      return { ...reply, body: reply.body as unknown as SeamReply };
    };

    test("admins see their tenant's accounts alone; another tenant's are as those that are not there", async () => {
      const other = await studio(2);
      const { users } = (await ask(owner, 'GET', '/api/users')).body;
      const ids = users.map((user) => user.user_id);
      assert.ok(ids.includes(owner.id) && !ids.includes(other.id));
      const asks = [
        ['GET', undefined],
        ['PUT', { display_name: 'X' }],
        ['DELETE', undefined],
      ] as const;
      for (const [method, body] of asks) {
        const missing = other.id.replace(/^.{4}/, '0000');
        const there = await ask(owner, method, `/api/users/${other.id}`, body);
        const notThere = await ask(owner, method, `/api/users/${missing}`, body);
        assert.equal(there.status, 404, there.text);
        assert.equal(there.text.replaceAll(other.id, ''), notThere.text.replaceAll(missing, ''));
      }
      assert.equal((await accounts.login(other.email)).status, 200);
    });

    test('a deleted account is signed out and leaves its seat', async () => {
      const leaving = await accounts.person('editor', owner.tenantId);
      const seats = await accounts.users.countActive(owner.tenantId);
      assert.equal((await ask(leaving, 'DELETE', `/api/users/${owner.id}`)).status, 403);
      assert.equal((await ask(owner, 'DELETE', `/api/users/${leaving.id}`)).status, 200);
      assert.equal((await ask(leaving, 'GET', '/api/user/profile')).status, 401);
      assert.equal(await accounts.users.countActive(owner.tenantId), seats - 1);
      assert.equal((await ask(owner, 'DELETE', `/api/users/${owner.id}`)).body.code, 'last_owner');
    });

    test('a closed account is opened again only into a free seat, whoever asks at once', async () => {
      const full = await studio(2);
      const [one, two] = [
        await accounts.person('viewer', full.tenantId),
        await accounts.person('viewer', full.tenantId),
      ];
      for (const { id } of [one, two])
        assert.equal((await ask(full, 'PUT', `/api/users/${id}`, { is_active: false })).status, 200);
      const opened = await Promise.all(
        [one, two, one, two].map(({ id }) => ask(full, 'PUT', `/api/users/${id}`, { is_active: true })),
      );
      assert.equal(await accounts.users.countActive(full.tenantId), 2);
      const refused = opened.filter(({ status }) => status !== 200);
      assert.equal(refused.length, 2);
      for (const { status, body } of refused) assert.deepEqual([status, body.code], [422, 'seat_limit']);
    });

    test('the profile is read and changed at /api/user/profile, by POST as by PATCH', async () => {
      const expected = {
        user_id: owner.id,
        email: owner.email,
        avatar_url: 'https://pictures.example.com/1.jpg',
        subscription_tier: 'team',
      };
      const { avatar_url } = expected;
      for (const [method, display_name] of [
        ['POST', 'Mara'],
        ['PATCH', 'Mara V.'],
      ] as const) {
        const { status, body } = await ask(owner, method, '/api/user/profile', { display_name, avatar_url });
        assert.equal(status, 200);
        assert.deepEqual(body, { ...expected, display_name });
      }
      assert.deepEqual((await ask(owner, 'GET', '/api/user/profile')).body, {
        ...expected,
        display_name: 'Mara V.',
      });
      assert.equal((await ask(owner, 'POST', '/api/user/profile', { role: 'owner' })).status, 422);
    });

    test('preferences are the same under both addresses', async () => {
      await ask(owner, 'PATCH', '/api/users/preferences', { theme: 'dark' });
      assert.deepEqual((await ask(owner, 'GET', '/api/user/preferences')).body, { theme: 'dark' });
    });

    test('permissions follow the role, features the plan and what overrides it', async () => {
      const { tenantId } = accounts.first;
      for (const role of ROLES) {
        const person = await accounts.person(role, tenantId);
        const { body } = await ask(person, 'GET', '/api/groups/user-permissions');
        assert.deepEqual(body.permissions, permissionsOf(role), role);
      }
      const permissions = async (by: AccountsPerson) =>
        (await ask(by, 'GET', '/api/groups/user-permissions')).body;
      assert.ok((await permissions(accounts.first)).permissions.includes('delete_tenant'), 'admin and owner');
      assert.ok((await permissions(owner)).features.includes('sso'));
      const off = await ask(accounts.first, 'PATCH', `/api/tenants/${owner.tenantId}/features`, {
        features: { sso: false },
      });
      assert.equal(off.status, 200, off.text);
      accounts.clock.pass(5_001);
      assert.ok(!(await permissions(owner)).features.includes('sso'));
      assert.ok(!(await ask(owner, 'GET', `/api/users/${owner.id}`)).body.features.includes('sso'));
    });
  });
});
