import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { buildStudio, STUDIO_PAGE, STUDIO_SCRIPT } from '../../../test/support/built-studio.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { openStudioFiles } from './studio-files.ts';

const studio = buildStudio();
const core = await startCore({ studioFolder: studio.folder });
const unbuilt = await startCore();
after(async () => {
  await core.close();
  await unbuilt.close();
  studio.remove();
});

const PAGES = [
  '/',
  '/?error=access_denied',
  '/welcome',
  '/sign-in',
  '/register',
  '/forgot-password',
  '/reset-password?token=abc',
  '/accept-invite?token=abc',
  '/me/profile',
  '/admin/people',
  '/w',
  '/w/',
  '/w/default/character/mira_vale?tab=text',
  '/w/default/-/graph',
];
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src http://*.localhost; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'; trusted-types service-worker";

const get = (url: string, headers: Record<string, string> = {}, from = core) =>
  from.app.inject({ method: 'GET', url, headers });

describe('the web app', () => {
  test('is the same page at each of its addresses, which browsers ask for again each time', async () => {
    for (const url of PAGES) {
      const reply = await get(url);
      assert.equal(reply.statusCode, 200, url);
      assert.equal(reply.body, STUDIO_PAGE);
      assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(reply.headers['cache-control'], 'no-cache');
      assert.equal(reply.headers.vary, 'accept-encoding');
      const again = await get(url, { 'if-none-match': String(reply.headers.etag) });
      assert.deepEqual([again.statusCode, again.body], [304, ''], url);
      assert.equal(again.headers['content-security-policy'], POLICY);
    }
  });

  test('runs its own scripts alone, in no frame, and with nothing that it does not need', async () => {
    const { headers } = await get('/w');
    assert.equal(headers['content-security-policy'], POLICY);
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
    assert.equal(headers['referrer-policy'], 'same-origin');
    assert.equal(headers['permissions-policy'], 'camera=(), microphone=(), geolocation=()');
    assert.equal(headers['x-content-type-options'], 'nosniff');
  });

  test('answers HEAD as GET, without the page', async () => {
    const reply = await core.app.inject({ method: 'HEAD', url: '/w' });
    assert.deepEqual([reply.statusCode, reply.body], [200, '']);
    assert.equal(reply.headers['content-length'], String(STUDIO_PAGE.length));
  });

  test('comes compressed in a way that the browser takes', async () => {
    const sent = await get('/w', { 'accept-encoding': 'gzip, deflate, br, zstd' });
    assert.equal(sent.headers['content-encoding'], 'br');
    assert.equal(brotliDecompressSync(sent.rawPayload).toString(), STUDIO_PAGE);
    const zipped = await get('/w', { 'accept-encoding': 'gzip, br;q=0' });
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(zipped.rawPayload).toString(), STUDIO_PAGE);
    assert.notEqual(sent.headers.etag, zipped.headers.etag);
    const plain = await get('/w', { 'accept-encoding': 'identity' });
    assert.equal(plain.headers['content-encoding'], undefined);
  });

  test('is shown at an address that does not exist to browsers that open it, with status 404', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'sec-fetch-dest': 'document' };
    for (const url of ['/nowhere', '/w-other', '/index.html']) {
      const reply = await get(url, { ...browser, 'if-none-match': '*' });
      assert.deepEqual([reply.statusCode, reply.body], [404, STUDIO_PAGE], url);
      assert.equal(reply.headers['content-security-policy'], POLICY);
    }
    for (const [url, headers] of [
      ['/nowhere', {}],
      ['/nowhere', { accept: '*/*' }],
      ['/nowhere', { ...browser, 'sec-fetch-dest': 'image' }],
      ['/api/nowhere', browser],
      ['/api', browser],
      ['/studio/assets/none-1a2b3c4d.js', browser],
    ] as const) {
      const reply = await get(url, headers);
      assert.equal(reply.statusCode, 404);
      assert.equal(typeof reply.json().detail, 'string', url);
    }
    assert.equal((await core.app.inject({ method: 'POST', url: '/', headers: browser })).statusCode, 404);
  });
});

describe('the files of the web app', () => {
  test('are kept for ever where their name has a hash, and have their types', async () => {
    for (const [url, type, isHashed] of [
      [STUDIO_SCRIPT, 'text/javascript; charset=utf-8', true],
      ['/studio/assets/main-5e6f7a8b.css', 'text/css; charset=utf-8', true],
      ['/studio/assets/logo-9c8d7e6f.png', 'image/png', true],
      ['/studio/icons/logo.svg', 'image/svg+xml; charset=utf-8', false],
    ] as const) {
      const reply = await get(url);
      assert.equal(reply.statusCode, 200, url);
      assert.equal(reply.headers['content-type'], type);
      const kept = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
      assert.equal(reply.headers['cache-control'], kept, url);
    }
  });

  test('come in the copy that the build compressed; pictures have none', async () => {
    const packed = await get(STUDIO_SCRIPT, { 'accept-encoding': 'gzip;q=0.5, br' });
    assert.equal(packed.headers['content-encoding'], 'br');
    assert.equal(packed.headers.vary, 'accept-encoding');
    assert.equal(brotliDecompressSync(packed.rawPayload).toString(), (await get(STUDIO_SCRIPT)).body);
    const picture = await get('/studio/assets/logo-9c8d7e6f.png', { 'accept-encoding': 'gzip, br' });
    assert.equal(picture.headers['content-encoding'], undefined);
    assert.equal(picture.headers.vary, undefined);
  });

  test('are those of the list alone, whatever else lies there or elsewhere', async () => {
    for (const path of [
      'assets/main-1a2b3c4d.js.map',
      'assets/main-1a2b3c4d.js.br',
      'assets/link-0a0a0a0a.js',
      'notes.txt',
      'files.json',
      'index.html',
      'sw.js',
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      'assets/../../secret.txt',
      'assets%2fmain-1a2b3c4d.js%00',
      'constructor',
      '',
    ]) {
      const reply = await get(`/studio/${path}`);
      assert.ok([400, 404].includes(reply.statusCode), `${path}: ${reply.statusCode}`);
      assert.equal(typeof reply.json().detail, 'string');
    }
  });

  test('include the service worker for all addresses, and the manifest', async () => {
    const worker = await get('/sw.js');
    assert.equal(worker.headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(worker.headers['service-worker-allowed'], '/');
    assert.equal(worker.headers['cache-control'], 'no-cache');
    for (const url of ['/manifest.webmanifest', '/studio/manifest.webmanifest']) {
      const manifest = await get(url);
      assert.equal(manifest.headers['content-type'], 'application/manifest+json; charset=utf-8', url);
      assert.equal(manifest.headers['cache-control'], 'no-cache');
    }
  });
});

describe('what the installation is', () => {
  const askConfig = async (from: TestCore) => {
    const reply = await from.app.inject({ url: '/api/studio/config' });
    assert.equal(reply.statusCode, 200, reply.body);
    assert.equal(reply.headers['cache-control'], 'no-store');
    const { version, ...rest } = reply.json();
    assert.match(version, /^\d+\.\d+\.\d+$/);
    return rest;
  };

  test('is known without a token: a self-hosted core, before and after the first account', async (t) => {
    const fresh = await startCore({ isNew: true, env: { REGISTRATION: 'invite', AI: 'off' } });
    t.after(() => fresh.close());
    const config = {
      deployment: 'self_hosted',
      registration: 'invite',
      providers: [],
      mail: false,
      plugin_origin: 'http://*.localhost',
      ai: false,
      has_session: false,
    };
    assert.deepEqual(await askConfig(fresh), { ...config, first_run: true });
    const body = { email: 'mara@example.com', password: 'a long pass phrase' };
    await fresh.call('POST', '/api/auth/register', { token: null, body });
    assert.deepEqual(await askConfig(fresh), { ...config, first_run: false });
  });

  test('says whether the browser has a session', async (t) => {
    const fresh = await startCore({ isNew: true });
    t.after(() => fresh.close());
    const payload = { email: 'mara@example.com', password: 'a long pass phrase' };
    const { cookies } = await fresh.app.inject({ method: 'POST', url: '/api/auth/web/register', payload });
    const sent = Object.fromEntries(cookies.map(({ name, value }) => [name, value]));
    const reply = await fresh.app.inject({ url: '/api/studio/config', cookies: sent });
    assert.equal(reply.json().has_session, true);
  });

  test('a desktop says that it is one', async (t) => {
    const desktop = await startCore({ surface: 'desktop', env: { REGISTRATION: 'closed' } });
    t.after(() => desktop.close());
    const { deployment, registration } = await askConfig(desktop);
    assert.deepEqual([deployment, registration], ['desktop', 'closed']);
  });
});

describe('without a build', () => {
  test('the root address leads to the API, and the others say what is missing', async () => {
    const root = await get('/?error=access_denied', {}, unbuilt);
    assert.deepEqual([root.statusCode, root.headers.location], [302, '/docs?error=access_denied']);
    for (const url of [...PAGES.slice(2), STUDIO_SCRIPT, '/sw.js', '/manifest.webmanifest']) {
      const reply = await get(url, { accept: 'text/html' }, unbuilt);
      assert.deepEqual([reply.statusCode, reply.json().code], [404, 'not_built'], url);
    }
    const unknown = await get('/nowhere', { accept: 'text/html' }, unbuilt);
    assert.match(unknown.json().detail, /nothing at GET \/nowhere/);
  });

  test('a damaged list of files is named', async () => {
    const damaged = buildStudio();
    writeFileSync(join(damaged.folder, 'files.json'), '{"files":[{}]}');
    await assert.rejects(openStudioFiles(damaged.folder), /files\.json is not the list of files/);
    damaged.remove();
  });
});
