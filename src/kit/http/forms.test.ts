import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, test } from 'node:test';
import { Type } from 'typebox';
import { until } from '../../../test/support/until.ts';
import { createClient } from '../../client/client.ts';
import { binaryReply, contract } from '../contract.ts';
import { conflict } from '../errors.ts';
import { silentLog } from '../log.ts';
import { Reply, route } from '../route.ts';
import { createWorkBudget } from '../work-budget.ts';
import { createServer } from './server.ts';

const MOST = 2_000_000;

const upload = contract('POST /upload', {
  name: 'upload',
  auth: 'none',
  tag: 'Test',
  summary: 'Takes two files and a number',
  body: Type.Object({ count: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
  files: {
    picture: { description: 'A picture', maxBytes: MOST },
    caption: { description: 'Its words', maxBytes: 100, optional: true },
  },
  reply: Type.Unknown(),
});

const strict = contract('POST /strict', { ...upload, name: 'strict', body: undefined, tooLarge: 400 });

const guarded = contract('POST /guarded', { ...upload, name: 'guarded', auth: 'bearer' });

const bytes = contract('GET /bytes', {
  name: 'bytes',
  auth: 'none',
  tag: 'Test',
  summary: 'Bytes',
  replyType: 'image/png',
  reply: binaryReply,
});

const json = contract('POST /json', {
  name: 'json',
  auth: 'none',
  tag: 'Test',
  summary: 'JSON',
  body: Type.Object({ a: Type.Integer() }),
  reply: Type.Unknown(),
});

const PIXELS = Buffer.from([0x89, 0x50, 0xff, 0x00, 0xc3, 0x28]);
const uploadFolder = mkdtempSync(join(tmpdir(), 'forms-'));

const UPLOAD_SPACE = 1_000_000;
const holdUploadSpace = createWorkBudget({ bytes: UPLOAD_SPACE, bytesOfTenant: UPLOAD_SPACE });

const app = await createServer({
  routes: [
    route(upload, ({ body, files }) => {
      if (body.count === 409) throw conflict('no');
      const seen = Object.entries(files).map(([name, { path, ...file }]) => {
        const content = readFileSync(path);
        return { name, ...file, same: content.length === file.size, text: content.toString('latin1', 0, 20) };
      });
      return { count: body.count ?? null, seen };
    }),
    route(strict, ({ files }) => files.picture?.size),
    route(guarded, () => 'seen'),
    route(bytes, () => new Reply(PIXELS, { headers: { 'cache-control': 'no-store' } })),
    route(json, ({ body }) => body),
  ],
  log: silentLog,
  authenticate: () => Promise.reject(conflict('nobody signs in here')),
  rateLimit: () => null,
  anonymous: { tenantId: 'local', plan: 'free' },
  corsOrigins: [],
  trustedProxies: [],
  verifyReplies: true,
  uploadFolder,
  holdUploadSpace: (tenantId, bytes) => holdUploadSpace(tenantId, bytes, { waitMs: 20 }),
});
const address = await app.listen({ port: 0, host: '127.0.0.1' });
const { port } = app.server.address() as AddressInfo;
after(async () => {
  await app.close();
  rmSync(uploadFolder, { recursive: true });
});

afterEach(() => assert.deepEqual(readdirSync(uploadFolder), [], 'something was left on disk'));

interface Body {
  count: number;
  seen: { size: number }[];
  detail: string;
  code: string;
  errors: { field: string }[];
}

type Part = [name: string, value: string | Blob, filename?: string];

async function send(parts: Part[], path = '/upload') {
  const form = new FormData();
  for (const [name, value, filename] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, filename);
  }
  const reply = await fetch(address + path, { method: 'POST', body: form });
  return { status: reply.status, body: (await reply.json()) as Body };
}

const file = (size: number, type = 'image/png') => new Blob([Buffer.alloc(size, 'x')], { type });

test('files and fields arrive, with what the caller said about them', async () => {
  const { status, body } = await send([
    ['picture', file(MOST), '../../etc/Bild ü.png'],
    ['count', '7'],
    ['caption', new Blob(['hello'], { type: 'text/plain' }), 'a.txt'],
  ]);
  assert.equal(status, 200);
  assert.equal(body.count, 7);
  assert.deepEqual(body.seen, [
    {
      name: 'picture',
      size: MOST,
      filename: 'Bild ü.png',
      mediaType: 'image/png',
      same: true,
      text: 'x'.repeat(20),
    },
    { name: 'caption', size: 5, filename: 'a.txt', mediaType: 'text/plain', same: true, text: 'hello' },
  ]);
});

test('an empty file is a file', async () => {
  const { status, body } = await send([['picture', file(0), 'empty.png']]);
  assert.deepEqual([status, body.seen[0]?.size], [200, 0]);
});

test('one byte too many is refused, and the connection goes on', async () => {
  for (const part of [
    ['picture', file(MOST + 1), 'big.png'],
    ['caption', file(101), 'long.txt'],
  ] satisfies Part[]) {
    const { status, body } = await send([part]);
    assert.equal(status, 413);
    assert.deepEqual([body.code, body.errors[0]?.field], ['too_large', part[0]]);
    assert.equal((await send([['picture', file(5), 'a.png']])).status, 200);
  }
});

test('a form that says at once that it is too large is not read', async () => {
  const { status, body } = await send([['picture', file(5 * MOST), 'big.png']]);
  assert.equal(status, 413);
  assert.match(body.detail, /The form is larger than/);
});

test('a route may answer 400 for what is too large', async () => {
  assert.equal((await send([['picture', file(MOST + 1), 'a.png']], '/strict')).status, 400);
  assert.equal((await send([['picture', file(5 * MOST), 'a.png']], '/strict')).status, 400);
  assert.equal((await send([['picture', file(9), 'a.png']], '/strict')).status, 200);
});

test('parts that are missing, unknown, double or of another kind are refused by name', async () => {
  const picture: Part = ['picture', file(5), 'a.png'];
  for (const [parts, field, message] of [
    [[], 'picture', /required/],
    [[['count', '1']], 'picture', /required/],
    [[picture, ['other', file(5), 'b.png']], 'other', /not a file field of this form/],
    [[picture, ['other', 'text']], 'other', /not known/],
    [[picture, picture], 'picture', /once/],
    [[picture, ['count', '1'], ['count', '2']], 'count', /once/],
    [[['picture', 'text']], 'picture', /must be a file/],
    [[picture, ['count', 'many']], 'count', /integer/],
  ] satisfies [Part[], string, RegExp][]) {
    const { status, body } = await send(parts);
    assert.equal(status, 422, JSON.stringify(body));
    assert.equal(body.errors[0]?.field, field);
    assert.match(body.detail, message);
  }
});

test('parts without end and fields without end are refused', async () => {
  const many = Array.from({ length: 300 }, (_, index): Part => [`f${index}`, 'x']);
  assert.equal((await send(many)).status, 413);
  const long = await send([
    ['picture', file(5), 'a.png'],
    ['count', '1'.repeat(70_000)],
  ]);
  assert.deepEqual([long.status, long.body.errors[0]?.field], [413, 'count']);
});

test('names that reach a prototype and text that cannot be stored are refused', async () => {
  assert.equal((await send([['__proto__', 'x']])).status, 400);
  assert.equal((await send([['constructor', file(5), 'a.png']])).status, 400);
  const nul = await send([
    ['picture', file(5), 'a.png'],
    ['count', '1\0'],
  ]);
  assert.equal(nul.status, 400);
});

test('another media type is 415; a form is 415 where JSON is taken', async () => {
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
    const reply = await fetch(`${address}/upload`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': type },
    });
    assert.equal(reply.status, 415);
    assert.match(((await reply.json()) as Body).detail, /multipart\/form-data/);
  }
  assert.equal((await fetch(`${address}/upload`, { method: 'POST' })).status, 415);
  assert.equal((await send([['a', '1']], '/json')).status, 415);
});

/** Sends raw bytes and resolves to the status line; half-closes once they are sent. */
async function raw(text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, 'data');
  socket.destroy();
  return answer.split('\r\n')[0] ?? '';
}

const HEAD = 'POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\n';
const PICTURE = '--b\r\nContent-Disposition: form-data; name="picture"; filename="a.png"\r\n\r\n';
const withBody = (body: string) => `${HEAD}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

test('a form that ends before its last boundary is broken, whole as the request may be', async () => {
  for (const body of [`${PICTURE}half a pict`, '--b\r\nContent-Disp', 'no boundary at all', '--b\r\n\r\n']) {
    assert.match(await raw(withBody(body)), /^HTTP\/1\.1 400 /, body);
  }
});

test('a connection whose form was refused half-way takes the next request', { timeout: 60_000 }, async () => {
  const unknown = PICTURE.replace('"picture"', '"other"');
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(withBody(`${unknown}${'x'.repeat(1_900_000)}\r\n--b--\r\n`));
  socket.write('GET /bytes HTTP/1.1\r\nHost: x\r\n\r\n');
  let answers = '';
  for await (const chunk of socket) {
    answers += chunk;
    if (answers.includes('image/png')) break;
  }
  assert.match(answers, /^HTTP\/1\.1 422 /);
});

test('a form without a boundary is broken', async () => {
  const text = withBody(PICTURE).replace('; boundary=b', '');
  assert.match(await raw(text), /^HTTP\/1\.1 400 /);
});

test('a caller who goes away leaves nothing behind', async () => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`${HEAD}Content-Length: 100000\r\n\r\n${PICTURE}${'x'.repeat(1000)}`);
  while (readdirSync(uploadFolder).length === 0) await new Promise((resolve) => setImmediate(resolve));
  socket.destroy();
  while (readdirSync(uploadFolder).length > 0) await new Promise((resolve) => setImmediate(resolve));
});

test('callers who go away before anything of their form is read leave nothing behind, and no disk space taken', async () => {
  const head = `${HEAD}Content-Length: 100000\r\n\r\n${PICTURE}`;
  for (let caller = 0; caller < 200; caller += 1) {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write(head);
    await new Promise((resolve) => socket.on('connect', resolve));
    for (let turn = 0; turn < caller % 12; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
  }
  await until(() => readdirSync(uploadFolder).length === 0);
  await until(async () => (await send([['picture', file(MOST), 'a.png']])).status === 200);
});

test('forms that are on their way have so much disk at a time and no more', async () => {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`${HEAD}Content-Length: ${UPLOAD_SPACE - 100}\r\n\r\n${PICTURE}${'x'.repeat(1000)}`);
  while (readdirSync(uploadFolder).length === 0) await new Promise((resolve) => setImmediate(resolve));
  const form = new FormData();
  form.append('picture', file(MOST), 'a.png');
  const refused = await fetch(`${address}/upload`, { method: 'POST', body: form });
  assert.equal(refused.status, 429, await refused.text());
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  socket.destroy();
  await until(async () => (await send([['picture', file(MOST), 'a.png']])).status === 200);
});

test('a chunked form is measured on its way', async () => {
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(Buffer.from(PICTURE));
      for (let index = 0; index < 50; index += 1) controller.enqueue(Buffer.alloc(50_000, 'x'));
      controller.enqueue(Buffer.from('\r\n--b--\r\n'));
      controller.close();
    },
  });
  const reply = await fetch(`${address}/upload`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    duplex: 'half',
  } as RequestInit);
  assert.equal(reply.status, 413);
});

test('what stands before, between and after the parts of a chunked form counts as well', async () => {
  const whole = `${PICTURE}x\r\n--b--\r\n`;
  const junk = 'x'.repeat(50_000);
  const chunkOf = (text: string) => (text === '' ? '' : `${text.length.toString(16)}\r\n${text}\r\n`);
  const caption = PICTURE.replace('"picture"', '"caption"');
  const almost = `${PICTURE}${'x'.repeat(MOST)}\r\n${caption}`;
  for (const begun of ['', '--b\r\nX-Long: ', `${PICTURE}x\r\n--b\r\nX-Long: `, whole, PICTURE, almost]) {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n${chunkOf(begun)}`);
    for (let sent = 0; sent < 20 * MOST && answer === ''; sent += junk.length)
      await new Promise((resolve) => socket.write(chunkOf(junk), resolve));
    socket.destroy();
    assert.match(answer, /^HTTP\/1\.1 413 /, begun.slice(0, 100));
  }
});

test('nothing is read from a caller who may not send', async () => {
  const { status, body } = await send([['picture', file(MOST), 'a.png']], '/guarded');
  assert.deepEqual([status, body.code], [401, 'not_authenticated']);
});

test('files go when the handler refuses', async () => {
  const refused = await send([
    ['picture', file(5), 'a.png'],
    ['count', '409'],
  ]);
  assert.equal(refused.status, 409);
});

test('the typed client sends forms and receives bytes', async () => {
  const client = createClient({ contracts: { upload, bytes }, baseUrl: address });
  const reply = await client.upload({
    body: { count: 3 },
    files: { picture: new File([PIXELS], 'a.png', { type: 'image/png' }) },
  });
  assert.equal((reply as Body).count, 3);
  const received = await client.bytes();
  assert.equal(received.type, 'image/png');
  assert.deepEqual(Buffer.from(await received.arrayBuffer()), PIXELS);
});

test('bytes are sent as they are, with their headers', async () => {
  const reply = await fetch(`${address}/bytes`);
  assert.equal(reply.headers.get('content-type'), 'image/png');
  assert.equal(reply.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(reply.headers.get('cache-control'), 'no-store');
  assert.deepEqual(Buffer.from(await reply.arrayBuffer()), PIXELS);
});
