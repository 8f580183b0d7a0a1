import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AgentClient, connectAgent } from '../../../test/support/agent-client.ts';
import { listen } from '../../../test/support/listen.ts';
import { type People, startPeople } from '../../../test/support/people.ts';
import { until } from '../../../test/support/until.ts';
import { postMcp } from './agents.contract.ts';

let people: People;
let address: string;
before(async () => {
  people = await startPeople({ content: 'templates' });
  address = await listen(people);
});
after(() => people.close());

interface Asked {
  method?: string;
  token?: string | null;
  session?: string;
  headers?: Record<string, string>;
  message?: unknown;
}

const INITIALIZE = postMcp.example.body;
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

function ask({ method = 'POST', token = people.cast.editor.token, session, headers, message }: Asked) {
  return fetch(`${address}/api/mcp`, {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(message !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(message !== undefined && { body: JSON.stringify(message) }),
  });
}

async function begun(token?: string): Promise<string> {
  const reply = await ask({ message: INITIALIZE, ...(token !== undefined && { token }) });
  assert.equal(reply.status, 200);
  const session = reply.headers.get('mcp-session-id');
  assert.ok(session);
  return session;
}

const codeOf = async (reply: Response): Promise<[number, unknown]> => [
  reply.status,
  ((await reply.json()) as { code?: unknown }).code,
];

test('a session is named by the first reply, sent with each message, and ended by DELETE', async () => {
  const session = await begun();
  assert.equal((await ask({ session, message: LIST })).status, 200);
  const told = await ask({ session, message: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  assert.deepEqual([told.status, await told.text()], [202, '']);
  assert.deepEqual(await codeOf(await ask({ message: LIST })), [400, 'no_session']);
  assert.deepEqual(await codeOf(await ask({ session: 'other', message: LIST })), [404, 'no_such_session']);
  assert.equal((await ask({ method: 'DELETE', session })).status, 204);
  assert.deepEqual(await codeOf(await ask({ session, message: LIST })), [404, 'no_such_session']);
});

test('a session is nobody else’s, nor another project’s', async () => {
  const session = await begun();
  const stranger = await people.person('owner', 'elsewhere');
  for (const token of [people.cast.viewer.token, people.cast.owner.token, stranger.token]) {
    assert.deepEqual(await codeOf(await ask({ token, session, message: LIST })), [404, 'no_such_session']);
    assert.equal((await ask({ token, session, method: 'DELETE' })).status, 404);
    assert.equal((await ask({ token, session, method: 'GET' })).status, 404);
  }
  const headers = { 'x-project-id': 'other' };
  assert.equal((await ask({ session, message: LIST, headers })).status, 404);
  assert.equal((await ask({ session, message: LIST })).status, 200);
});

test('the oldest sessions of a caller end when there are too many', async () => {
  const { token } = await people.person('editor');
  const sessions: string[] = [];
  for (let index = 0; index < 52; index += 1) sessions.push(await begun(token));
  const alive = await Promise.all(
    sessions.map(async (session) => (await ask({ token, session, message: LIST })).status === 200),
  );
  assert.equal(alive.filter(Boolean).length, 50);
  assert.equal(alive.at(-1), true);
});

test('without a token it is 401 with what clients look for; a cookie is none', async () => {
  for (const headers of [{}, { cookie: `canonry_access=${people.cast.editor.token}` }]) {
    const reply = await ask({ token: null, message: INITIALIZE, headers });
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer');
    assert.deepEqual(await codeOf(reply), [401, 'not_authenticated']);
  }
});

test('pages of other sites are refused, also under a name that leads here', async () => {
  const host = new URL(address).host;
  for (const origin of ['https://evil.example', 'null', `https://${host}.evil.example`])
    assert.deepEqual(await codeOf(await ask({ message: INITIALIZE, headers: { origin } })), [
      403,
      'cross_origin',
    ]);
  assert.equal((await ask({ message: INITIALIZE, headers: { origin: address } })).status, 200);
});

test('what is no message is refused', async () => {
  for (const message of [[LIST], { method: 'tools/list' }, 'text', { ...LIST, jsonrpc: '1.0' }])
    assert.equal((await ask({ message })).status, 422, JSON.stringify(message));
  const session = await begun();
  const reply = await ask({ session, message: LIST, headers: { 'mcp-protocol-version': '1999-01-01' } });
  assert.equal(reply.status, 400);
});

test('a stream ends with the access of its token, and a caller has only so many', async () => {
  const { cast, ask: call } = people;
  const made = await call(cast.owner, 'POST', '/api/api-keys', { name: 'x', scopes: ['read'] });
  const { key: token, key_id } = made.body;
  const session = await begun(token);
  const leave = new AbortController();
  const open = () =>
    fetch(`${address}/api/mcp`, {
      headers: { authorization: `Bearer ${token}`, 'mcp-session-id': session },
      signal: leave.signal,
    });
  const statuses: number[] = [];
  const streams = Array.from({ length: 51 }, () =>
    open().then(async (reply) => {
      statuses.push(reply.status);
      await reply.text();
    }),
  );
  await until(
    () => statuses.length === 51,
    () => statuses,
  );
  assert.deepEqual(
    statuses.filter((status) => status !== 200),
    [429],
  );
  assert.equal((await call(cast.owner, 'DELETE', `/api/api-keys/${key_id}`)).status, 200);
  await Promise.allSettled(streams);
  leave.abort();
});

test('only addresses of resources can be subscribed to: they are stored', async () => {
  const agent = await connectAgent(address, people.cast.editor.token);
  for (const uri of ['https://evil.example/', `canonry://entity/character/${'a'.repeat(100_000)}`])
    await assert.rejects(agent.client.subscribeResource({ uri }), /no address of a resource/);
  await agent.close();
});

test('the stream tells which resources changed and that their list did', async () => {
  const agent: AgentClient = await connectAgent(address, people.cast.editor.token);
  const heard: string[] = [];
  agent.client.fallbackNotificationHandler = async ({ method, params }) => {
    heard.push(`${method} ${String(params?.uri ?? '')}`);
  };
  const uri = 'canonry://entity/character/wren';
  await agent.client.subscribeResource({ uri });
  const write = (method: string, path: string, body: object) =>
    people.ask(people.cast.editor, method, `/api/entity/character${path}`, body);
  await write('POST', '', { entity_id: 'wren', name: 'Wren' });
  await until(async () => {
    // The client opens its stream in its own time: what happened before is not told.
    await write('PUT', '/wren', { markdown_body: `Sings ${heard.length} ${Math.random()}.` });
    return heard.includes(`notifications/resources/updated ${uri}`);
  });
  await write('POST', '', { entity_id: 'oda', name: 'Oda' });
  await until(() => heard.includes('notifications/resources/list_changed '));
  await agent.client.unsubscribeResource({ uri });
  await agent.close();
});
