import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { injectFetch } from '../../test/support/inject-fetch.ts';
import { contract } from '../kit/contract.ts';
import { conflict } from '../kit/errors.ts';
import { createServer } from '../kit/http/server.ts';
import { silentLog } from '../kit/log.ts';
import { route } from '../kit/route.ts';
import type { Transport } from './call-client.ts';
import { createClient } from './client.ts';
import { ClientError } from './error.ts';

const listQuests = contract('GET /api/quests', {
  name: 'listQuests',
  auth: 'none',
  tag: 'Quests',
  summary: 'Quests',
  otherQuery: /^filter/,
  query: Type.Object({
    limit: Type.Optional(Type.Integer()),
    kinds: Type.Optional(Type.Array(Type.String())),
  }),
  reply: Type.Object({ limit: Type.Integer(), kinds: Type.Array(Type.String()), filter: Type.String() }),
});

const updateQuest = contract('PUT /api/quests/{id}', {
  name: 'updateQuest',
  auth: 'bearer',
  tag: 'Quests',
  summary: 'Change a quest',
  params: Type.Object({ id: Type.String() }),
  body: Type.Object({ title: Type.String() }),
  reply: Type.Object({ id: Type.String(), title: Type.String(), by: Type.String() }),
});

const readFile = contract('GET /files/{path}', {
  name: 'readFile',
  auth: 'none',
  tag: 'Quests',
  summary: 'A file',
  params: Type.Object({ path: Type.String() }),
  replyType: 'text/plain',
  reply: Type.String(),
});

const contracts = { listQuests, updateQuest, readFile };

const app = await createServer({
  routes: [
    route(listQuests, ({ query, rawQuery }) => ({
      limit: query.limit ?? 50,
      kinds: query.kinds ?? [],
      filter: String(rawQuery['filter[age]'] ?? ''),
    })),
    route(updateQuest, ({ params, body, actor, headers }) => {
      if (headers['if-match'] === '"1"') throw conflict('It has changed', { code: 'stale' });
      return { id: params.id, title: body.title, by: actor };
    }),
    route(readFile, ({ params }) => `content of ${params.path}`),
  ],
  log: silentLog,
  corsOrigins: [],
  trustedProxies: [],
  rateLimit: () => null,
  anonymous: null,
  verifyReplies: true,
  authenticate: (token) => ({
    userId: `user-of-${token}`,
    email: 'a@example.org',
    tenantId: 'local',
    role: 'viewer',
    tenantRole: 'viewer',
    plan: 'free',
  }),
});

const connect = (token?: string | (() => string)) =>
  createClient({
    contracts,
    baseUrl: 'http://in.process/',
    fetch: injectFetch(app),
    ...(token && { token }),
  });

test('a call without arguments, and one with a query: lists are repeated, filters pass through, undefined is left out', async () => {
  const client = connect();
  assert.deepEqual(await client.listQuests(), { limit: 50, kinds: [], filter: '' });
  const asked = await client.listQuests({
    query: { limit: 3, kinds: ['main', 'side & more'], 'filter[age]': 31 },
  });
  assert.deepEqual(asked, { limit: 3, kinds: ['main', 'side & more'], filter: '31' });
});

test('path parameters are escaped, the body is JSON, the token speaks for its user', async () => {
  const reply = await connect('t1').updateQuest({ params: { id: 'a/b ü' }, body: { title: 'Key' } });
  assert.deepEqual(reply, { id: 'a/b ü', title: 'Key', by: 'user-of-t1' });
});

test('a token that changes is asked for at each call', async () => {
  let token = 'first';
  const client = connect(() => token);
  const call = { params: { id: 'q' }, body: { title: 'x' } };
  assert.equal((await client.updateQuest(call)).by, 'user-of-first');
  token = 'second';
  assert.equal((await client.updateQuest(call)).by, 'user-of-second');
});

test('a last path parameter keeps its slashes; text replies stay text', async () => {
  assert.equal(
    await connect().readFile({ params: { path: 'Maps/old town.png' } }),
    'content of Maps/old town.png',
  );
});

test('a refusal is a ClientError with what the service said', async () => {
  const call = { params: { id: 'q' }, body: { title: 'x' }, headers: { 'if-match': '"1"' } };
  await assert.rejects(connect('t').updateQuest(call), (error) => {
    assert.ok(error instanceof ClientError);
    assert.deepEqual([error.status, error.detail, error.code], [409, 'It has changed', 'stale']);
    return true;
  });
  const wrong = { title: 5 } as unknown as { title: string };
  await assert.rejects(connect('t').updateQuest({ params: { id: 'q' }, body: wrong }), (error) => {
    assert.ok(error instanceof ClientError);
    assert.equal(error.status, 422);
    assert.deepEqual(error.errors, [{ field: 'title', message: 'must be string' }]);
    return true;
  });
});

test('a refusal of something in between keeps its status', async () => {
  const gateway: Transport = async () =>
    new Response('<h1>Bad gateway</h1>', { status: 502, statusText: 'Bad Gateway' });
  const client = createClient({ contracts, baseUrl: '', fetch: gateway });
  await assert.rejects(client.listQuests(), { status: 502, detail: 'The service answered 502 Bad Gateway' });
});

test('a refusal says when to try again, and what overlaps', async () => {
  const answer = (status: number, body: object, headers: Record<string, string> = {}): Transport => {
    return async () => new Response(JSON.stringify(body), { status, headers });
  };
  const refusal = (fetch: Transport) => createClient({ contracts, baseUrl: '', fetch }).listQuests();
  const conflict = { conflicting_fields: ['title'] };
  await assert.rejects(refusal(answer(409, { detail: 'no', conflict })), { conflict, retryAfter: undefined });
  await assert.rejects(refusal(answer(429, { detail: 'slow' }, { 'retry-after': '7' })), { retryAfter: 7 });
  await assert.rejects(refusal(answer(503, {}, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' })), {
    retryAfter: undefined,
  });
});

test('a missing or misleading path parameter is the caller’s mistake and is never sent', async () => {
  await assert.rejects(
    connect().readFile({ params: { path: '' } }),
    /{path}: the path parameter 'path' is missing/,
  );
  for (const id of ['.', '..'])
    await assert.rejects(
      connect().updateQuest({ params: { id }, body: { title: 'x' } }),
      /{id}: the path parameter 'id' cannot be/,
    );
  await assert.rejects(connect().readFile({ params: { path: 'a/../b' } }), /'path' cannot be 'a\/..\/b'/);
});
