import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type AccountsPerson,
  PASSWORD,
  startAccounts,
  type TestAccounts,
} from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const SAME_SUCCESSOR_MS = 20_000;
const LOGIN_KEYS = [
  'access_token',
  'display_name',
  'email',
  'expires_in',
  'features',
  'plan',
  'refresh_token',
  'tier',
  'tier_id',
  'token_type',
  'user_id',
];

forEachDatabase((_name, open) => {
  describe('accounts', () => {
    let accounts: TestAccounts;
    before(async () => {
      accounts = await startAccounts({ open });
    });
    after(() => accounts.close());

    const me = (token: string) => accounts.ask('GET', '/api/auth/me', { token });
    const linkIn = (mail: string): string => {
      const { pathname, search } = new URL(/https?:\/\/\S+verify\S+/.exec(mail)?.[0] ?? '');
      return pathname + search;
    };
    const refresh = (refreshToken: string) =>
      accounts.ask('POST', '/api/auth/refresh', { body: { refresh_token: refreshToken } });

    test('registering leads by a mail to a tenant of the free plan and its owner', async () => {
      const body = {
        email: ' Ada@Example.com',
        password: PASSWORD,
        display_name: 'Ada',
        tenant_name: 'Lace',
      };
      const reply = await accounts.ask('POST', '/api/auth/register', { body });
      assert.deepEqual(
        [reply.status, reply.body.email, reply.body.email_verified],
        [202, 'ada@example.com', false],
        reply.text,
      );
      assert.equal((await accounts.login('ada@example.com')).status, 401, 'there is no account yet');
      const link = linkIn(await accounts.mailTo('ada@example.com'));
      assert.equal((await accounts.ask('GET', link)).body.email_verified, false);
      assert.equal((await accounts.login('ada@example.com')).status, 401);
      for (const _ of [1, 2]) assert.equal((await accounts.ask('POST', link)).status, 200);
      const signedIn = await accounts.login('ada@example.com');
      assert.deepEqual(Object.keys(signedIn.body).sort(), LOGIN_KEYS);
      const { access_token, email, plan, features } = signedIn.body;
      assert.deepEqual([email, plan, features], ['ada@example.com', 'free', ['ai_generation']]);
      const { body: profile } = await me(access_token);
      assert.deepEqual(
        [profile.tenant_name, profile.role, profile.tenant_role, profile.email_verified],
        ['Lace', 'admin', 'owner', true],
      );
      const tenant = await accounts.tenants.find(profile.tenant_id);
      assert.deepEqual([tenant?.plan, tenant?.maxUsers, tenant?.isOperator], ['free', 1, false]);
    });

    test('a name that no tenant can have is refused at once, and one that a tenant can have comes through', async () => {
      const register = (email: string, more: object) =>
        accounts.ask('POST', '/api/auth/register', { body: { email, password: PASSWORD, ...more } });
      const refused = await register('line@example.com', { tenant_name: 'Two\r\nlines' });
      assert.equal(refused.status, 422, refused.text);
      assert.match(refused.body.detail, /^tenant_name /);
      const display_name = `a${'😀'.repeat(60)}`;
      for (const [email, names, expected] of [
        ['blank@example.com', { tenant_name: ' ' }, 'blank'],
        ['long@example.com', { display_name }, display_name],
      ] as const) {
        assert.equal((await register(email, names)).status, 202);
        const made = await accounts.ask('POST', linkIn(await accounts.mailTo(email)));
        assert.equal(made.status, 200, made.text);
        const { access_token } = (await accounts.login(email)).body;
        assert.equal((await me(access_token)).body.tenant_name, expected);
      }
    });

    test('an address that is taken gets a mail that says so, and the one who registers learns nothing', async () => {
      const { email } = accounts.first;
      const taken = await accounts.ask('POST', '/api/auth/register', { body: { email, password: PASSWORD } });
      const fresh = 'nobody.yet@example.com';
      const free = await accounts.ask('POST', '/api/auth/register', {
        body: { email: fresh, password: PASSWORD },
      });
      assert.deepEqual([taken.status, free.status], [202, 202]);
      assert.deepEqual({ ...taken.body, email: '' }, { ...free.body, email: '' });
      const letter = await accounts.mailTo(email, 2);
      assert.match(letter, /already has an account/);
      assert.doesNotMatch(letter, /cnrr_/);
      const link = linkIn(await accounts.mailTo(fresh));
      for (const bad of [link.slice(0, -4), `${link}AAAA`, '/api/auth/verify?token=cnrr_v1.x'])
        for (const method of ['GET', 'POST'])
          assert.equal((await accounts.ask(method, bad)).body.code, 'invalid_verification_token', bad);
      accounts.clock.pass(3 * 24 * 3_600_000);
      assert.equal((await accounts.ask('POST', link)).status, 401);
      assert.equal(await accounts.users.findByEmail(fresh), null);
    });

    test('each who registers has a tenant of their own; a taken address leaves none behind', async () => {
      const [one, other] = [await accounts.register(), await accounts.register()];
      assert.notEqual(one.tenantId, other.tenantId);
      const before = (await accounts.tenants.list()).length;
      const body = { email: one.email.toUpperCase(), password: PASSWORD };
      const reply = await accounts.ask('POST', '/api/auth/register', { body });
      assert.equal(reply.status, 202);
      assert.equal((await accounts.tenants.list()).length, before);
    });

    test('signing in answers what was specified; every failure answers alike', async () => {
      const { email } = await accounts.register();
      const good = await accounts.login(email);
      assert.deepEqual([good.status, Object.keys(good.body).sort()], [200, LOGIN_KEYS]);
      const closed = await accounts.person('viewer');
      await accounts.users.update(closed.id, { isActive: false });
      const answers = [
        await accounts.login(email, 'not the password'),
        await accounts.login('nobody@example.com'),
        await accounts.login(closed.email),
        await accounts.login('not an address'),
      ];
      for (const { status, body } of answers) {
        assert.equal(status, 401);
        assert.deepEqual(body, answers[0]?.body);
      }
    });

    test('a refresh token is taken from the body, the header and the cookie', async () => {
      const inBody = await refresh((await accounts.register()).refreshToken);
      assert.deepEqual([inBody.status, Object.keys(inBody.body).sort()], [200, LOGIN_KEYS]);
      const inHeader = await accounts.ask('POST', '/api/auth/refresh', {
        headers: { 'x-refresh-token': (await accounts.register()).refreshToken },
      });
      assert.deepEqual([inHeader.status, Object.keys(inHeader.body).sort()], [200, LOGIN_KEYS]);
      const inCookie = await accounts.ask('POST', '/api/auth/refresh', {
        headers: { cookie: `${accounts.cookies.refresh}=${(await accounts.register()).refreshToken}` },
      });
      assert.equal(inCookie.status, 200, inCookie.text);
      assert.equal(inCookie.body.refresh_token, undefined);
      assert.match(
        String(inCookie.headers['set-cookie']),
        /canonry_refresh_\w+=cnr_[^;]+\.2\.[^;]+;.*HttpOnly/,
      );
      assert.equal((await accounts.ask('POST', '/api/auth/refresh')).status, 401);
    });

    test('20 who refresh at once get one successor; a used token that comes back later ends the session', async () => {
      const person = await accounts.register();
      const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(person.refreshToken)));
      const successors = new Set(replies.map(({ body }) => body.refresh_token));
      assert.equal(successors.size, 1);
      accounts.clock.pass(SAME_SUCCESSOR_MS + 1);
      assert.equal((await refresh(person.refreshToken)).status, 401);
      const [successor = ''] = successors;
      assert.equal((await refresh(successor)).status, 401);
    });

    test('logging out ends the session at once, and that of a refresh token of one’s own', async () => {
      const person = await accounts.register();
      const second = (await accounts.login(person.email)).body;
      const body = { refresh_token: second.refresh_token };
      const reply = await accounts.ask('POST', '/api/auth/logout', { token: person.token, body });
      assert.equal(reply.status, 200);
      for (const token of [person.token, second.access_token]) assert.equal((await me(token)).status, 401);
      for (const token of [person.refreshToken, second.refresh_token])
        assert.equal((await refresh(token)).status, 401);
    });

    test('a refresh token alone logs out, from the body, the header and the cookie', async () => {
      const logout = (options: object) => accounts.ask('POST', '/api/auth/logout', options);
      for (const optionsFor of [
        (token: string) => ({ body: { refresh_token: token } }),
        (token: string) => ({ headers: { 'x-refresh-token': token } }),
        (token: string) => ({ headers: { cookie: `${accounts.cookies.refresh}=${token}` } }),
      ]) {
        const person = await accounts.register();
        const { status, text } = await logout(optionsFor(person.refreshToken));
        assert.equal(status, 200, text);
        assert.equal((await me(person.token)).status, 401);
        assert.equal((await refresh(person.refreshToken)).status, 401);
        assert.equal((await logout(optionsFor('cnr_x.1.y'))).status, 401);
      }
      assert.equal((await logout({})).body.code, 'not_authenticated');
    });

    test('nobody logs somebody else out', async () => {
      const [person, victim] = [await accounts.register(), await accounts.register()];
      const body = { refresh_token: victim.refreshToken };
      await accounts.ask('POST', '/api/auth/logout', { token: person.token, body });
      assert.equal((await me(victim.token)).status, 200);
    });

    test('a changed plan ends the tokens that name the old one within seconds; refreshing is enough', async () => {
      const person: AccountsPerson = await accounts.register();
      assert.equal((await me(person.token)).status, 200);
      await accounts.tenants.changePlan(person.tenantId, 'team', 3);
      accounts.clock.pass(5_000);
      const refused = await me(person.token);
      assert.deepEqual([refused.status, refused.body.code], [401, 'token_expired']);
      const { body } = await refresh(person.refreshToken);
      assert.equal(body.plan, 'team');
      assert.ok(body.features.includes('sso'));
      assert.equal((await me(body.access_token)).status, 200);
    });

    test('an API key of an account stands where its token does, with the plan of its tenant', async () => {
      const { token } = await accounts.register();
      const made = await accounts.ask('POST', '/api/api-keys', { token, body: { name: 'Build' } });
      assert.equal(made.status, 201, made.text);
      const { key } = made.body as unknown as { key: string };
      const profile = await me(key);
      assert.deepEqual([profile.status, profile.body.plan], [200, 'free']);
      const viewer = await accounts.person('viewer');
      assert.equal((await accounts.ask('GET', '/api/api-keys', { token: viewer.token })).status, 403);
    });

    for (const registration of ['invite', 'closed']) {
      test(`with REGISTRATION=${registration} only the first may register`, async () => {
        const strict = await startAccounts({ open, env: { REGISTRATION: registration } });
        const body = { email: 'second@example.com', password: PASSWORD };
        const reply = await strict.ask('POST', '/api/auth/register', { body });
        assert.deepEqual([reply.status, reply.body.code], [403, 'registration_closed']);
        assert.equal((await strict.tenants.list()).length, 1);
        await strict.close();
      });
    }
  });
});
