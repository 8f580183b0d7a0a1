import assert from 'node:assert/strict';
import { connect as netConnect } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { openTestSocket, socketAddress, type TestSocket } from '../../../test/support/sockets.ts';

const CHARACTERS = '/api/entity/character';

forEachDatabase((_name, open) => {
  let core: TestCore;
  let address: string;
  before(async () => {
    core = await startCore({ open });
    await core.mirror.whenSettled(await core.projects.open('local', 'default'));
    address = await socketAddress(core.app);
  });
  after(() => core.close());

  const connect = (query: Record<string, string> = {}): Promise<TestSocket> =>
    openTestSocket(address, { token: core.adminToken, ...query });
  const create = async (entity_id: string, project = 'default'): Promise<void> => {
    const reply = await core.call('POST', `${CHARACTERS}?project_id=${project}`, {
      body: { entity_id, name: entity_id },
    });
    assert.equal(reply.status, 201, reply.text);
  };

  test('a change is told to everybody who listens, with the state that it led to and without a cursor', async () => {
    const [one, two] = [await connect(), await connect()];
    const ready = await one.next('ready');
    await two.next('ready');
    await create('told');
    const event = await one.next('entity_updated');
    assert.deepEqual(await two.next('entity_updated'), event);
    const { timestamp, ...rest } = event;
    const { body } = await core.call<{ version: number; checksum: string }>(
      'GET',
      '/api/entity/character/told',
    );
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))));
    assert.deepEqual(rest, {
      type: 'entity_updated',
      entity_type: 'character',
      entity_id: 'told',
      action: 'create',
      updated_fields: [],
      updated_by: ready.user_id,
      version: body.version,
      checksum: body.checksum,
    });
    one.peer.close();
    two.peer.close();
  });

  test('who they are is said by the first message, or by a ticket that is good once', async () => {
    const socket = await openTestSocket(address, {});
    socket.say({ type: 'auth', token: core.adminToken });
    await socket.next('ready');
    socket.say({ type: 'ping' });
    await socket.next('pong');
    socket.peer.close();
    const made = await core.call<{ ticket: string }>('POST', '/api/ws/ticket');
    assert.equal(made.status, 201, made.text);
    const { ticket } = made.body;
    const entered = await openTestSocket(address, { ticket });
    await entered.next('ready');
    entered.peer.close();
    assert.equal((await (await openTestSocket(address, { ticket })).closed).code, 4401);
  });

  test('nobody is let in with a wrong token, another first message, or to a project that is not there', async () => {
    const codeOf = async (query: Record<string, string>) =>
      (await (await openTestSocket(address, query)).closed).code;
    assert.equal(await codeOf({ token: 'nonsense' }), 4401);
    assert.equal(await codeOf({ token: core.adminToken, project_id: 'nowhere' }), 4404);
    const mute = await openTestSocket(address, {});
    mute.say({ type: 'subscribe' });
    assert.equal((await mute.closed).code, 4401);
    const long = await connect();
    await long.next('ready');
    long.peer.send('x'.repeat(17_000));
    assert.equal((await long.closed).code, 1009);
    assert.equal((await core.call('GET', '/api/ws')).status, 426);
  });

  test('a target that is no address is refused, and everybody else stays', async () => {
    const { host } = new URL(address);
    for (const target of ['//', '//[', 'http://', '/nowhere']) {
      const peer = netConnect(Number(host.split(':').at(-1)), '127.0.0.1');
      peer.end(
        `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      );
      assert.match(await text(peer), /^HTTP\/1\.1 404 /, target);
    }
    await (await connect()).next('ready');
  });

  test('a message that means nothing is answered, and the connection stays', async () => {
    const socket = await connect();
    await socket.next('ready');
    socket.peer.send('not json');
    assert.match(String((await socket.next('error')).detail), /auth, ping, subscribe, presence/);
    socket.say({ type: 'subscribe', types: 'all' });
    assert.match(String((await socket.next('error')).detail), /types/);
    socket.say({ type: 'ping' });
    await socket.next('pong');
    socket.peer.close();
  });

  test('a subscription lets through what it names', async () => {
    const socket = await connect();
    await socket.next('ready');
    socket.say({
      type: 'subscribe',
      types: ['entity_updated'],
      entities: [{ entity_type: 'character', entity_id: 'wanted' }],
    });
    await socket.next('subscribed');
    await create('unwanted');
    await create('wanted');
    assert.equal((await socket.next('entity_updated')).entity_id, 'wanted');
    socket.peer.close();
  });

  test('who comes back with a cursor hears what happened since, and goes on, without gap or repeat', async () => {
    const first = await connect({ cursor: '' });
    const { cursor } = await first.next('ready');
    first.peer.close();
    const ids = Array.from({ length: 20 }, (_, index) => `away_${index}`);
    for (const id of ids.slice(0, 10)) await create(id);
    const rest = Promise.all(ids.slice(10).map((id) => create(id)));
    const second = await connect({ cursor: String(cursor) });
    await rest;
    const seen: unknown[] = [];
    let last: unknown;
    for (const _ of ids) {
      const event = await second.next('entity_updated');
      seen.push(event.entity_id);
      last = event.cursor;
    }
    assert.deepEqual(seen.toSorted(), ids.toSorted());
    const page = await core.call<{ events: unknown[] }>('GET', `/api/events?cursor=${last}`);
    assert.deepEqual(page.body.events, []);
    second.peer.close();
  });

  test('a cursor that is too old is told to catch up', async () => {
    const socket = await connect({ cursor: 'abc-1' });
    assert.equal((await socket.next('catch_up')).cursor, 'abc-1');
    await create('after_all');
    assert.equal((await socket.next('entity_updated')).entity_id, 'after_all');
    socket.peer.close();
  });

  test('one project’s events stay in it', async () => {
    await create('first_there', 'elsewhere');
    const [here, there] = [await connect(), await connect({ project_id: 'elsewhere' })];
    await here.next('ready');
    await there.next('ready');
    await create('over_there', 'elsewhere');
    assert.equal((await there.next('entity_updated')).entity_id, 'over_there');
    await create('over_here');
    assert.equal((await here.next('entity_updated')).entity_id, 'over_here');
    here.peer.close();
    there.peer.close();
  });

  test('who signs out, and whose key is revoked, is shown out', async () => {
    const viewer = await core.registerViewer();
    const signedIn = await openTestSocket(address, { token: viewer });
    await signedIn.next('ready');
    const { body: key } = await core.call<{ key: string; key_id: string }>('POST', '/api/api-keys', {
      body: { name: 'listener' },
    });
    const program = await openTestSocket(address, { token: key.key });
    await program.next('ready');
    const out = await core.call('POST', '/api/auth/logout', { token: viewer });
    assert.equal(out.status, 200, out.text);
    assert.equal((await core.call('DELETE', `/api/api-keys/${key.key_id}`)).status, 200);
    assert.equal((await signedIn.closed).code, 4401);
    assert.equal((await program.closed).code, 4401);
  });

  test('at the end of the service connections are told to come again', async () => {
    const socket = await connect();
    await socket.next('ready');
    await core.app.close();
    assert.equal((await socket.closed).code, 1001);
  });
});
