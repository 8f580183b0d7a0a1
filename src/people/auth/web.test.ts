import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTestClock, PASSWORD, type TestClock } from '../../../test/support/auth.ts';
import { openBrowser } from '../../../test/support/browser-session.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { openTestSocket, socketAddress } from '../../../test/support/sockets.ts';

const HERE = 'http://127.0.0.1:8000';
const MARA = { email: 'mara@example.com', password: PASSWORD };
const CHARACTERS = '/api/entity/character';

forEachDatabase((_name, open) => {
  describe('browser sessions of a self-hosted core', () => {
    let core: TestCore;
    let clock: TestClock;
    before(async () => {
      clock = createTestClock(Date.now());
      core = await startCore({ open, clock, isNew: true, env: { REGISTRATION: 'invite' } });
    });
    after(() => core.close());

    const signedIn = async (origin = HERE) => {
      const browser = openBrowser(origin);
      const reply = await browser.ask(core.app, 'POST', '/api/auth/web/login', { body: MARA });
      assert.equal(reply.status, 200, reply.body.detail);
      const ask = (method: string, url: string, asked = {}) => browser.ask(core.app, method, url, asked);
      return { browser, ask, reply };
    };

    test('who registers first in a browser is the owner and signed in; registration counts for others', async () => {
      const browser = openBrowser(HERE);
      const body = { ...MARA, display_name: 'Mara' };
      const made = await browser.ask(core.app, 'POST', '/api/auth/web/register', { body });
      assert.equal(made.status, 201, made.body.detail);
      const { user_id: id, ...rest } = made.body;
      assert.deepEqual(rest, {
        email: MARA.email,
        display_name: 'Mara',
        tenant_id: 'local',
        tenant_name: 'This installation',
        role: 'admin',
        tenant_role: 'owner',
        plan: 'enterprise',
        email_verified: false,
        user: { user_id: id, email: MARA.email },
      });
      assert.equal(made.headers['cache-control'], 'no-store');
      assert.deepEqual((await browser.ask(core.app, 'GET', '/api/auth/web/session')).body, made.body);
      assert.equal((await browser.ask(core.app, 'GET', '/api/auth/me')).body.user_id, id);
      const second = { ...MARA, email: 'ben@example.com' };
      const refused = await browser.ask(core.app, 'POST', '/api/auth/web/register', { body: second });
      assert.deepEqual([refused.status, refused.body.code], [403, 'registration_closed']);
      assert.deepEqual(refused.set, []);
    });

    test('cookies are hidden from scripts and bound to this installation, over http on any name', async () => {
      for (const origin of [HERE, 'http://mara.local:8000', 'http://192.168.1.7']) {
        const { reply } = await signedIn(origin);
        assert.equal(reply.set.length, 2);
        const [access = '', refresh = ''] = reply.set;
        assert.match(
          access,
          /^canonry_access_[0-9a-f]{8}=[^;]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/,
        );
        assert.match(
          refresh,
          /^canonry_refresh_[0-9a-f]{8}=[^;]+; Max-Age=2592000; Path=\/api\/auth; HttpOnly; SameSite=Lax$/,
        );
        assert.doesNotMatch(JSON.stringify(reply.body), /eyJ|cnr_/);
      }
    });

    test('wrong credentials set no cookie', async () => {
      const browser = openBrowser(HERE);
      const body = { ...MARA, password: 'another pass phrase' };
      const refused = await browser.ask(core.app, 'POST', '/api/auth/web/login', { body });
      assert.deepEqual([refused.status, refused.body.code, refused.set], [401, 'invalid_credentials', []]);
      assert.equal((await browser.ask(core.app, 'GET', '/api/auth/web/session')).status, 401);
    });

    test('a session is renewed by its cookie once the access token has run out, and ends with the logout', async () => {
      const { browser, ask } = await signedIn();
      clock.pass(900_000);
      assert.equal((await ask('GET', '/api/auth/web/session')).body.code, 'token_expired');
      const renewed = await ask('POST', '/api/auth/refresh');
      assert.equal(renewed.status, 200);
      assert.equal(renewed.body.refresh_token, undefined);
      assert.equal(renewed.set.length, 2);
      assert.equal((await ask('GET', '/api/auth/web/session')).status, 200);
      const before = [...browser.cookies];
      assert.equal((await ask('POST', '/api/auth/web/logout')).status, 200);
      assert.equal(browser.cookies.size, 0);
      for (const [name, value] of before) browser.cookies.set(name, value);
      assert.equal((await ask('GET', '/api/auth/web/session')).status, 401);
      assert.equal((await ask('POST', '/api/auth/refresh')).status, 401);
    });

    test('the sign-out of programs ends a session of cookies too, unless it names another', async () => {
      const { ask } = await signedIn();
      const { body: other } = await core.call<{ refresh_token: string }>('POST', '/api/auth/login', {
        token: null,
        body: MARA,
      });
      const out = await ask('POST', '/api/auth/logout', { body: { refresh_token: other.refresh_token } });
      assert.deepEqual([out.status, out.set], [200, []]);
      assert.equal((await ask('GET', '/api/auth/web/session')).status, 200);
      assert.equal((await ask('POST', '/api/auth/logout')).set.length, 2);
      assert.equal((await ask('GET', '/api/auth/web/session')).status, 401);
    });

    test('without a session there is nothing to renew', async () => {
      const browser = openBrowser(HERE);
      for (const [method, path] of [
        ['POST', 'refresh'],
        ['POST', 'web/logout'],
        ['GET', 'web/session'],
      ] as const) {
        const reply = await browser.ask(core.app, method, `/api/auth/${path}`);
        assert.deepEqual([reply.status, reply.body.code], [401, 'not_authenticated'], path);
      }
    });

    test('a page that names another account than that of the cookies writes nothing', async () => {
      const { ask } = await signedIn();
      const { user_id: id } = (await ask('GET', '/api/auth/me')).body;
      const body = { entity_id: 'unnoticed', name: 'Unnoticed' };
      const asOther = { 'x-canonry-account': '00000000-0000-4000-8000-000000000000' };
      for (const url of [CHARACTERS, '/api/ws/ticket']) {
        const refused = await ask('POST', url, { headers: asOther, body });
        assert.deepEqual([refused.status, refused.body.code], [409, 'other_account'], url);
      }
      assert.equal((await ask('GET', `${CHARACTERS}/unnoticed`)).status, 404);
      const made = await ask('POST', CHARACTERS, { headers: { 'x-canonry-account': id }, body });
      assert.equal(made.status, 201, made.body.detail);
    });

    test('pages of other sites write nothing with the cookies', async () => {
      const { ask } = await signedIn();
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: 'http://127.0.0.1:9000' },
        { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
        // Of an address with a name and a password in it, which a form of any page may be sent to.
        { origin: 'https://evil.example', authorization: 'Basic eDp5' },
      ] as Record<string, string>[]) {
        for (const url of [CHARACTERS, '/api/auth/web/logout', '/api/auth/refresh', '/api/ws/ticket']) {
          const refused = await ask('POST', url, { headers, body: {} });
          assert.deepEqual([refused.status, refused.body.code], [403, 'cross_origin'], url);
        }
      }
      const made = await ask('POST', CHARACTERS, { body: { entity_id: 'mira', name: 'Mira' } });
      assert.equal(made.status, 201, made.body.detail);
    });

    test('sockets, resumable uploads and files work by cookie', async () => {
      const { ask } = await signedIn();
      const { body } = await ask('POST', '/api/ws/ticket');
      const socket = await openTestSocket(await socketAddress(core.app), { ticket: String(body.ticket) });
      assert.ok(await socket.next('ready'));
      socket.peer.close();
      await ask('POST', CHARACTERS, { body: { entity_id: 'ben', name: 'Ben' } });
      const tus = { 'tus-resumable': '1.0.0' };
      const fields = { entity_type: 'character', entity_id: 'ben', filename: 'notes.txt' };
      const metadata = Object.entries(fields).map(([key, value]) => `${key} ${btoa(value)}`);
      const begun = await ask('POST', '/api/uploads', {
        headers: { ...tus, 'upload-length': '5', 'upload-metadata': metadata.join(',') },
      });
      assert.equal(begun.status, 201, begun.body.detail);
      const sent = await ask('PATCH', String(begun.headers.location), {
        headers: { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
        body: Buffer.from('hello'),
      });
      assert.equal(sent.status, 204, sent.body.detail);
      const { body: state } = await ask('GET', String(begun.headers.location));
      assert.equal((await ask('GET', `/api/assets/${state.asset_id}`)).status, 200);
    });

    test('two installations on ports of one host leave each other’s sessions alone', async (t) => {
      const other = await startCore({ open, isNew: true });
      t.after(() => other.close());
      assert.notDeepEqual(other.config.encryptionKey, core.config.encryptionKey);
      const { browser, ask } = await signedIn();
      const there = (method: string, path: string, body?: object) =>
        browser.ask(other.app, method, `/api/auth/web/${path}`, { body, headers: { origin: HERE } });
      assert.equal((await there('GET', 'session')).status, 401);
      assert.equal((await there('POST', 'register', { ...MARA, email: 'ben@example.com' })).status, 201);
      assert.equal(browser.cookies.size, 4);
      assert.equal((await ask('GET', '/api/auth/web/session')).body.email, MARA.email);
      assert.equal((await there('GET', 'session')).body.email, 'ben@example.com');
      assert.equal((await there('POST', 'logout')).status, 200);
      assert.equal((await ask('GET', '/api/auth/web/session')).status, 200);
    });

    test('behind https the cookies are for https alone', async (t) => {
      const secure = await startCore({
        open,
        isNew: true,
        env: { PUBLIC_URL: 'https://world.example.com', TRUSTED_PROXIES: 'loopback' },
      });
      t.after(() => secure.close());
      const browser = openBrowser('https://world.example.com');
      const made = await browser.ask(secure.app, 'POST', '/api/auth/web/register', { body: MARA });
      const [access = '', refresh = ''] = made.set;
      assert.match(access, /^__Host-canonry_access_.*; Secure/);
      assert.match(refresh, /^__Secure-canonry_refresh_.*; Secure/);
      assert.equal((await browser.ask(secure.app, 'GET', '/api/auth/web/session')).status, 200);
    });
  });
});
