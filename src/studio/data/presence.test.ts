import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attendant } from '../domain/attendance.ts';
import type { ServerEvent } from '../domain/server-events.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createPresence } from './presence.ts';

const person = (user_id: string, more: Partial<Attendant> = {}): Attendant => ({
  user_id,
  user_name: user_id,
  status: 'editing',
  entity_type: 'character',
  entity_id: 'mira',
  field: 'name',
  project_id: 'p',
  client: 'web',
  last_seen: new Date(1_000).toISOString(),
  ...more,
});

function setUp() {
  const clock = createFakeClock();
  const service: { people: Attendant[] | null; onRead(): void } = { people: [], onRead: () => undefined };
  let reads = 0;
  let tell: (event: ServerEvent) => void = () => undefined;
  const presence = createPresence({
    timers: clock,
    project: 'p',
    account: 'ada',
    async read() {
      reads += 1;
      service.onRead();
      if (service.people === null) throw new TypeError('fetch failed');
      return service.people;
    },
    listen(listener) {
      tell = listener;
      return () => {
        tell = () => undefined;
      };
    },
  });
  const update = (user_id: string, status: 'editing' | 'online' | 'offline', entity_id: string | null) =>
    tell({
      type: 'presence_update',
      user_id,
      user_name: user_id,
      status,
      entity_type: entity_id && 'character',
      entity_id,
      timestamp: new Date(clock.now()).toISOString(),
    });
  const at = (id: string, field?: string) =>
    presence.at('character', id, field).map(({ user_id }) => user_id);
  return { clock, service, presence, update, at, reads: () => reads };
}

test('others are shown by entity and field, each once; oneself and other projects are not', async () => {
  const { service, presence, at } = setUp();
  service.people = [
    person('bo', { field: 'markdown_body#who-she-is' }),
    person('bo', { field: 'name' }),
    person('cy'),
    person('ada'),
    person('dee', { project_id: 'other' }),
  ];
  await presence.start();
  assert.deepEqual([at('mira'), at('oda')], [['bo', 'cy'], []]);
  assert.deepEqual(
    [at('mira', 'markdown_body'), at('mira', 'name'), at('mira', 'nam')],
    [['bo'], ['bo', 'cy'], []],
  );
});

test('events show at once who came and went; the field is read soon, once for many', async () => {
  const { clock, service, presence, update, at, reads } = setUp();
  await presence.start();
  update('bo', 'editing', 'mira');
  update('cy', 'online', null);
  update('bo', 'editing', 'mira');
  assert.deepEqual([at('mira'), at('mira', 'age'), reads()], [['bo'], [], 1]);
  service.people = [person('bo', { field: 'age' })];
  await clock.advance(500);
  assert.deepEqual([at('mira', 'age'), reads()], [['bo'], 2]);
  update('bo', 'offline', null);
  assert.deepEqual(at('mira'), []);
  update('ada', 'editing', 'mira');
  assert.deepEqual(presence.getSnapshot(), []);
});

test('who came before the connection was open, or while the list was read, is shown soon', async () => {
  const { clock, service, presence, update, at } = setUp();
  await presence.start();
  service.people = [person('bo')];
  presence.refresh();
  await clock.advance(0);
  assert.deepEqual(at('mira'), ['bo']);

  presence.refresh();
  service.onRead = () => update('cy', 'online', 'mira');
  await clock.advance(0);
  service.onRead = () => undefined;
  service.people = [person('bo'), person('cy', { status: 'online' })];
  await clock.advance(500);
  assert.deepEqual(at('mira'), ['bo', 'cy']);
});

test('without the service nobody stays longer than 45 s, and afterwards the list is read again', async () => {
  const { clock, service, presence, at } = setUp();
  service.people = [person('bo')];
  await presence.start();
  service.people = null;
  let told = 0;
  presence.subscribe(() => told++);
  await clock.advance(45_000);
  assert.deepEqual([at('mira'), told], [[], 1]);
  service.people = [person('bo')];
  await clock.advance(45_000);
  assert.deepEqual(at('mira'), ['bo']);
  presence.stop();
  assert.deepEqual(at('mira'), []);
  await clock.advance(100_000);
});
