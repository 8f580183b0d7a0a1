import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { operationsServer } from '../../../test/support/operations.ts';
import { createServer } from '../../kit/http/server.ts';
import { rootRoute } from './docs.routes.ts';

const app = await operationsServer();
const PAGES = ['/docs', '/redoc'];

/** The addresses that a page loads immediately. */
const loadedBy = (html: string) =>
  [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map((found) => found[1]);

test('both pages are whole: every script and style comes from here', async () => {
  for (const page of PAGES) {
    const reply = await app.inject({ url: page });
    assert.equal(reply.statusCode, 200);
    assert.match(String(reply.headers['content-type']), /^text\/html/);
    assert.match(reply.body, /<title>Canonry – [^<]+<\/title>/);
    const loaded = loadedBy(reply.body);
    assert.ok(loaded.length >= 4);
    for (const url of loaded) {
      assert.match(String(url), /^\/(docs|redoc)\//);
      const file = await app.inject({ url: String(url) });
      assert.equal(file.statusCode, 200, url);
      assert.ok(file.rawPayload.length > 50, url);
    }
  }
});

test('the policy of the pages lets no inline script run and nothing be fetched from elsewhere', async () => {
  for (const page of PAGES) {
    const reply = await app.inject({ url: page });
    const policy = String(reply.headers['content-security-policy']);
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.match(policy, /connect-src 'self'/);
    assert.doesNotMatch(policy, /https?:|\*/);
    assert.doesNotMatch(reply.body, /<script(?![^>]* src=)|\son\w+=/);
  }
});

test('redoc asks nobody for its logo', async () => {
  const { body } = await app.inject({ url: '/redoc/redoc.standalone.js' });
  assert.doesNotMatch(body, /cdn\.redoc/);
});

test('files have their type; names that are none are 404', async () => {
  const type = async (url: string) => (await app.inject({ url })).headers['content-type'];
  assert.equal(await type('/docs/swagger-ui.css'), 'text/css; charset=utf-8');
  assert.equal(await type('/docs/favicon-32x32.png'), 'image/png');
  assert.equal(await type('/redoc/init.js'), 'text/javascript; charset=utf-8');
  for (const name of [
    'nothing.js',
    '../package.json',
    '..%2f..%2fpackage.json',
    'constructor',
    '__proto__',
  ]) {
    assert.equal((await app.inject({ url: `/docs/${name}` })).statusCode, 404, name);
  }
});

test('a browser that has the page, the document or a file gets 304', async () => {
  for (const url of [...PAGES, '/openapi.json', '/docs/init.js', '/docs/swagger-ui.css']) {
    const first = await app.inject({ url });
    const again = await app.inject({ url, headers: { 'if-none-match': String(first.headers.etag) } });
    assert.equal(again.statusCode, 304, url);
    assert.equal(again.body, '', url);
    assert.equal(again.headers.etag, first.headers.etag);
  }
});

test('the document describes every route, its own too', async () => {
  const reply = await app.inject({ url: '/openapi.json' });
  assert.match(String(reply.headers['content-type']), /^application\/json/);
  const { openapi, info, paths } = reply.json();
  assert.equal(openapi, '3.1.0');
  assert.equal(info.version, '1.2.3');
  for (const path of ['/health', '/openapi.json', '/docs/{path}', '/api/services/logs/{log_name}/clear']) {
    assert.ok(paths[path], path);
  }
});

test('the document is made when it is first asked for, once', async () => {
  let asked = 0;
  const lazy = await operationsServer({
    contracts: () => {
      asked += 1;
      return [];
    },
  });
  assert.equal(asked, 0);
  await lazy.inject({ url: '/openapi.json' });
  await lazy.inject({ url: '/openapi.json' });
  assert.equal(asked, 1);
});

test('on a surface without a page of its own, the address itself leads to the page', async () => {
  const server = await createServer({ ...BARE_SERVER, routes: [rootRoute] });
  const reply = await server.inject({ url: '/' });
  assert.equal(reply.statusCode, 302);
  assert.equal(reply.headers.location, '/docs');
});

test('the page begins with what people look for first, and lets them sign in', async () => {
  const { tags } = (await app.inject({ url: '/openapi.json' })).json<{ tags: { name: string }[] }>();
  assert.deepEqual(
    tags.map(({ name }) => name),
    ['Operations', 'Documentation'],
  );
  const page = await app.inject({ url: '/docs' });
  assert.match(page.body, /<form id="sign-in"/);
  assert.match((await app.inject({ url: '/docs/init.js' })).body, /'\/api\/auth\/login'/);
});
