import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import {
  type AuthProcess,
  createTestClock,
  PASSWORD,
  startAuth,
  type TestClock,
} from '../../../test/support/auth.ts';
import { forEachDatabase, type OpenedDatabase } from '../../../test/support/databases.ts';
import { createRateLimit } from '../../kit/rate-limit.ts';

const REMEMBERED_MS = 3_000;
const DAY_MS = 24 * 3_600_000;

forEachDatabase((name, open) => {
  let opened: OpenedDatabase;
  let clock: TestClock;
  let auth: AuthProcess;
  beforeEach(async () => {
    opened = await open();
    clock = createTestClock();
    auth = await startAuth({ database: opened.database, clock });
  });
  afterEach(async () => {
    await auth.app.close();
    await opened.close();
  });

  const login = (email: string, password = PASSWORD) => auth.post('login', { email, password });
  const refresh = (token: string) => auth.post('refresh', { refresh_token: token });

  test('the first to register is admin and owner, signed in at once; the next is a viewer', async () => {
    const first = await auth.register('Mara@Example.com ');
    assert.equal(first.expires_in, 900);
    assert.equal(first.user.email, 'mara@example.com');
    assert.deepEqual([first.user.role, first.user.tenant_role], ['admin', 'owner']);
    assert.deepEqual((await auth.get('me', first.access_token)).body, first.user);
    const second = await auth.register('ben@example.com');
    assert.deepEqual([second.user.role, second.user.tenant_role], ['viewer', 'viewer']);
  });

  test('when 50 register at once exactly one becomes admin', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => auth.register(`u${index}@example.com`)),
    );
    assert.equal(replies.filter(({ user }) => user.role === 'admin').length, 1);
  });

  test('of 20 who register with one address at once one gets it', async () => {
    const body = { email: 'mara@example.com', password: PASSWORD };
    const replies = await Promise.all(Array.from({ length: 20 }, () => auth.post('register', body)));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [
      201,
      ...Array.from({ length: 19 }, () => 409),
    ]);
  });

  for (const registration of ['invite', 'closed'] as const) {
    test(`with registration ${registration} only the first may register`, async () => {
      const strict = await startAuth({ database: opened.database, clock, config: { registration } });
      await strict.register('mara@example.com');
      const { status, body } = await strict.post('register', {
        email: 'ben@example.com',
        password: PASSWORD,
      });
      assert.equal(status, 403);
      assert.match(body.detail, /REGISTRATION/);
      await strict.app.close();
    });
  }

  test('an address that is taken is refused in every spelling', async () => {
    await auth.register('mara@example.com');
    const { status, body } = await auth.post('register', { email: ' MARA@example.com', password: PASSWORD });
    assert.equal(status, 409);
    assert.equal(body.code, 'email_taken');
  });

  test('signing in answers alike for a wrong password, an unknown address and a closed account', async () => {
    await auth.register('mara@example.com');
    const { user } = await auth.register('ben@example.com');
    await auth.users.update(user.user_id, { isActive: false });
    const answers = [
      await login('mara@example.com', 'not the password'),
      await login('nobody@example.com'),
      await login('ben@example.com'),
      await login('not an address'),
      await login('mara@example.com', 'x'.repeat(100)),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 401);
      assert.deepEqual(body, answers[0]?.body);
    }
    assert.equal((await login('Mara@example.com')).status, 200);
  });

  test('a refresh token is exchanged for a new pair', async () => {
    const first = await auth.register('mara@example.com');
    const second = await refresh(first.refresh_token);
    assert.equal(second.status, 200);
    assert.notEqual(second.body.refresh_token, first.refresh_token);
    assert.equal((await auth.get('me', second.body.access_token)).status, 200);
    const third = await refresh(second.body.refresh_token);
    assert.equal(third.status, 200);
  });

  test('tabs that refresh at once get the same successor', async () => {
    const { refresh_token } = await auth.register('mara@example.com');
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(refresh_token)));
    assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
    const successors = new Set(replies.map(({ body }) => body.refresh_token));
    assert.equal(successors.size, 1);
    clock.pass(19_000);
    assert.deepEqual(new Set([(await refresh(refresh_token)).body.refresh_token]), successors);
  });

  test('a used refresh token that comes back later ends the session', async () => {
    const first = await auth.register('mara@example.com');
    const second = (await refresh(first.refresh_token)).body;
    clock.pass(20_001);
    assert.equal((await refresh(first.refresh_token)).status, 401);
    assert.equal((await refresh(second.refresh_token)).status, 401);
    assert.equal((await auth.get('me', second.access_token)).status, 401);
    assert.equal((await login('mara@example.com')).status, 200);
  });

  test('the grandparent of a refresh token ends the session even at once', async () => {
    const first = await auth.register('mara@example.com');
    const second = (await refresh(first.refresh_token)).body;
    const third = (await refresh(second.refresh_token)).body;
    assert.equal((await refresh(first.refresh_token)).status, 401);
    assert.equal((await refresh(third.refresh_token)).status, 401);
  });

  test('a refresh token lasts 30 days from its making', async () => {
    const first = await auth.register('mara@example.com');
    clock.pass(29 * DAY_MS);
    const second = await refresh(first.refresh_token);
    assert.equal(second.status, 200);
    clock.pass(30 * DAY_MS + 1);
    assert.equal((await refresh(second.body.refresh_token)).status, 401);
  });

  test('other text is no refresh token', async () => {
    const { access_token, refresh_token } = await auth.register('mara@example.com');
    const [session, , signature] = refresh_token.split('.');
    for (const token of [
      access_token,
      'x',
      `${session}.2.${signature}`,
      refresh_token.slice(0, -1),
      `${refresh_token}A`,
    ]) {
      assert.equal((await refresh(token)).status, 401, token);
    }
    assert.equal((await auth.get('me', refresh_token)).status, 401);
    assert.equal((await refresh(refresh_token)).status, 200);
  });

  test('signing out ends access and refresh at once, other sessions go on', async () => {
    const { access_token, refresh_token } = await auth.register('mara@example.com');
    const other = (await login('mara@example.com')).body;
    assert.equal((await auth.get('me', access_token)).status, 200);
    assert.equal((await auth.post('logout', undefined, access_token)).status, 200);
    const after = await auth.get('me', access_token);
    assert.deepEqual([after.status, after.body.code], [401, 'session_ended']);
    assert.equal((await refresh(refresh_token)).status, 401);
    assert.equal((await auth.get('me', other.access_token)).status, 200);
  });

  test('signing out with a refresh token ends its session too, but nobody else’s', async () => {
    const { access_token } = await auth.register('mara@example.com');
    const other = (await login('mara@example.com')).body;
    const stranger = await auth.register('ben@example.com');
    await auth.post('logout', { refresh_token: stranger.refresh_token }, access_token);
    assert.equal((await refresh(stranger.refresh_token)).status, 200);
    const again = (await login('mara@example.com')).body;
    await auth.post('logout', { refresh_token: other.refresh_token }, again.access_token);
    assert.equal((await refresh(other.refresh_token)).status, 401);
    assert.equal((await auth.get('me', other.access_token)).status, 401);
  });

  test('a refresh token alone signs out, used or not, and text that is none is refused', async () => {
    const one = await auth.register('mara@example.com');
    const signOut = (refresh_token: string) => auth.post('logout', { refresh_token });
    assert.equal((await signOut(one.refresh_token)).status, 200);
    assert.equal((await refresh(one.refresh_token)).status, 401);
    assert.equal((await auth.get('me', one.access_token)).status, 401);
    const other = (await login('mara@example.com')).body;
    const renewed = (await refresh(other.refresh_token)).body;
    assert.equal((await signOut(other.refresh_token)).status, 200);
    assert.equal((await refresh(renewed.refresh_token)).status, 401);
    const late = (await login('mara@example.com')).body;
    clock.pass(900_000);
    const sent = await auth.post('logout', { refresh_token: late.refresh_token }, late.access_token);
    assert.equal(sent.status, 200, 'the access token has run out');
    assert.equal((await refresh(late.refresh_token)).status, 401);
    const none = await signOut('cnr_x.1.y');
    assert.deepEqual([none.status, none.body.code], [401, 'invalid_refresh_token']);
    assert.deepEqual((await auth.post('logout')).body.code, 'not_authenticated');
  });

  test('a sign-out races with requests and still wins', async () => {
    const { access_token } = await auth.register('mara@example.com');
    const fresh = await startAuth({ database: opened.database, clock });
    await Promise.all([
      fresh.post('logout', undefined, access_token),
      ...Array.from({ length: 20 }, () => fresh.get('me', access_token)),
    ]);
    assert.equal((await fresh.get('me', access_token)).status, 401);
    await fresh.app.close();
  });

  test('what another process changes counts within 5 seconds', async () => {
    const other = await startAuth({ database: opened.again(), clock });
    const owner = await auth.register('mara@example.com');
    const { access_token, user } = await auth.register('ben@example.com');
    const roleHere = async () => (await auth.authenticate(access_token)).role;
    assert.equal(await roleHere(), 'viewer');
    await other.users.update(user.user_id, { role: 'editor' });
    clock.pass(REMEMBERED_MS);
    assert.equal(await roleHere(), 'editor');
    await other.users.update(user.user_id, { isActive: false });
    clock.pass(REMEMBERED_MS);
    assert.equal((await auth.get('me', access_token)).status, 401);
    assert.equal((await auth.get('me', owner.access_token)).status, 200);
    await other.post('logout', undefined, owner.access_token);
    clock.pass(REMEMBERED_MS);
    assert.equal((await auth.get('me', owner.access_token)).status, 401);
    await other.app.close();
  });

  test('a new password ends all sessions and replaces the old one', async () => {
    const { access_token, refresh_token, user } = await auth.register('mara@example.com');
    await auth.users.setPassword(user.user_id, 'another pass phrase');
    clock.pass(REMEMBERED_MS);
    assert.equal((await auth.get('me', access_token)).status, 401);
    assert.equal((await refresh(refresh_token)).status, 401);
    assert.equal((await login('mara@example.com')).status, 401);
    assert.equal((await login('mara@example.com', 'another pass phrase')).status, 200);
  });

  test('an account that is closed while its password changes loses the session of the change, too', async () => {
    await auth.register('mara@example.com');
    const { user, refresh_token } = await auth.register('ben@example.com');
    const change = { current_password: PASSWORD, new_password: 'another pass phrase' };
    const { body } = await login('ben@example.com');
    await auth.users.update(user.user_id, { isActive: false }, async () => {
      const changed = await auth.app.inject({
        method: 'PUT',
        url: `/api/users/${user.user_id}/password`,
        headers: { authorization: `Bearer ${body.access_token}` },
        payload: change,
      });
      assert.equal(changed.statusCode, 200);
    });
    await auth.users.update(user.user_id, { isActive: true });
    for (const token of [refresh_token, body.refresh_token]) assert.equal((await refresh(token)).status, 401);
  });

  test('a token that names another plan is not good any more', async () => {
    const { access_token, refresh_token } = await auth.register('mara@example.com');
    const changed = await startAuth({ database: opened.database, clock, config: { localPlan: 'indie' } });
    assert.equal((await changed.get('me', access_token)).status, 401);
    const { body } = await changed.post('refresh', { refresh_token });
    assert.equal((await changed.get('me', body.access_token)).body.plan, 'indie');
    await changed.app.close();
  });

  test('sign-ins are counted by account, whoever tries', async () => {
    const counts = new Map<string, number>();
    const increment = async (key: string) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { count, resetAtMs: clock.now() + 30_000 };
    };
    const rateLimit = createRateLimit({ increment, limits: { login: 3, anonymous: 0, user: 0 }, clock });
    const limited = await startAuth({ database: opened.database, clock, rateLimit });
    const tryFrom = (address: string, email: string) =>
      limited.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress: address,
        payload: { email, password: 'not the password' },
      });
    for (const last of [1, 2, 3])
      assert.equal((await tryFrom(`192.0.2.${last}`, 'mara@example.com')).statusCode, 401);
    const refused = await tryFrom('192.0.2.4', ' MARA@example.com');
    assert.equal(refused.statusCode, 429);
    assert.equal(refused.headers['retry-after'], '30');
    assert.equal((await tryFrom('192.0.2.4', 'ben@example.com')).statusCode, 401);
    await limited.app.close();
  });

  test('a remembered token is answered in the same turn', async () => {
    const { access_token } = await auth.register('mara@example.com');
    await auth.authenticate(access_token);
    assert.ok(!(auth.authenticate(access_token) instanceof Promise));
    clock.pass(REMEMBERED_MS);
    const looked = auth.authenticate(access_token);
    assert.ok(looked instanceof Promise);
    await looked;
  });

  test('an access token ends after 15 minutes, remembered or not', async () => {
    const { access_token } = await auth.register('mara@example.com');
    clock.pass(15 * 60_000 - 1000);
    assert.equal((await auth.get('me', access_token)).status, 200);
    clock.pass(1000);
    const { status, body } = await auth.get('me', access_token);
    assert.deepEqual([status, body.code], [401, 'token_expired']);
    assert.equal((await auth.get('me', access_token)).body.code, 'token_expired');
  });

  test('there is always an owner who can sign in', async () => {
    const { user } = await auth.register('mara@example.com');
    const next = await auth.register('ben@example.com');
    await assert.rejects(auth.users.update(user.user_id, { isActive: false }), { status: 409 });
    await assert.rejects(auth.users.update(user.user_id, { role: 'viewer' }), { status: 409 });
    await auth.users.update(next.user.user_id, { role: 'owner' });
    await Promise.allSettled([
      auth.users.update(user.user_id, { isActive: false }),
      auth.users.update(next.user.user_id, { isActive: false }),
    ]);
    assert.equal(
      (await auth.users.list()).filter((each) => each.isActive && each.tenantRole === 'owner').length,
      1,
    );
  });

  if (name === 'postgres') {
    test('processes that register at once agree on one admin', async () => {
      const other = await startAuth({ database: opened.again(), clock });
      const replies = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          (index % 2 ? auth : other).register(`u${index}@example.com`),
        ),
      );
      assert.equal(replies.filter(({ user }) => user.role === 'admin').length, 1);
      await other.app.close();
    });
  }
});
