import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../../test/support/bare-server.ts';
import { contract } from '../contract.ts';
import { silentLog } from '../log.ts';
import { route } from '../route.ts';
import { createServer } from './server.ts';

const echo = contract('POST /echo/{word}', {
  name: 'echo',
  auth: 'none',
  tag: 'Test',
  summary: 'Says what it heard',
  params: Type.Object({ word: Type.String() }),
  body: Type.Unknown(),
  reply: Type.Unknown(),
});

const whatIsSent = contract('DELETE /sent', {
  name: 'what_is_sent',
  auth: 'none',
  tag: 'Test',
  summary: 'Says what was sent, which may be nothing',
  body: Type.Optional(Type.Unknown()),
  reply: Type.Unknown(),
});

const app = await createServer({ ...BARE_SERVER, routes: [route(echo, ({ body }) => body)] });
after(() => app.close());

const post = async (payload: string | Buffer, word = 'a') => {
  const headers = { 'content-type': 'application/json' };
  const reply = await app.inject({ method: 'POST', url: `/echo/${word}`, headers, payload });
  return { status: reply.statusCode, body: reply.json() };
};
const nested = (levels: number) => '{"a":'.repeat(levels) + '1'.padEnd(levels + 1, '}');

describe('JSON bodies', () => {
  test('say where they are wrong', async () => {
    const { status, body } = await post('{"a": 1,}');
    assert.equal(status, 400);
    assert.match(body.detail, /^The body is not valid JSON: .*position 8/);
  });

  test('must be UTF-8', async () => {
    const { status, body } = await post(Buffer.from([0x22, 0xff, 0x22]));
    assert.equal(status, 400);
    assert.match(body.detail, /UTF-8/);
  });

  test('hold nothing that cannot be stored, at any depth', async () => {
    for (const [text, field] of [
      ['{"a":[{"b":"x\\u0000"}]}', 'a.0.b'],
      ['{"a":"\\ud800x"}', 'a'],
      ['{"a\\udc00":1}', 'a\ufffd'],
      ['{"a":{"constructor":1}}', 'a.constructor'],
      ['{"prototype":1}', 'prototype'],
      ['[{"__proto__":1}]', '0.__proto__'],
      ['{"n":1e999}', 'n'],
    ] as const) {
      const { status, body } = await post(text);
      assert.equal(status, 400, text);
      assert.equal(body.errors[0].field, field, text);
      assert.ok(body.detail.includes(field), body.detail);
    }
  });

  test('are nested so deep and no deeper', async () => {
    assert.equal((await post(nested(100))).status, 200);
    for (const levels of [101, 100_000]) {
      const { status, body } = await post(nested(levels));
      assert.equal(status, 400);
      assert.equal(body.code, 'too_deep');
    }
  });

  test('are none where a request names their type and sends none', async (t) => {
    const server = await createServer({
      ...BARE_SERVER,
      routes: [route(whatIsSent, ({ body }) => body ?? 'nothing')],
    });
    t.after(() => server.close());
    await server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.server.address() as AddressInfo;
    const ask = async (line: string, type: string) => {
      const socket = connect(port, '127.0.0.1');
      socket.setTimeout(5_000, () => socket.destroy(new Error(`${line} is not answered`)));
      socket.write(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\n\r\n`);
      return text(socket);
    };
    for (const type of ['application/json', 'Application/JSON; charset=utf-8']) {
      assert.match(await ask('DELETE /sent', type), /^HTTP\/1\.1 200 [\s\S]*"nothing"$/);
      assert.match(await ask('DELETE /nowhere', type), /^HTTP\/1\.1 404 /);
    }
  });

  test('come through as they are', async () => {
    const value = { a: ['\u{1f600}', '\\u0000', 'constructor', { toString: -0.5 }], é: null };
    assert.deepEqual((await post(JSON.stringify(value))).body, value);
  });
});

describe('addresses that lead nowhere are refused in the one form', () => {
  test('broken escapes, NUL and parts without end', async () => {
    for (const [word, expected] of [
      ['%', 400],
      ['%ff', 400],
      ['a%00b', 400],
      ['a?x=%00', 400],
      ['a'.repeat(600), 414],
    ] as const) {
      const { status, body } = await post('{}', word);
      assert.equal(status, expected, word);
      assert.deepEqual(Object.keys(body), ['detail'], word);
      assert.ok(body.detail.length < 200, body.detail);
    }
  });

  test('requests that are no HTTP, or whose headers are too large', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    for (const [text, status] of [
      ['nonsense\r\n\r\n', 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ] as const) {
      const socket = connect(port, '127.0.0.1', () => socket.write(text));
      let reply = '';
      socket.setEncoding('utf8').on('data', (part: string) => {
        reply += part;
      });
      await once(socket, 'close');
      const [head = '', body = ''] = reply.split('\r\n\r\n');
      assert.ok(head.startsWith(`HTTP/1.1 ${status} `), head);
      assert.deepEqual(Object.keys(JSON.parse(body)), ['detail']);
    }
  });
});

describe('routes for some plans and for other surfaces', () => {
  const base = { tag: 'Test', summary: 'Is there', reply: Type.Unknown() } as const;
  const gated = contract('GET /gated', { ...base, name: 'gated', auth: 'bearer', feature: 'sso' });
  const internal = contract('GET /internal', { ...base, name: 'internal', auth: 'service' });
  const SERVICE_TOKEN = 'a shared secret of tests';
  const start = (serviceToken: string | null) =>
    createServer({
      routes: [route(gated, () => ({})), route(internal, () => ({}))],
      log: silentLog,
      // The token holds the plan and, after a dash, an override of it.
      authenticate: (token) => {
        const [plan = '', override] = token.split('-');
        return {
          userId: 'mara',
          email: 'mara@example.com',
          tenantId: 'studio',
          role: 'owner',
          tenantRole: 'owner',
          plan: plan === 'team' ? 'team' : 'free',
          ...(override !== undefined && { overrides: { sso: override === 'on' } }),
        };
      },
      rateLimit: () => null,
      anonymous: null,
      corsOrigins: [],
      trustedProxies: [],
      verifyReplies: false,
      serviceToken,
    });
  const ask = async (url: string, token: string, serviceToken: string | null = SERVICE_TOKEN) => {
    const server = await start(serviceToken);
    const reply = await server.inject({ url, headers: { authorization: `Bearer ${token}` } });
    await server.close();
    return { status: reply.statusCode, body: reply.json() };
  };

  test('a plan without the feature is 403 that names it; an override wins', async () => {
    const refused = await ask('/gated', 'free');
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.feature],
      [403, 'feature_unavailable', 'sso'],
    );
    assert.match(refused.body.detail, /free plan.*sso/);
    assert.equal((await ask('/gated', 'team')).status, 200);
    assert.equal((await ask('/gated', 'free-on')).status, 200);
    assert.equal((await ask('/gated', 'team-off')).status, 403);
  });

  test('the shared secret alone opens what is for other surfaces; unset, nothing does', async () => {
    assert.equal((await ask('/internal', SERVICE_TOKEN)).status, 200);
    for (const wrong of ['team', '', `${SERVICE_TOKEN}x`])
      assert.equal((await ask('/internal', wrong)).status, 401);
    for (const token of ['team', 'null', '']) {
      const { status, body } = await ask('/internal', token, null);
      assert.equal(status, 409);
      assert.match(body.detail, /SERVICE_TOKEN/);
    }
  });
});

test('when closing, what is under way or comes by an open connection is answered, and no kept connection is waited for', async () => {
  const go = Promise.withResolvers<void>();
  const started = new EventEmitter();
  const slow = contract('POST /slow/{word}', { ...echo, name: 'slow' });
  const server = await createServer({
    routes: [
      route(slow, async ({ body }) => {
        started.emit(String(body));
        await go.promise;
        return body;
      }),
    ],
    log: silentLog,
    authenticate: () => Promise.reject(new Error('nobody signs in here')),
    rateLimit: () => null,
    anonymous: null,
    corsOrigins: [],
    trustedProxies: [],
    verifyReplies: false,
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const send = (socket: Socket, text: string) =>
    socket.write(
      `POST /slow/x HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
    );
  const [one, two] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')];
  for (const [socket, word] of [
    [one, 'one'],
    [two, 'two'],
  ] as const) {
    send(socket, `"${word}"`);
    await once(started, word);
  }
  const closing = server.close();
  send(two, '"late"');
  await once(started, 'late');
  go.resolve();
  const [heard, more] = await Promise.all([text(one), text(two)]);
  assert.match(heard, /^HTTP\/1\.1 200 [\s\S]*"one"$/);
  assert.match(more, /^HTTP\/1\.1 200 [\s\S]*"two"HTTP\/1\.1 200 [\s\S]*"late"$/);
  await closing;
});
