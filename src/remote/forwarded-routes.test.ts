import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { Type } from 'typebox';
import { BARE_SERVER } from '../../test/support/bare-server.ts';
import { listen } from '../../test/support/listen.ts';
import { contract } from '../kit/contract.ts';
import { limitReached } from '../kit/errors.ts';
import { createServer } from '../kit/http/server.ts';
import type { Principal } from '../kit/principal.ts';
import { Reply, route } from '../kit/route.ts';
import { twinRoute } from '../kit/service-twin.ts';
import { forwardedRoutes } from './forwarded-routes.ts';

const SERVICE_TOKEN = 'a service token of tests that is long enough';
const MIRA: Principal = {
  userId: 'mira',
  email: 'mira@example.com',
  tenantId: 'one',
  role: 'admin',
  tenantRole: 'owner',
  plan: 'team',
};

const spend = contract('POST /api/things/{id}/spend', {
  name: 'spend',
  auth: 'bearer',
  role: 'owner',
  tag: 'Things',
  summary: 'Spend',
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ much: Type.Optional(Type.Integer()) }),
  body: Type.Object({ amount: Type.Integer() }),
  reply: Type.Object({ who: Type.String() }),
  errors: [402],
});
const page = contract('GET /api/things/page', {
  name: 'page',
  auth: 'none',
  tag: 'Things',
  summary: 'Page',
  reply: Type.Null(),
  status: 302,
});
const hook = contract('POST /api/things/hook', {
  name: 'hook',
  auth: 'signature',
  tag: 'Things',
  summary: 'Hook',
  stream: { mediaType: 'application/json', description: 'An event' },
  bodyLimit: 100,
  reply: Type.Object({ bytes: Type.String(), signature: Type.String() }),
});

async function startPair() {
  const served = [
    route(spend, async ({ params, query, body, principal, headers, tenantId, address }) => {
      if (body.amount > 9) throw limitReached('Too much', { code: 'short', body: { needed: body.amount } });
      const who = [params.id, query.much, body.amount, principal?.email, tenantId, address];
      return { who: [...who, headers['idempotency-key'], headers['x-other']].join(' ') };
    }),
    route(page, async () => new Reply(null, { headers: { location: 'https://pay.example/1' } })),
    route(hook, async ({ stream, headers }) => ({
      bytes: await text(stream ?? Readable.from([])),
      signature: String(headers['billing-signature']),
    })),
  ];
  const accounts = await createServer({
    ...BARE_SERVER,
    anonymous: null,
    serviceToken: SERVICE_TOKEN,
    routes: served.map(twinRoute),
  });
  const url = await listen({ app: accounts });
  const core = await createServer({
    ...BARE_SERVER,
    anonymous: null,
    authenticate: (token) => ({ ...MIRA, tenantRole: token === 'owner' ? 'owner' : 'admin' }),
    verifyReplies: true,
    routes: forwardedRoutes([spend, page, hook], { url, serviceToken: SERVICE_TOKEN }),
  });
  return { accounts, core, url };
}

test('a forwarded route answers as the other surface does, for the caller of this one', async (t) => {
  const { accounts, core, url } = await startPair();
  t.after(() => Promise.all([accounts.close(), core.close()]));
  const ask = (amount: unknown, token = 'owner') =>
    core.inject({
      method: 'POST',
      url: '/api/things/a%20b/spend?much=3',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'k1', 'x-other': 'secret' },
      payload: { amount },
    });
  const done = await ask(4);
  assert.deepEqual(
    [done.statusCode, done.json()],
    [200, { who: 'a b 3 4 mira@example.com one 127.0.0.1 k1 ' }],
  );
  const short = await ask(10);
  assert.deepEqual(
    [short.statusCode, short.json()],
    [402, { detail: 'Too much', code: 'short', needed: 10 }],
  );
  assert.equal((await ask('many')).statusCode, 422);
  assert.equal((await ask(4, 'admin')).statusCode, 403);

  const moved = await core.inject({ method: 'GET', url: '/api/things/page' });
  assert.deepEqual([moved.statusCode, moved.headers.location], [302, 'https://pay.example/1']);

  const direct = await fetch(`${url}/internal/things/page`, { redirect: 'manual' });
  assert.equal(direct.status, 401);
});

test('the bytes of a webhook arrive as they were sent, and no more than the route takes', async (t) => {
  const { accounts, core } = await startPair();
  t.after(() => Promise.all([accounts.close(), core.close()]));
  const send = (payload: string) =>
    core.inject({
      method: 'POST',
      url: '/api/things/hook',
      headers: { 'content-type': 'application/json', 'billing-signature': 't=1,v1=2' },
      payload,
    });
  const exact = ' { "a":\t1.0,\n"ü": "\\u00e9" } ';
  const reply = await send(exact);
  assert.deepEqual([reply.statusCode, reply.json()], [200, { bytes: exact, signature: 't=1,v1=2' }]);
  assert.equal((await send('x'.repeat(101))).statusCode, 413);
});

test('while the other surface is away the caller is told so', async () => {
  const { accounts, core } = await startPair();
  await accounts.close();
  const reply = await core.inject({ method: 'GET', url: '/api/things/page' });
  assert.equal(reply.statusCode, 503);
  assert.equal(reply.headers['retry-after'], '5');
  assert.match(reply.json().detail, /accounts service does not answer/);
  await core.close();
});

test('a page of whatever stands between the surfaces is no answer', async (t) => {
  const between = http.createServer((_request, response) => {
    response.writeHead(413, { 'content-type': 'text/html' }).end('<h1>nginx</h1>');
  });
  between.listen(0);
  const { port } = between.address() as AddressInfo;
  const service = { url: `http://127.0.0.1:${port}`, serviceToken: SERVICE_TOKEN };
  const core = await createServer({
    ...BARE_SERVER,
    anonymous: null,
    routes: forwardedRoutes([page], service),
  });
  t.after(() => Promise.all([core.close(), between.close()]));
  const reply = await core.inject({ method: 'GET', url: '/api/things/page' });
  assert.equal(reply.statusCode, 503);
  assert.match(reply.json().detail, /accounts service does not answer/);
});
