import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newsOf, readSocketMessage, type ServerEvent } from '../domain/server-events.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createEvents, type EventPage, type Socket } from './events.ts';

const updated = (id: string, cursor: string, more: object = {}): ServerEvent => ({
  type: 'entity_updated',
  entity_type: 'character',
  entity_id: id,
  action: 'update',
  updated_fields: ['age'],
  updated_by: null,
  timestamp: '',
  cursor,
  ...more,
});

class FakeSocket implements Socket {
  readonly path: string;
  readonly sent: unknown[] = [];
  isClosed = false;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  constructor(path: string) {
    this.path = path;
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.isClosed = true;
  }
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  breaks(): void {
    this.onclose?.({ code: 1006 });
  }
}

function setUp() {
  const clock = createFakeClock();
  const sockets: FakeSocket[] = [];
  const pages: EventPage[] = [];
  const heard: string[] = [];
  let tickets = 0;
  const service = { isAway: false };
  const events = createEvents({
    project: 'p',
    timers: clock,
    random: () => 1,
    async makeTicket() {
      if (service.isAway) throw new TypeError('fetch failed');
      return { ticket: `t${++tickets}` };
    },
    openSocket(path) {
      const socket = new FakeSocket(path);
      sockets.push(socket);
      return socket;
    },
    async readEvents() {
      const page = pages.shift();
      if (!page) throw new TypeError('fetch failed');
      return page;
    },
  });
  events.listen((event) => heard.push(event.type === 'entity_updated' ? event.entity_id : event.type));
  const last = (): FakeSocket => {
    const socket = sockets.at(-1);
    assert.ok(socket);
    return socket;
  };
  const open = async (cursor = 'c0') => {
    await clock.settle();
    last().says({ type: 'ready', user_id: 'ada', project_id: 'p', cursor });
    return last();
  };
  return { clock, sockets, pages, heard, service, events, last, open };
}

test('a socket is opened by a ticket, and after a break another one goes on from the last event', async () => {
  const { clock, events, heard, open, last, sockets } = setUp();
  events.start();
  const first = await open();
  assert.equal(first.path, '/api/ws?ticket=t1&project_id=p&cursor=');
  assert.ok(events.getSnapshot().isOpen);
  first.says(updated('a', 'c1'));
  first.breaks();
  first.says(updated('late', 'c9'));
  assert.deepEqual(events.getSnapshot(), { isOpen: false, awaySince: clock.now() });
  await clock.advance(1_000);
  assert.equal(last().path, '/api/ws?ticket=t2&project_id=p&cursor=c1');
  assert.deepEqual([heard, sockets.length], [['a'], 2]);
});

test('pauses grow to 30 s, and end at once when the network is back', async () => {
  const { clock, events, service, sockets } = setUp();
  service.isAway = true;
  events.start();
  await clock.advance(1_000 + 2_000 + 4_000 + 8_000 + 16_000 + 30_000 + 29_000);
  service.isAway = false;
  assert.equal(sockets.length, 0);
  events.retry();
  await clock.settle();
  assert.equal(sockets.length, 1);
});

test('before the token ends the next socket takes over, and each event is heard once', async () => {
  const { clock, events, heard, open, last } = setUp();
  events.start();
  const first = await open();
  first.says(updated('a', 'c1'));
  for (let minute = 0; minute < 14 * 4; minute += 1) {
    await clock.advance(15_000);
    first.says({ type: 'pong' });
  }
  const second = last();
  assert.notEqual(second, first);
  assert.equal(second.path, '/api/ws?ticket=t2&project_id=p&cursor=c1');
  first.says(updated('b', 'c2'));
  assert.ok(!first.isClosed && events.getSnapshot().isOpen);
  second.says({ type: 'ready', user_id: 'ada', project_id: 'p', cursor: 'c1' });
  second.says(updated('b', 'c2'));
  assert.ok(first.isClosed);
  assert.deepEqual(heard, ['a', 'b']);
});

test('a socket that answers nothing is given up', async () => {
  const { clock, events, open, sockets } = setUp();
  events.start();
  const first = await open();
  await clock.advance(25_000);
  assert.deepEqual(first.sent, [{ type: 'ping' }]);
  await clock.advance(10_000);
  assert.ok(first.isClosed && !events.getSnapshot().isOpen);
  await clock.advance(1_000);
  assert.equal(sockets.length, 2);
});

test('what was too much for the socket is read from the log, and a reset is told', async () => {
  const { clock, events, heard, open, pages, last } = setUp();
  events.start();
  const first = await open();
  pages.push(
    { events: [updated('a', 'c1')], cursor: 'c1', has_more: true, reset: false },
    { events: [], cursor: 'c7', has_more: false, reset: true },
  );
  first.says({ type: 'catch_up', cursor: 'c0' });
  await clock.settle();
  assert.deepEqual(heard, ['a', 'reset']);
  first.breaks();
  await clock.advance(1_000);
  assert.match(last().path, /cursor=c7$/);
});

test('where somebody is is told at most once a second, and to each new socket', async () => {
  const { clock, events, open } = setUp();
  events.say({ status: 'online' });
  events.start();
  const first = await open();
  events.say({ status: 'editing', entity_type: 'c', entity_id: 'a', field: 'age' });
  events.say({ status: 'editing', entity_type: 'c', entity_id: 'a', field: 'name' });
  assert.equal(first.sent.length, 1);
  await clock.advance(1_000);
  const editing = { type: 'presence', status: 'editing', entity_type: 'c', entity_id: 'a', field: 'name' };
  assert.deepEqual(first.sent, [{ type: 'presence', status: 'online' }, editing]);
  first.breaks();
  await clock.advance(1_000);
  assert.deepEqual((await open()).sent, [editing]);
});

test('after the end nothing is opened', async () => {
  const { clock, events, sockets } = setUp();
  events.start();
  events.stop();
  await clock.advance(100_000);
  assert.equal(sockets.length, 0);
});

test('an own echo is no news; a newer or unknown version makes the state old', () => {
  const news = (more: object, known?: number) => newsOf(updated('a', 'c', more), () => known);
  const stale = { kind: 'entity', change: 'stale', type: 'character', id: 'a' };
  assert.deepEqual(news({ version: 4 }, 4), { kind: 'nothing' });
  assert.deepEqual([news({ version: 5 }, 4), news({ version: 4 }), news({}, 4)], [stale, stale, stale]);
  assert.deepEqual(news({ version: 4, updated_fields: ['is_valid'] }, 4), stale);
  assert.deepEqual(news({ action: 'delete' }, 4), { ...stale, change: 'gone' });
  assert.deepEqual(
    newsOf({ type: 'reset' }, () => 1),
    { kind: 'everything' },
  );
});

test('what a page does not understand is passed over', () => {
  for (const text of ['', '[]', 'null', '{"type":"new_thing"}'])
    assert.equal(readSocketMessage(text).kind, 'unknown');
});
