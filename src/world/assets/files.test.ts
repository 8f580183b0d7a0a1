import assert from 'node:assert/strict';
import { linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AssetWorld, picture, startAssetWorld } from '../../../test/support/asset-files.ts';

const DIGITS = '0123456789';

let world: AssetWorld;
before(async () => {
  world = await startAssetWorld({});
  world.put('Characters/mira/data/digits.txt', DIGITS);
  world.put('Characters/mira/images/portrait.png', await picture('red'));
  await settled('Characters/mira/images/portrait.png');
});
after(() => world.close());

const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  world.core.app.inject({ method, url: `/api/files/${path}`, headers });
/** Scans until the file's hash is trusted: one that changed just before a scan is read again by the next. */
async function settled(path: string): Promise<void> {
  for (;;) {
    await world.scan();
    const { etag } = (await get(path)).headers;
    if (/^"[0-9a-f]{32}"$/.test(String(etag))) return;
  }
}
const digits = (headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  get('Characters/mira/data/digits.txt', headers, method);

test('a file is served whole to anyone, with all that caches and players need', async () => {
  const reply = await digits();
  assert.deepEqual([reply.statusCode, reply.body], [200, DIGITS]);
  assert.equal(reply.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(reply.headers['content-length'], '10');
  assert.equal(reply.headers['accept-ranges'], 'bytes');
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  assert.match(String(reply.headers.etag), /^"[0-9a-f]{32}"$/);
  assert.match(String(reply.headers['cache-control']), /^public, max-age=60/);
  assert.ok(!Number.isNaN(Date.parse(String(reply.headers['last-modified']))));
  const { url, checksum_sha256 } = await world.at('Characters/mira/images/portrait.png');
  const picturePart = await world.core.app.inject({ url });
  assert.equal(picturePart.headers['content-type'], 'image/png');
  assert.match(String(picturePart.headers['content-disposition']), /^inline/);
  const fixed = await world.core.app.inject({ url: `${url}?v=${checksum_sha256}` });
  assert.match(String(fixed.headers['cache-control']), /immutable/);
  const wrong = await world.core.app.inject({ url: `${url}?v=${'0'.repeat(64)}` });
  assert.doesNotMatch(String(wrong.headers['cache-control']), /immutable/);
});

test('one part is sent where one is asked for, several as the whole', async () => {
  const part = async (range: string, headers = {}) => {
    const { statusCode, body, headers: sent } = await digits({ range, ...headers });
    return [statusCode, statusCode < 300 ? body : '', sent['content-range']];
  };
  assert.deepEqual(await part('bytes=2-4'), [206, '234', 'bytes 2-4/10']);
  assert.deepEqual(await part('bytes=7-'), [206, '789', 'bytes 7-9/10']);
  assert.deepEqual(await part('bytes=-2'), [206, '89', 'bytes 8-9/10']);
  assert.deepEqual(await part('bytes=0-1,4-5'), [200, DIGITS, undefined]);
  assert.deepEqual(await part('bytes=10-'), [416, '', 'bytes */10']);
  const { etag, 'last-modified': modified } = (await digits()).headers;
  assert.deepEqual(await part('bytes=0-0', { 'if-range': String(etag) }), [206, '0', 'bytes 0-0/10']);
  assert.deepEqual(await part('bytes=0-0', { 'if-range': String(modified) }), [206, '0', 'bytes 0-0/10']);
  assert.deepEqual(await part('bytes=0-0', { 'if-range': '"other"' }), [200, DIGITS, undefined]);
});

test('what a client has is not sent again, and HEAD sends nothing', async () => {
  const { etag, 'last-modified': modified } = (await digits()).headers;
  const known = await digits({ 'if-none-match': `"x", ${etag}` });
  assert.deepEqual([known.statusCode, known.body, known.headers.etag], [304, '', etag]);
  assert.equal((await digits({ 'if-modified-since': String(modified) })).statusCode, 304);
  assert.equal(
    (await digits({ 'if-none-match': '"x"', 'if-modified-since': String(modified) })).statusCode,
    200,
  );
  const head = await digits({}, 'HEAD');
  assert.deepEqual([head.statusCode, head.body, head.headers['content-length']], [200, '', '10']);
  assert.equal((await digits({ range: 'bytes=1-3' }, 'HEAD')).headers['content-length'], '3');
});

test('changed bytes have another tag at once, before any sync has seen them', async () => {
  const path = 'Characters/mira/data/changing.txt';
  world.put(path, 'one');
  const tags = [(await get(path)).headers.etag];
  await settled(path);
  tags.push((await get(path)).headers.etag);
  world.put(path, 'two');
  const changed = await get(path, { 'if-none-match': String(tags[1]) });
  assert.deepEqual([changed.statusCode, changed.body], [200, 'two']);
  assert.equal(new Set([...tags, changed.headers.etag]).size, 3);
});

test('what could run in a browser is a download in a sandbox, whatever it is called', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  for (const [name, bytes] of [
    ['picture.svg', svg],
    ['picture.png', svg],
    ['page.html', '<!doctype html><script>alert(1)</script>'],
    ['page.txt', '<html><body onload="alert(1)">'],
    ['feed.xml', '<?xml version="1.0"?><a/>'],
    ['paper.pdf', '%PDF-1.7\n'],
    ['code.js', 'alert(1)'],
  ] as const) {
    const path = `Characters/mira/data/${name}`;
    world.put(path, bytes);
    for (const when of ['before', 'after']) {
      const reply = await get(path);
      const what = `${name} ${when} the scan: ${reply.headers['content-type']}`;
      assert.equal(reply.statusCode, 200, what);
      assert.match(String(reply.headers['content-security-policy']), /sandbox$/, what);
      const isPlain = /^(?:text\/plain|image\/png)/.test(String(reply.headers['content-type']));
      assert.ok(isPlain || String(reply.headers['content-disposition']).startsWith('attachment'), what);
      await world.scan();
    }
  }
});

test('names of all kinds are served, and named in the download', async () => {
  const path = "Characters/mira/data/Zoë's 100% notes (1) ☃.json";
  world.put(path, '{}');
  await world.scan();
  const { url } = await world.at(path);
  const reply = await world.core.app.inject({ url });
  assert.deepEqual([reply.statusCode, reply.body], [200, '{}']);
  assert.match(String(reply.headers['content-disposition']), /filename\*=UTF-8''Zo%C3%ABs?%27s/);
});

test('nothing but assets is served, and nothing is listed', async () => {
  world.put('Characters/mira/.hidden.png', 'x');
  world.put('Characters/mira/_draft.png', 'x');
  world.put('_Plugins/map/icon.png', 'x');
  world.put('notes.json', '{}');
  const outside = join(world.core.config.dataDir, 'secret.png');
  writeFileSync(outside, 'classified');
  symlinkSync(outside, join(world.core.contentDir, 'Characters/mira/images/linked.png'));
  symlinkSync(world.core.config.dataDir, join(world.core.contentDir, 'Characters/mira/folder'));
  linkSync(outside, join(world.core.contentDir, 'Characters/mira/.env'));
  const { id } = await world.at('Characters/mira/images/portrait.png');
  await world.core.call('PUT', `/api/assets/${id}`, { body: { tags: ['a'] } });
  for (const path of [
    'Characters/mira/CH_mira.md',
    'Characters/mira/_assets.yaml',
    'Characters/mira/.hidden.png',
    'Characters/mira/_draft.png',
    'Characters/mira/.env',
    'Characters/mira/images/linked.png',
    'Characters/mira/folder/secret.png',
    'Characters/mira/images',
    'Characters/mira/images/',
    'Characters/mira/none.png',
    '_Plugins/map/icon.png',
    '_Templates/Standard/CHARACTER_TEMPLATE.md',
    'notes.json',
    '..%2f..%2fsecret.png',
    'Characters/mira/..%2f..%2f..%2fdata%2fsecret.png',
    'Characters%5cmira%5cimages%5cportrait.png',
    '',
  ]) {
    const reply = await get(path);
    assert.ok([404, 422].includes(reply.statusCode), `${path}: ${reply.statusCode} ${reply.body}`);
    assert.ok(!reply.body.includes('classified'), path);
  }
});
