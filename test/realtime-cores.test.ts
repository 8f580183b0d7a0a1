import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { answerWhen, startCloud } from './support/cloud.ts';
import { startRedisRelay } from './support/redis-relay.ts';
import { openTestSocket, socketAddress } from './support/sockets.ts';
import { until } from './support/until.ts';

const cloud = await startCloud();
after(() => cloud.close());
const [one, other] = cloud.cores;
const { token } = cloud.accounts.first;

async function create(core: typeof one, entity_id: string): Promise<void> {
  const reply = await core.call('POST', '/api/entity/character', {
    token,
    body: { entity_id, name: entity_id },
  });
  assert.equal(reply.status, 201, reply.text);
}

test('what changes at one core is heard at another, and who is there is the same everywhere', async () => {
  await create(one, 'first');
  const socket = await openTestSocket(await socketAddress(other.app), { token });
  await socket.next('ready');
  await create(one, 'second');
  assert.equal((await socket.next('entity_updated')).entity_id, 'second');
  const here = await one.call<{ total: number }>('GET', '/api/presence', { token });
  assert.equal(here.body.total, 1);
  socket.peer.close();
});

test('a ticket of one core opens a connection at another', async () => {
  const { body } = await one.call<{ ticket: string }>('POST', '/api/ws/ticket', { token });
  const socket = await openTestSocket(await socketAddress(other.app), { ticket: body.ticket });
  await socket.next('ready');
  socket.peer.close();
});

test('without Redis a core says so and goes on, and nothing that others changed meanwhile is missed', async (t) => {
  const relay = await startRedisRelay(t);
  const third = await cloud.core({ config: { ...one.config, redisUrl: relay.url } });
  const socket = await openTestSocket(await socketAddress(third.app), { token, cursor: '' });
  await socket.next('ready');
  await relay.down();
  const health = () => third.call<{ events: string }>('GET', '/api/services/health');
  assert.equal((await health()).body.events, 'unavailable');
  const ids = ['alone_1', 'alone_2', 'alone_3'];
  for (const id of ids) await create(one, id);
  await create(third, 'alone_4');
  await relay.up();
  await answerWhen(health, ({ body }) => body.events === 'connected');
  await create(one, 'together');
  const seen: unknown[] = [];
  for (let left = 5; left > 0; left -= 1) seen.push((await socket.next('entity_updated')).entity_id);
  assert.deepEqual(seen, [...ids, 'alone_4', 'together']);
  socket.peer.close();
});

test('while Redis is gone, or takes requests and answers none, cores hear each other by the log', async (t) => {
  const relay = await startRedisRelay(t);
  const config = { ...one.config, redisUrl: relay.url };
  const cores = [await cloud.core({ config }), await cloud.core({ config })] as const;
  const sockets = await Promise.all(
    cores.map(async ({ app }) => openTestSocket(await socketAddress(app), { token, cursor: '' })),
  );
  for (const socket of sockets) await socket.next('ready');
  const health = (core: typeof one) => () => core.call<Record<string, string>>('GET', '/api/services/health');
  const expectEvents = (state: string) =>
    Promise.all(cores.map((core) => answerWhen(health(core), ({ body }) => body.events === state)));
  const ways = [
    { name: 'gone', begin: relay.down, end: relay.up },
    { name: 'frozen', begin: async () => relay.freeze(true), end: async () => relay.freeze(false) },
  ];
  const ids: string[] = [];
  const createAtBoth = async (name: string): Promise<void> => {
    for (const [index, core] of cores.entries()) {
      ids.push(`${name}_${index}`);
      await create(core, `${name}_${index}`);
    }
  };
  const heardBy = ({ heard }: (typeof sockets)[number]) =>
    heard.flatMap(({ type, entity_id }) => (type === 'entity_updated' ? [entity_id] : []));
  for (const { name, begin, end } of ways) {
    await begin();
    await expectEvents('unavailable');
    await createAtBoth(name);
    await until(async () => sockets.every((socket) => heardBy(socket).length === ids.length));
    const late = await openTestSocket(await socketAddress(cores[0].app), { token });
    await late.next('ready');
    late.peer.close();
    await end();
    await expectEvents('connected');
    await createAtBoth(`after_${name}`);
    await until(async () => sockets.every((socket) => heardBy(socket).length === ids.length));
  }
  for (const socket of sockets) {
    assert.deepEqual(heardBy(socket), ids);
    socket.peer.close();
  }
});

test('another plan, another role and the end of an account end connections at every core', async () => {
  const { accounts } = cloud;
  const member = await accounts.person('editor');
  const closed = await accounts.person('viewer');
  const customer = await accounts.register();
  const people = [member, closed, customer];
  const sockets = await Promise.all(
    people.flatMap((person) =>
      cloud.cores.map(async ({ app }) => openTestSocket(await socketAddress(app), { token: person.token })),
    ),
  );
  await Promise.all(sockets.map((socket) => socket.next('ready')));
  const change = async (method: string, path: string, by: string, body?: object): Promise<void> => {
    const reply = await accounts.ask(method, path, { token: by, body });
    assert.equal(reply.status, 200, reply.text);
  };
  await change('PATCH', `/api/auth/users/${member.id}/role`, token, { role: 'viewer' });
  await change('POST', `/api/auth/users/${closed.id}/deactivate`, token);
  await change('PUT', `/api/users/${customer.id}/subscription`, accounts.serviceToken, { plan: 'indie' });
  const ends = await Promise.all(sockets.map((socket) => socket.closed));
  assert.deepEqual(new Set(ends.map(({ code }) => code)), new Set([4401]));
});
