import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type WebSocket, WebSocketServer } from 'ws';
import { startCore } from '../../../test/support/core.ts';
import { eventually } from '../../../test/support/desktop.ts';
import { systemClock } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import { silentLog } from '../../kit/log.ts';
import { cloudSocketOpener } from '../../remote/cloud-socket.ts';
import { createListening } from './listening.service.ts';

const QUICK = { first: 5, longest: 20, renew: 20 };

interface Visit {
  peer: WebSocket;
  query: URLSearchParams;
  token: string | undefined;
  said: string[];
}

/** A scripted cloud end of WebSockets. */
async function startSocketServer(port = 0) {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  const visits: Visit[] = [];
  server.on('connection', (peer, request: IncomingMessage) => {
    const visit: Visit = {
      peer,
      query: new URL(request.url ?? '', 'http://x').searchParams,
      token: request.headers.authorization,
      said: [],
    };
    peer.on('message', (data) => visit.said.push(String(data)));
    visits.push(visit);
  });
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    visits,
    visit: (index: number) => eventually(() => visits[index], Boolean) as Promise<Visit>,
    async close() {
      for (const peer of server.clients) peer.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}

function listenTo(t: TestContext, url: () => string) {
  const state = { token: 'first' as string | Error, linked: true, hints: 0 };
  const require = async () => {
    if (!state.linked) throw conflict('not linked');
    return {
      url: url(),
      by: 'signed_in' as const,
      account: null,
      linked_at: null,
      ended: null,
    };
  };
  const listening = createListening({
    links: {
      require,
      accessToken: async () => {
        if (state.token instanceof Error) throw state.token;
        return state.token;
      },
    },
    hint: () => {
      state.hints += 1;
    },
    openSocket: cloudSocketOpener('admitted'),
    clock: systemClock,
    log: silentLog,
    timing: QUICK,
  });
  t.after(() => listening.disconnect());
  return {
    state,
    listening,
    stateIs: (wanted: string) =>
      eventually(
        () => listening.status().state,
        (is) => is === wanted,
      ),
  };
}

const say = ({ peer }: Visit, message: object) => peer.send(JSON.stringify(message));

test('each event is a hint, and a lost connection goes on from the last cursor', async (t) => {
  const cloud = await startSocketServer();
  t.after(cloud.close);
  const { state, listening, stateIs } = listenTo(t, () => cloud.url);
  const connecting = listening.connect('low-water');
  const first = await cloud.visit(0);
  assert.deepEqual(Object.fromEntries(first.query), {
    client: 'desktop',
    project_id: 'low-water',
    cursor: '',
  });
  assert.equal(first.token, 'Bearer first');
  say(first, { type: 'ready', cursor: 'c-1' });
  assert.equal((await connecting).state, 'connected');
  assert.equal(state.hints, 1, 'what came before is found by a sync alone');
  say(first, { type: 'presence_update' });
  say(first, { type: 'entity_updated', cursor: 'c-2' });
  await eventually(
    () => state.hints,
    (hints) => hints === 2,
  );
  first.peer.terminate();

  const second = await cloud.visit(1);
  assert.equal(second.query.get('cursor'), 'c-2');
  say(second, { type: 'ready', cursor: 'c-2' });
  say(second, { type: 'entity_updated', cursor: 'c-3' });
  await eventually(
    () => state.hints,
    (hints) => hints === 3,
  );
  say(second, { type: 'catch_up', cursor: 'c-9' });
  second.peer.send('not JSON');
  second.peer.send('null');
  await eventually(
    () => state.hints,
    (hints) => hints === 4,
  );
  await stateIs('connected');
  assert.equal(listening.status().events, 3);
});

test('a fresh token is sent before the old one ends', async (t) => {
  const cloud = await startSocketServer();
  t.after(cloud.close);
  const { state, listening } = listenTo(t, () => cloud.url);
  void listening.connect('default');
  const visit = await cloud.visit(0);
  say(visit, { type: 'ready', cursor: 'c' });
  state.token = 'second';
  await eventually(
    () => visit.said.length,
    (count) => count > 0,
  );
  assert.deepEqual(visit.said, [JSON.stringify({ type: 'auth', token: 'second' })]);
});

test('a cloud that is away, and a session that is over, are said, and tried again', async (t) => {
  let cloud = await startSocketServer();
  const { url, port } = cloud;
  t.after(() => cloud.close());
  await cloud.close();
  const { state, listening, stateIs } = listenTo(t, () => url);
  const status = await listening.connect('default');
  assert.match(status.error ?? '', /cannot be reached/);
  await stateIs('waiting');
  cloud = await startSocketServer(port);
  say(await cloud.visit(0), { type: 'ready', cursor: 'c' });
  await stateIs('connected');
  state.token = new Error('sign in again');
  cloud.visits[0]?.peer.close(4401, 'the session has ended');
  await eventually(
    () => listening.status().error,
    (error) => error === 'sign in again',
  );
});

test('it ends when it is told to, and goes on with another project', async (t) => {
  const cloud = await startSocketServer();
  t.after(cloud.close);
  const { state, listening } = listenTo(t, () => cloud.url);
  void listening.connect('one');
  say(await cloud.visit(0), { type: 'ready', cursor: 'c' });
  listening.follow('one');
  listening.follow('two');
  const second = await cloud.visit(1);
  assert.deepEqual([second.query.get('project_id'), second.query.get('cursor')], ['two', '']);
  await listening.disconnect();
  assert.equal(listening.status().state, 'off');
  listening.follow('three');
  await eventually(
    () => second.peer.readyState,
    (readyState) => readyState >= 2,
  );
  assert.equal(cloud.visits.length, 2);
  state.linked = false;
  await assert.rejects(listening.connect('one'), { status: 409 });
});

test('of two who connect at once there is one connection, which ends with the first word', async (t) => {
  const cloud = await startSocketServer();
  t.after(cloud.close);
  const { listening, stateIs } = listenTo(t, () => cloud.url);
  const both = [listening.connect('one'), listening.connect('one')];
  say(await cloud.visit(0), { type: 'ready', cursor: 'c' });
  await Promise.all(both);
  await stateIs('connected');
  await listening.disconnect();
  const again = listening.connect('two');
  say(await cloud.visit(1), { type: 'ready', cursor: 'c' });
  await again;
  assert.deepEqual(
    cloud.visits.map(({ query }) => query.get('project_id')),
    ['one', 'two'],
  );
});

test('a core sees the install online and tells it of a change', async (t) => {
  const core = await startCore();
  t.after(() => core.close());
  const url = await core.app.listen({ host: '127.0.0.1', port: 0 });
  const { state, listening } = listenTo(t, () => url);
  state.token = core.adminToken;
  assert.equal((await listening.connect('default')).state, 'connected');
  const presence = () => core.call<{ online: boolean }>('GET', '/api/desktop/sync/presence');
  await eventually(presence, ({ body }) => body.online);
  const before = state.hints;
  await core.call('POST', '/api/entity/character', { body: { entity_id: 'ada', name: 'Ada' } });
  await eventually(
    () => state.hints,
    (hints) => hints > before,
  );
  await listening.disconnect();
  await eventually(presence, ({ body }) => !body.online);
});
