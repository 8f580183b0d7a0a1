import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { PASSWORD, startAccounts, type TestAccounts } from '../../../test/support/accounts.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const NEW = 'another pass phrase';
const DAY_MS = 24 * 3_600_000;
const linkIn = (text: string): URL => new URL(/http:\/\/\S+/.exec(text)?.[0] ?? '');

forEachDatabase((_name, open) => {
  describe('forgotten passwords and addresses to verify', () => {
    let accounts: TestAccounts;
    before(async () => {
      accounts = await startAccounts({ open });
    });
    after(() => accounts.close());

    const post = (path: string, body: object, token?: string) =>
      accounts.ask('POST', `/api/auth/${path}`, { body, ...(token !== undefined && { token }) });
    const verify = (link: URL) => accounts.ask('POST', `${link.pathname}${link.search}`);
    const look = (link: URL, headers: Record<string, string> = {}) =>
      accounts.ask('GET', `${link.pathname}${link.search}`, { headers });
    const isVerified = async (token: string) =>
      (await accounts.ask('GET', '/api/auth/me', { token })).body.email_verified;

    test('a mail has the link that verifies the address, also when it is sent twice', async () => {
      const { email, token } = await accounts.unverified();
      await post('resend-verification', {}, token);
      const link = linkIn(await accounts.mailTo(email));
      assert.equal(link.origin, 'http://accounts.example.com');
      assert.equal(await isVerified(token), false);
      for (const _ of [1, 2]) {
        const reply = await verify(link);
        assert.deepEqual([reply.status, reply.body.email, reply.body.email_verified], [200, email, true]);
      }
      assert.equal(await isVerified(token), true);
      const again = await accounts.ask('POST', '/api/auth/resend-verification', { token });
      assert.equal(again.body.message, 'The address is verified already');
    });

    test('following the link changes nothing: the page behind it has a button', async () => {
      const { email, token } = await accounts.unverified();
      await post('resend-verification', {}, token);
      const link = linkIn(await accounts.mailTo(email));
      const state = await look(link);
      assert.deepEqual([state.status, state.body.email, state.body.email_verified], [200, email, false]);
      const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
      const page = await look(link, browser);
      assert.match(String(page.headers['content-type']), /^text\/html/, page.text);
      assert.match(page.text, /<form method="post">/);
      assert.equal(await isVerified(token), false);
      const pressed = await accounts.ask('POST', `${link.pathname}${link.search}`, {
        headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.deepEqual([pressed.status, /Your address is verified/.test(pressed.text)], [200, true]);
      assert.equal(await isVerified(token), true);
      assert.equal((await look(link)).body.email_verified, true);
      const bad = await accounts.ask('GET', '/api/auth/verify?token=x', { headers: browser });
      assert.deepEqual([bad.status, /no longer valid/.test(bad.text)], [401, true]);
    });

    test('a link leads there whatever a mail program adds to its address', async () => {
      const { email, token } = await accounts.unverified();
      await post('resend-verification', {}, token);
      const link = linkIn(await accounts.mailTo(email));
      link.searchParams.set('utm_source', 'mail');
      assert.equal((await look(link, { accept: 'text/html' })).status, 200);
      const pressed = await verify(link);
      assert.equal(pressed.status, 200, pressed.text);
      assert.equal(await isVerified(token), true);
    });

    test('a link that is altered, too old or of somebody else verifies nothing', async () => {
      const { email, token } = await accounts.unverified();
      await post('resend-verification', {}, token);
      const good = linkIn(await accounts.mailTo(email)).searchParams.get('token') ?? '';
      const [claims = '', signature = ''] = good.split('.');
      const forged = `cnrv_${Buffer.from(JSON.stringify([accounts.first.id, email, 9e15])).toString('base64url')}`;
      for (const bad of [
        'x',
        claims,
        `${claims}.${[...signature].reverse().join('')}`,
        `${forged}.${signature}`,
      ]) {
        for (const method of ['GET', 'POST']) {
          const reply = await accounts.ask(method, `/api/auth/verify?token=${bad}`);
          assert.deepEqual([reply.status, reply.body.code], [401, 'invalid_verification_token']);
        }
      }
      accounts.clock.pass(3 * DAY_MS);
      assert.equal((await accounts.ask('POST', `/api/auth/verify?token=${good}`)).status, 401);
      const { access_token } = (await accounts.login(email)).body;
      assert.equal(await isVerified(access_token), false);
      assert.equal((await accounts.ask('GET', '/api/auth/me', { token })).status, 401);
      const resent = await accounts.ask('POST', '/api/auth/resend-verification', { token: access_token });
      assert.equal(resent.body.message, 'A mail is on its way');
      assert.equal((await verify(linkIn(await accounts.mailTo(email, 2)))).status, 200);
    });

    test('a mail leads to a new password: good once, and all sessions and keys end', async () => {
      const person = await accounts.register();
      await accounts.mailTo(person.email);
      assert.equal((await post('forgot-password', { email: person.email.toUpperCase() })).status, 200);
      const mail = await accounts.mailTo(person.email, 2);
      const token = linkIn(mail).searchParams.get('token') ?? '';
      assert.equal((await post('reset-password', { token, new_password: 'short' })).status, 422);
      const replies = await Promise.all(
        Array.from({ length: 10 }, () => post('reset-password', { token, new_password: NEW })),
      );
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(9).fill(401)]);
      assert.equal((await accounts.ask('GET', '/api/auth/me', { token: person.token })).status, 401);
      assert.equal((await post('refresh', { refresh_token: person.refreshToken })).status, 401);
      assert.equal((await accounts.login(person.email)).status, 401);
      assert.equal((await accounts.login(person.email, NEW)).status, 200);
    });

    test('an older mail for a new password is worth nothing once a newer one is sent', async () => {
      const { email } = await accounts.register();
      const tokens: string[] = [];
      for (const count of [2, 3]) {
        await post('forgot-password', { email });
        tokens.push(linkIn(await accounts.mailTo(email, count)).searchParams.get('token') ?? '');
      }
      const [older, newer] = tokens;
      assert.equal((await post('reset-password', { token: older, new_password: NEW })).status, 401);
      assert.equal((await post('reset-password', { token: newer, new_password: NEW })).status, 200);
    });

    for (const path of ['forgot-password', 'resend-verification-public']) {
      test(`${path} answers alike for every address`, async () => {
        const { email } = await accounts.register();
        const closed = await accounts.person('viewer');
        await accounts.users.update(closed.id, { isActive: false });
        const known = await post(path, { email });
        assert.equal(known.status, 200);
        for (const other of ['nobody@example.com', closed.email, 'not an address']) {
          const { status, body } = await post(path, { email: other });
          assert.deepEqual([status, body], [known.status, known.body]);
        }
      });
    }

    test('tries at one account are counted over all addresses that they come from', async (t) => {
      const strict = await startAccounts({
        open,
        env: { RATE_LIMIT_LOGIN: '3', TRUSTED_PROXIES: 'loopback' },
      });
      t.after(strict.close);
      const statuses: number[] = [];
      for (let index = 0; index < 4; index += 1) {
        const reply = await strict.ask('POST', '/api/auth/login', {
          body: { email: 'victim@example.com', password: PASSWORD },
          headers: { 'x-forwarded-for': `192.0.2.${index}` },
        });
        statuses.push(reply.status);
      }
      assert.deepEqual(statuses, [401, 401, 401, 429]);
    });
  });
});
