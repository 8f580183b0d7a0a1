import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { contract } from '../contract.ts';
import { HttpError } from '../errors.ts';
import { ReadyJson, Reply, route } from '../route.ts';
import { createServer } from './server.ts';

const LONG = { names: Array.from({ length: 400 }, (_, index) => `Mira Vale ${index}`) };
const TEXT = JSON.stringify(LONG);
const MEGABYTE = { text: 'harrow count '.repeat(80_000) };
const AT_ONCE = 50;

const shared = { auth: 'none', tag: 'Test', summary: 'A reply', reply: Type.Unknown() } as const;
const get = (path: string, name: string, more = {}) => contract(`GET ${path}`, { ...shared, name, ...more });

let waiting = 0;
const { promise: allAsked, resolve: goOn } = Promise.withResolvers<void>();

const app = await createServer({
  ...BARE_SERVER,
  anonymous: { tenantId: 'local', plan: 'free' },
  cookies: { accessToken: 'a', origins: [], secure: false },
  routes: [
    route(get('/api/list', 'list'), () => LONG),
    route(get('/api/ready', 'ready'), () => new ReadyJson(TEXT)),
    route(get('/api/tagged', 'tagged'), ({ headers }) => {
      const tagged = { headers: { etag: '"x"', vary: 'Authorization' } };
      return headers['if-none-match'] === undefined
        ? new Reply(LONG, tagged)
        : new Reply('', { ...tagged, status: 304 });
    }),
    route(contract('POST /api/list', { ...shared, name: 'make', status: 201 }), () => LONG),
    route(get('/api/short', 'short'), () => ({ name: 'x'.repeat(4000) })),
    route(get('/api/refused', 'refused'), () => {
      throw new HttpError(409, 'x'.repeat(5000));
    }),
    route(get('/api/cookies', 'cookies'), () => {
      const cookie = { name: 'b', value: 'c', path: '/', maxAgeSeconds: 1 };
      return new Reply(LONG, { cookies: [cookie] });
    }),
    route(
      get('/api/bytes', 'bytes', { replyType: 'application/octet-stream' }),
      () => new Reply(Buffer.from(TEXT)),
    ),
    route(
      get('/api/stream', 'stream'),
      () => new Reply(Readable.from([TEXT]), { headers: { 'content-type': 'text/event-stream' } }),
    ),
    route(get('/api/auth/sessions', 'sessions'), () => LONG),
    route(get('/api/api-keys', 'keys'), () => LONG),
    route(get('/api/webhooks/{id}', 'hook', { params: Type.Object({ id: Type.String() }) }), () => LONG),
    route(get('/api/authors', 'authors'), () => LONG),
    route(get('/api/assets', 'assets'), () => ({ ...LONG, url: '/api/files/a.png?signed=a.b.c' })),
    route(get('/api/large', 'large'), async () => {
      waiting += 1;
      if (waiting === AT_ONCE) goOn();
      await allAsked;
      return MEGABYTE;
    }),
  ],
});
after(() => app.close());

const ask = (url: string, encoding = 'gzip, deflate, br', more = {}) =>
  app.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding }, ...more });
const encodingOf = async (url: string, encoding?: string, more = {}) =>
  (await ask(url, encoding, more)).headers['content-encoding'];

describe('long replies', () => {
  test('are compressed in the best way that the caller takes', async () => {
    for (const url of ['/api/list', '/api/ready', '/api/tagged']) {
      const reply = await ask(url);
      assert.equal(reply.headers['content-encoding'], 'br', url);
      assert.equal(brotliDecompressSync(reply.rawPayload).toString(), TEXT);
      assert.equal(reply.headers['content-length'], String(reply.rawPayload.length));
      assert.ok(reply.rawPayload.length < TEXT.length / 4);
    }
    const zipped = await ask('/api/list', 'gzip');
    assert.equal(zipped.headers['content-encoding'], 'gzip');
    assert.equal(gunzipSync(zipped.rawPayload).toString(), TEXT);
    assert.equal(await encodingOf('/api/list', 'br;q=0.2, gzip;q=0.8'), 'gzip');
    assert.equal(await encodingOf('/api/list', '*'), 'br');
    assert.equal(await encodingOf('/api/list', 'br', { method: 'POST' }), 'br');
    assert.equal(await encodingOf('/api/authors'), 'br');
  });

  test('stay as they are for everybody else, and caches learn that they differ', async () => {
    for (const encoding of ['', 'identity', 'br;q=0, gzip;q=0', 'zstd', 'gzip;q=none']) {
      const reply = await ask('/api/list', encoding);
      assert.equal(reply.headers['content-encoding'], undefined, encoding);
      assert.equal(reply.body, TEXT);
      assert.equal(reply.headers.vary, 'Accept-Encoding');
    }
    assert.equal((await ask('/api/tagged')).headers.vary, 'Authorization, Accept-Encoding');
  });

  test('have a tag for what they say, no longer for their bytes', async () => {
    assert.equal((await ask('/api/tagged')).headers.etag, 'W/"x"');
    assert.equal((await ask('/api/tagged', 'identity')).headers.etag, '"x"');
    const known = await app.inject({
      url: '/api/tagged',
      headers: { 'if-none-match': 'W/"x"', 'accept-encoding': 'br' },
    });
    assert.deepEqual([known.statusCode, known.body], [304, '']);
    assert.equal(known.headers['content-encoding'], undefined);
  });
});

test('short replies, refusals, bytes, streams and HEAD are left alone', async () => {
  for (const url of ['/api/short', '/api/refused', '/api/bytes', '/api/stream'])
    assert.equal(await encodingOf(url), undefined, url);
  const head = await ask('/api/list', 'br', { method: 'HEAD' });
  assert.deepEqual([head.statusCode, head.headers['content-encoding']], [200, undefined]);
});

test('what holds secrets is not compressed, lest its size give them away', async () => {
  for (const url of ['/api/auth/sessions', '/api/api-keys', '/api/webhooks/a', '/api/cookies', '/api/assets'])
    assert.equal(await encodingOf(url), undefined, url);
});

test('of many large replies at once some go uncompressed, and all arrive whole', async () => {
  const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => ask('/api/large')));
  const text = JSON.stringify(MEGABYTE);
  const [packed, plain] = [true, false].map((isPacked) =>
    replies.filter(({ headers }) => (headers['content-encoding'] === 'br') === isPacked),
  );
  assert.equal(packed?.length, Math.floor((16 * 1024 * 1024) / text.length));
  for (const { rawPayload } of packed ?? []) assert.equal(brotliDecompressSync(rawPayload).toString(), text);
  for (const { body } of plain ?? []) assert.equal(body, text);
  assert.equal(await encodingOf('/api/list'), 'br');
});
