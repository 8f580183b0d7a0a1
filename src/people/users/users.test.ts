import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type People, type Person, startPeople } from '../../../test/support/people.ts';
import { ROLES, type Role } from '../../access/plans.ts';

type Caller = Role | 'first';
const CALLERS: readonly Caller[] = ['first', ...ROLES];
const ADMINS: readonly Caller[] = ['first', 'owner', 'admin'];

forEachDatabase((_name, open) => {
  describe('accounts', () => {
    let people: People;
    let stranger: Person;
    before(async () => {
      people = await startPeople({ open });
      stranger = await people.person('editor', 'elsewhere');
    });
    after(() => people.close());

    const as = (caller: Caller) => people.cast[caller];
    const urlOf = ({ id }: { id: string }) => `/api/users/${id}`;

    test('admins list the tenant, a page at a time', async () => {
      for (const caller of CALLERS) {
        const { status } = await people.ask(as(caller), 'GET', '/api/users');
        assert.equal(status, ADMINS.includes(caller) ? 200 : 403, caller);
      }
      const all = (await people.ask(as('admin'), 'GET', '/api/users')).body;
      const ids = all.users.map((user) => user.user_id);
      assert.equal(all.total, ids.length);
      assert.ok(ids.includes(as('viewer').id) && !ids.includes(stranger.id));
      const pages = [];
      for (let offset = 0; offset < all.total; offset += 2) {
        const page = await people.ask(as('admin'), 'GET', `/api/users?limit=2&offset=${offset}`);
        pages.push(...page.body.users.map((user) => user.user_id));
      }
      assert.deepEqual(pages, ids);
      assert.ok(!JSON.stringify(all).includes('password'));
    });

    test('everybody reads themselves, admins everybody of the tenant', async () => {
      for (const caller of CALLERS) {
        const { body } = await people.ask(as(caller), 'GET', '/api/users/current');
        assert.equal(body.user_id, as(caller).id);
        for (const target of CALLERS) {
          const { status } = await people.ask(as(caller), 'GET', urlOf(as(target)));
          const may = caller === target || ADMINS.includes(caller);
          assert.equal(status, may ? 200 : 403, `${caller} reads ${target}`);
        }
      }
    });

    test('an account of another tenant is as one that is not there, whatever is asked of it', async () => {
      const asks: [string, string, object?][] = [
        ['GET', ''],
        ['PUT', '', { display_name: 'X' }],
        ['PUT', '', { role: 'viewer' }],
        ['PUT', '/password', { new_password: 'another pass phrase' }],
        ['DELETE', ''],
      ];
      for (const [method, path, body] of asks) {
        for (const caller of ['owner', 'viewer'] as const) {
          const missing = { id: stranger.id.replace(/^.{4}/, '0000') };
          const there = await people.ask(as(caller), method, urlOf(stranger) + path, body);
          const notThere = await people.ask(as(caller), method, urlOf(missing) + path, body);
          assert.equal(there.status, caller === 'owner' ? 404 : 403, `${method} ${path}: ${there.text}`);
          assert.equal(there.text.replaceAll(stranger.id, ''), notThere.text.replaceAll(missing.id, ''));
        }
      }
      assert.equal((await people.login(stranger.email)).status, 200);
    });

    test('everybody changes their own profile, admins that of those who are not above them', async () => {
      for (const caller of CALLERS) {
        for (const target of CALLERS) {
          const display_name = `${target} by ${caller}`;
          const reply = await people.ask(as(caller), 'PUT', urlOf(as(target)), { display_name });
          const isAbove = caller === 'admin' && (target === 'owner' || target === 'first');
          const may = caller === target || (ADMINS.includes(caller) && !isAbove);
          assert.equal(reply.status, may ? 200 : 403, display_name);
          if (may) assert.equal(reply.body.display_name, display_name);
        }
      }
    });

    test('a role is given by admins, to those below or beside them, and none above their own', async () => {
      for (const caller of CALLERS) {
        for (const role of ROLES) {
          const target = await people.person('viewer');
          const reply = await people.ask(as(caller), 'PUT', urlOf(target), { role });
          const may = ADMINS.includes(caller) && !(caller === 'admin' && role === 'owner');
          assert.equal(reply.status, may ? 200 : 403, `${caller} makes ${role}`);
          const now = await people.ask(target, 'GET', '/api/users/current');
          assert.equal(now.body.role, may ? role : 'viewer');
        }
      }
      const promoted = await people.ask(as('admin'), 'PUT', urlOf(as('admin')), { role: 'owner' });
      assert.equal(promoted.status, 403);
      const demoted = await people.ask(as('admin'), 'PUT', urlOf(as('owner')), { role: 'viewer' });
      assert.equal(demoted.status, 403);
    });

    test('nobody gives themselves more than a profile', async () => {
      const viewer = as('viewer');
      for (const body of [{ role: 'owner' }, { display_name: 'x', role: 'admin' }, { is_active: true }]) {
        assert.equal((await people.ask(viewer, 'PUT', urlOf(viewer), body)).status, 403);
      }
      const more = [
        'email',
        'tenant_id',
        'user_id',
        'tenant_role',
        'password_hash',
        'plan',
        'email_verified',
      ];
      for (const field of more) {
        for (const [method, path] of [
          ['PUT', urlOf(viewer)],
          ['PATCH', '/api/users/profile'],
          ['PATCH', '/api/user/profile'],
        ] as const) {
          const { status, body } = await people.ask(viewer, method, path, { [field]: 'x' });
          assert.deepEqual([status, body.errors[0]?.field], [422, field], `${method} ${path}`);
        }
      }
      for (const field of ['role', 'is_active'])
        assert.equal((await people.ask(viewer, 'PATCH', '/api/users/profile', { [field]: 'x' })).status, 422);
      const { body } = await people.ask(viewer, 'GET', '/api/users/current');
      assert.deepEqual([body.role, body.tenant_role, body.email], ['viewer', 'viewer', viewer.email]);
    });

    test('a change of role counts with the next request', async () => {
      const target = await people.person('viewer');
      assert.equal((await people.ask(target, 'GET', '/api/users')).status, 403);
      await people.ask(as('owner'), 'PUT', urlOf(target), { role: 'admin' });
      assert.equal((await people.ask(target, 'GET', '/api/users')).status, 200);
      await people.ask(as('owner'), 'PUT', urlOf(target), { role: 'editor' });
      assert.equal((await people.ask(target, 'GET', '/api/users')).status, 403);
    });

    test('a closed account is out at once, and its old sessions stay ended when it is opened again', async () => {
      const target = await people.person('editor');
      assert.equal((await people.ask(target, 'GET', '/api/users/current')).status, 200);
      const closed = await people.ask(as('admin'), 'PUT', urlOf(target), { is_active: false });
      assert.equal(closed.body.is_active, false);
      assert.equal((await people.ask(target, 'GET', '/api/users/current')).status, 401);
      assert.equal((await people.login(target.email)).status, 401);
      await people.ask(as('admin'), 'PUT', urlOf(target), { is_active: true });
      assert.equal((await people.ask(target, 'GET', '/api/users/current')).status, 401);
      const refresh = { refresh_token: target.refreshToken };
      assert.equal((await people.ask(null, 'POST', '/api/auth/refresh', refresh)).status, 401);
      assert.equal((await people.login(target.email)).status, 200);
    });

    test('a deleted account is out at once; what it wrote stays', async () => {
      const target = await people.person('editor');
      const made = await people.ask(target, 'POST', '/api/entity/character', {
        entity_id: `of_${target.id.slice(0, 8)}`,
        name: 'Mira',
      });
      assert.equal(made.status, 201, made.text);
      await people.ask(target, 'PATCH', '/api/users/preferences', { theme: 'dark' });
      for (const caller of ['viewer', 'editor'] as const)
        assert.equal((await people.ask(as(caller), 'DELETE', urlOf(target))).status, 403);
      assert.equal((await people.ask(as('admin'), 'DELETE', urlOf(as('owner')))).status, 403);
      const gone = await people.ask(as('admin'), 'DELETE', urlOf(target));
      assert.deepEqual([gone.status, gone.body.message], [200, `Deleted ${target.email}`]);
      assert.equal((await people.ask(target, 'GET', '/api/users/current')).status, 401);
      const refresh = { refresh_token: target.refreshToken };
      assert.equal((await people.ask(null, 'POST', '/api/auth/refresh', refresh)).status, 401);
      assert.equal((await people.login(target.email)).status, 401);
      assert.equal((await people.ask(as('admin'), 'DELETE', urlOf(target))).status, 404);
      const path = `/api/entity/character/of_${target.id.slice(0, 8)}`;
      const kept = await people.call<{ updated_by: string }>('GET', path);
      assert.equal(kept.body.updated_by, target.id);
    });

    test('names and addresses that cannot be shown are refused', async () => {
      const viewer = as('viewer');
      const own = `/api/files/avatars/${viewer.id}.jpg`;
      for (const [field, value] of [
        ['display_name', '   '],
        ['display_name', 'two\nlines'],
        ['display_name', 'x'.repeat(101)],
        ['avatar_url', 'javascript:alert(1)'],
        ['avatar_url', 'http://example.com/a.jpg'],
        ['avatar_url', 'https://user:secret@example.com/a.jpg'],
        ['avatar_url', '//example.com/a.jpg'],
        ['avatar_url', own.replace(viewer.id, as('owner').id)],
      ] as const) {
        const { status, body } = await people.ask(viewer, 'PATCH', '/api/user/profile', { [field]: value });
        assert.deepEqual([status, body.errors[0]?.field], [422, field], value);
      }
      const { status, body } = await people.ask(viewer, 'PATCH', '/api/user/profile', {
        display_name: '  Ünal  ',
        avatar_url: 'https://example.com/a.jpg',
      });
      assert.equal(status, 200);
      assert.deepEqual(body, {
        user_id: viewer.id,
        email: viewer.email,
        display_name: 'Ünal',
        avatar_url: 'https://example.com/a.jpg',
        subscription_tier: 'enterprise',
      });
      assert.equal((await people.ask(viewer, 'PATCH', '/api/users/profile', {})).body.display_name, 'Ünal');
    });
  });

  describe('the last owner', () => {
    let people: People;
    before(async () => {
      people = await startPeople({ open });
    });
    after(() => people.close());

    test('stays, whoever of two owners tries what at once', async () => {
      const { first, owner } = people.cast;
      const urlOf = ({ id }: Person) => `/api/users/${id}`;
      const tries = [
        ...Array.from({ length: 5 }, () => people.ask(first, 'DELETE', urlOf(owner))),
        ...Array.from({ length: 5 }, () => people.ask(owner, 'PUT', urlOf(first), { role: 'viewer' })),
        ...Array.from({ length: 5 }, () => people.ask(owner, 'PUT', urlOf(owner), { is_active: false })),
        ...Array.from({ length: 5 }, () => people.ask(first, 'PUT', urlOf(first), { role: 'admin' })),
      ];
      await Promise.all(tries);
      const left = await people.users.list();
      const owners = left.filter((user) => user.tenantRole === 'owner' && user.isActive);
      assert.equal(owners.length, 1);
      const [last] = owners;
      assert.ok(last);
      const token = last.userId === first.id ? first : owner;
      for (const [method, body] of [
        ['DELETE', undefined],
        ['PUT', { role: 'editor' }],
        ['PUT', { is_active: false }],
      ] as const) {
        const refused = await people.ask(token, method, `/api/users/${last.userId}`, body);
        assert.deepEqual([refused.status, refused.body.code], [409, 'last_owner'], refused.text);
      }
    });
  });
});
