import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Kysely } from 'kysely';
import {
  type AccountsPerson,
  PASSWORD,
  startAccounts,
  type TestAccounts,
} from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { TenantTables } from '../tenants/tenants.tables.ts';
import type { UserTables } from '../users/users.tables.ts';

const AT_ONCE = 20;

forEachDatabase((name, open) => {
  describe('what can be done once', () => {
    /** Two processes over one database; a SQLite file belongs to one process, so there both are the same. */
    async function startTwo(t: TestContext): Promise<{ accounts: TestAccounts; other: TestAccounts }> {
      const accounts = await startAccounts({ open });
      const other = name === 'postgres' ? await accounts.another() : accounts;
      t.after(async () => {
        if (other !== accounts) await other.close();
        await accounts.close();
      });
      return { accounts, other };
    }

    test('of all who register an installation at once one runs it, each owns a tenant of their own', async (t) => {
      const { accounts, other } = await startTwo(t);
      await accounts.database.system.write(async (db: Kysely<UserTables & TenantTables>) => {
        await db.deleteFrom('users').execute();
        await db.deleteFrom('tenants').execute();
      });
      const emails = Array.from({ length: AT_ONCE }, (_, index) => `founder${index}@example.com`);
      const people = await Promise.all(
        emails.map((email, index) => (index % 2 === 0 ? accounts : other).register(email)),
      );
      assert.equal(new Set(people.map(({ tenantId }) => tenantId)).size, AT_ONCE);
      const operators = (await accounts.tenants.list()).filter(({ isOperator }) => isOperator);
      assert.equal(operators.length, 1);
    });

    test('two owners who take each other’s place, by every way at once, leave one', async (t) => {
      const { accounts, other } = await startTwo(t);
      const { tenantId } = accounts.first;
      const second = await accounts.person('owner', tenantId);
      const ways = (by: AccountsPerson, of: AccountsPerson) =>
        [
          ['PATCH', `/api/auth/users/${of.id}/role`, { role: 'viewer' }],
          ['POST', `/api/auth/users/${of.id}/deactivate`, undefined],
          ['DELETE', `/api/users/${of.id}`, undefined],
          ['PUT', `/api/users/${of.id}`, { is_active: false }],
          ['PUT', `/api/users/${of.id}`, { role: 'editor' }],
        ].map(([method, path, body]) => ({ method, path, body, token: by.token }) as const);
      const first = accounts.first;
      const tries = [
        ...ways(first, second),
        ...ways(second, first),
        ...ways(first, first),
        ...ways(second, second),
      ];
      assert.equal(tries.length, AT_ONCE);
      const replies = await Promise.all(
        tries.map(({ method, path, body, token }, index) =>
          (index % 2 === 0 ? accounts : other).ask(String(method), String(path), { token, body }),
        ),
      );
      for (const { status, text } of replies) assert.ok([200, 401, 403, 404, 409].includes(status), text);
      const left = await Promise.all([first, second].map(({ id }) => accounts.users.findById(id)));
      const owners = left.filter((user) => user?.isActive && user.tenantRole === 'owner');
      assert.equal(owners.length, 1, JSON.stringify(replies.map(({ status }) => status)));
      const login = await accounts.login(owners[0]?.email ?? '', PASSWORD);
      assert.equal(login.status, 200);
    });

    test('of all who register one address at once one gets it, and no tenant is left without people', async (t) => {
      const accounts = await startAccounts({ open });
      t.after(() => accounts.close());
      const body = { email: 'mara@example.com', password: PASSWORD };
      const replies = await Promise.all(
        Array.from({ length: AT_ONCE }, () => accounts.ask('POST', '/api/auth/register', { body })),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), Array(AT_ONCE).fill(202));
      const link = new URL(
        /https?:\/\/\S+verify\S+/.exec(await accounts.mailTo(body.email, AT_ONCE))?.[0] ?? '',
      );
      const pressed = await Promise.all(
        Array.from({ length: AT_ONCE }, () => accounts.ask('POST', `${link.pathname}${link.search}`)),
      );
      for (const { status, text } of pressed) assert.equal(status, 200, text);
      assert.equal((await accounts.tenants.list()).length, 2);
    });
  });
});
