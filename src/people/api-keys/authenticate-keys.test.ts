import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../../../test/support/auth.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import type { Scope } from '../../access/scopes.ts';
import { unauthorized } from '../../kit/errors.ts';
import { accessMigrations } from '../access-changes/access-changes.tables.ts';
import { createAccounts } from '../users/users.module.ts';
import { userMigrations } from '../users/users.tables.ts';
import { createApiKeys } from './api-keys.service.ts';
import { apiKeyMigrations } from './api-keys.tables.ts';
import { createAuthenticateKeys } from './authenticate-keys.ts';

const REMEMBERED_MS = 3_000;
const refused = { status: 401 };

forEachDatabase((_name, open) => {
  test('what one process ends or lowers counts in another within five seconds', async () => {
    const opened = await open();
    await opened.database.migrate([...accessMigrations, ...userMigrations, ...apiKeyMigrations]);
    const clock = createTestClock();
    const process = () => {
      const database = opened.again();
      const { users } = createAccounts({
        database,
        clock,
        tenantId: LOCAL_TENANT,
        passwordOptions: { cost: 4 },
      });
      const apiKeys = createApiKeys({ database, users, clock });
      const authenticate = createAuthenticateKeys({
        apiKeys,
        users,
        clock,
        planOf: async () => ({ plan: 'free', overrides: {} }),
        otherwise: () => {
          throw unauthorized('no key');
        },
      });
      return { users, apiKeys, ask: async (key: string) => authenticate(key) };
    };
    const [here, there] = [process(), process()];
    const account = (email: string) =>
      here.users.create({ email, password: 'a long pass phrase' }, () => ({
        role: 'admin',
        tenantRole: 'admin',
      }));
    await account('first@example.com');
    const { userId } = await account('second@example.com');
    const make = (scopes: Scope[]) => here.apiKeys.create(userId, { name: 'x', scopes });
    const [one, two] = [await make(['admin']), await make(['write'])];
    assert.equal((await there.ask(one.key)).role, 'admin');
    assert.equal((await there.ask(two.key)).role, 'editor');

    const direct = await make(['write:direct']);
    const mayWriteDirectly = async (key: string) => (await there.ask(key)).apiKey?.mayWriteDirectly;
    assert.equal((await there.ask(direct.key)).role, 'editor');
    assert.deepEqual(
      [await mayWriteDirectly(direct.key), await mayWriteDirectly(one.key)],
      [true, false],
      'not even a wider key, unless it says so',
    );

    await here.apiKeys.remove(userId, two.apiKey.key_id);
    await here.users.update(userId, { role: 'viewer' });
    await assert.rejects(here.ask(two.key), refused);
    assert.equal((await here.ask(one.key)).role, 'viewer');
    clock.pass(REMEMBERED_MS);
    await assert.rejects(there.ask(two.key), refused);
    assert.equal((await there.ask(one.key)).role, 'viewer');

    await here.users.update(userId, { isActive: false });
    await assert.rejects(here.ask(one.key), refused);
    clock.pass(REMEMBERED_MS);
    await assert.rejects(there.ask(one.key), refused);
    await assert.rejects(there.ask('eyJ.no.key'), refused);
    await opened.close();
  });
});
