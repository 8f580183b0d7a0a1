import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { PASSWORD, type People, type Person, startPeople } from '../../../test/support/people.ts';
import { until } from '../../../test/support/until.ts';
import type { Scope } from '../../access/scopes.ts';
import type { ApiKeyTables } from './api-keys.tables.ts';

interface Made {
  key: string;
  key_id: string;
  key_start: string;
  scopes: Scope[];
}

interface Listed {
  api_keys: { key_id: string; name: string; last_used_at: string | null }[];
}

const KEYS = '/api/api-keys';

forEachDatabase((_name, open) => {
  describe('API keys', () => {
    let people: People;
    before(async () => {
      people = await startPeople({ open });
    });
    after(() => people.close());

    async function make(as: Person, scopes?: Scope[], more: object = {}): Promise<Made> {
      const body = { name: 'A program', ...(scopes && { scopes }), ...more };
      const reply = await people.ask(as, 'POST', KEYS, body);
      assert.equal(reply.status, 201, reply.text);
      return reply.body as unknown as Made;
    }
    const list = async (as: Person) => (await people.ask(as, 'GET', KEYS)).body as unknown as Listed;
    const works = async (key: string) => (await people.ask(key, 'GET', '/api/auth/me')).status === 200;
    const patch = (id: string, body: object) =>
      people.ask(people.cast.owner, 'PUT', `/api/users/${id}`, body);

    test('a key stands wherever a token does, as its owner', async () => {
      const { owner } = people.cast;
      const { key, key_start, scopes } = await make(owner);
      assert.match(key, /^cnry_[\w-]{43}$/);
      assert.ok(key.startsWith(key_start) && key_start.length < 20);
      assert.deepEqual(scopes, ['admin'], 'what its owner may, where no scopes are named');
      const entity = { entity_id: 'written', name: 'Written' };
      assert.equal((await people.ask(key, 'POST', '/api/entity/character', entity)).status, 201);
      const me = await people.ask(key, 'GET', '/api/users/current');
      assert.equal(me.body.user_id, owner.id);
      assert.equal((await people.ask(key, 'GET', '/api/entity/character')).status, 200);
    });

    test('the key is shown once and kept nowhere', async () => {
      const { key } = await make(people.cast.owner);
      assert.ok(!JSON.stringify(await list(people.cast.owner)).includes(key));
      const rows = await people.database.system.read((db: Kysely<ApiKeyTables>) =>
        db.selectFrom('api_keys').selectAll().execute(),
      );
      assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(key.slice(13)));
    });

    test('a key may do what its widest scope says and no more', async () => {
      const { owner, viewer } = people.cast;
      const asks: [string, string, object | undefined, Scope][] = [
        ['GET', '/api/entity/character', undefined, 'read'],
        ['PATCH', '/api/users/profile', { display_name: 'Owner' }, 'write'],
        ['POST', '/api/entity/character', { entity_id: 'mira', name: 'Mira' }, 'write'],
        ['GET', '/api/users', undefined, 'admin'],
        ['POST', '/api/webhooks', {}, 'admin'],
      ];
      const order: Scope[] = ['read', 'write', 'admin'];
      for (const scope of [...order, 'write:direct'] as const) {
        const { key } = await make(owner, [scope]);
        for (const [method, path, body, needed] of asks) {
          const { status, text } = await people.ask(key, method, path, body);
          const reach = scope === 'write:direct' ? 'write' : scope;
          const may = order.indexOf(reach) >= order.indexOf(needed);
          assert.equal(status !== 403, may, `${scope}: ${method} ${path}: ${text}`);
        }
      }
      const { key } = await make(owner, ['admin']);
      for (const [method, path, body] of [
        ['PUT', `/api/users/${viewer.id}`, { role: 'admin' }],
        ['DELETE', `/api/users/${viewer.id}`, undefined],
        ['POST', '/api/invites', { email: 'ally@example.com', role: 'admin' }],
        ['GET', '/api/invites', undefined],
        [
          'PUT',
          `/api/users/${owner.id}/password`,
          { current_password: PASSWORD, new_password: 'another pass phrase' },
        ],
      ] as const) {
        const refused = await people.ask(key, method, path, body);
        assert.deepEqual([refused.status, refused.body.code], [403, 'api_key_refused'], path);
      }
    });

    test('a key is never more than its owner, from the next request on', async () => {
      const admin = await people.person('admin');
      const { key } = await make(admin, ['admin']);
      assert.equal((await people.ask(key, 'GET', '/api/users')).status, 200);
      await patch(admin.id, { role: 'viewer' });
      assert.equal((await people.ask(key, 'GET', '/api/users')).status, 403);
      const entity = { entity_id: 'nadir', name: 'Nadir' };
      assert.equal((await people.ask(key, 'POST', '/api/entity/character', entity)).status, 403);
      await patch(admin.id, { role: 'admin' });
      assert.equal((await people.ask(key, 'GET', '/api/users')).status, 200);
    });

    test('admins make keys, people alone, with a name and an end that lies ahead', async () => {
      for (const caller of ['first', 'owner', 'admin', 'editor', 'viewer'] as const) {
        const { status } = await people.ask(people.cast[caller], 'POST', KEYS, { name: 'x' });
        assert.equal(status, caller === 'editor' || caller === 'viewer' ? 403 : 201, caller);
      }
      const { key } = await make(people.cast.owner, ['admin']);
      const byKey = await people.ask(key, 'POST', KEYS, { name: 'x' });
      assert.deepEqual([byKey.status, byKey.body.code], [403, 'api_key_refused']);
      for (const body of [
        {},
        { name: '' },
        { name: 'x', scopes: [] },
        { name: 'x', scopes: ['owner'] },
        { name: 'x', expires_at: 'tomorrow' },
        { name: 'x', expires_at: '2020-01-01T00:00:00Z' },
        { name: 'x', user_id: people.cast.viewer.id },
      ])
        assert.equal((await people.ask(people.cast.owner, 'POST', KEYS, body)).status, 422);
    });

    test('a key that has run out is refused and not listed', async () => {
      const admin = await people.person('admin');
      const end = Date.now() + 1500;
      const { key } = await make(admin, ['read'], { expires_at: new Date(end).toISOString() });
      assert.ok((await works(key)) || Date.now() > end);
      await until(async () => !(await works(key)));
      assert.deepEqual((await list(admin)).api_keys, []);
    });

    test('a deleted key ends at once, and only by its owner', async () => {
      const admin = await people.person('admin');
      const { key, key_id } = await make(admin);
      assert.ok(await works(key));
      const path = `${KEYS}/${key_id}`;
      assert.equal((await people.ask(people.cast.owner, 'DELETE', path)).status, 404);
      assert.equal((await people.ask(admin, 'DELETE', path)).status, 200);
      assert.equal(await works(key), false);
      assert.equal((await people.ask(admin, 'DELETE', path)).status, 404);
    });

    test('keys end when the account is closed or deleted, or its password changes', async () => {
      const ways: ((id: string) => Promise<{ status: number }>)[] = [
        (id) => patch(id, { is_active: false }),
        (id) => people.ask(people.cast.owner, 'DELETE', `/api/users/${id}`),
        (id) =>
          people.ask(people.cast.owner, 'PUT', `/api/users/${id}/password`, { new_password: `${PASSWORD}!` }),
      ];
      for (const [index, end] of ways.entries()) {
        const admin = await people.person('admin');
        const { key } = await make(admin);
        assert.ok(await works(key));
        assert.equal((await end(admin.id)).status, 200);
        assert.equal(await works(key), false, String(index));
        if (index === 0) {
          await patch(admin.id, { is_active: true });
          assert.equal(await works(key), false);
        }
      }
    });

    test('its last use is shown', async () => {
      const admin = await people.person('admin');
      const { key } = await make(admin);
      assert.equal((await list(admin)).api_keys[0]?.last_used_at, null);
      await works(key);
      const used = (await list(admin)).api_keys[0]?.last_used_at ?? '';
      assert.ok(Math.abs(Date.parse(used) - Date.now()) < 10_000, used);
    });

    test('what looks like a key and is none is refused', async () => {
      for (const key of ['cnry_', `cnry_${'x'.repeat(43)}`, `cnry_${'x'.repeat(5000)}`]) {
        const { status, body } = await people.ask(key, 'GET', '/api/auth/me');
        assert.deepEqual([status, body.code], [401, 'invalid_api_key']);
      }
    });

    test('a key has no session to end', async () => {
      const { key } = await make(people.cast.owner, ['admin']);
      assert.equal((await people.ask(key, 'POST', '/api/auth/logout')).status, 401);
      assert.ok(await works(key));
    });
  });
});
