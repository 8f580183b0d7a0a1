import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { forgetEvents } from '../../world/records/events.store.ts';
import type { EventsReply } from './events.contract.ts';

const CHARACTERS = '/api/entity/character';

forEachDatabase((_name, open) => {
  let core: TestCore;
  before(async () => {
    core = await startCore({ open });
    await core.mirror.whenSettled(await core.projects.open('local', 'default'));
  });
  after(() => core.close());

  const eventsAfter = async (cursor?: string, more = ''): Promise<EventsReply> => {
    const query = cursor === undefined ? '' : `?cursor=${cursor}${more}`;
    const reply = await core.call<EventsReply>('GET', `/api/events${query}`);
    assert.equal(reply.status, 200, reply.text);
    return reply.body;
  };
  const now = async (): Promise<string> => (await eventsAfter()).cursor;
  const create = async (entity_id: string, name = entity_id): Promise<void> => {
    const reply = await core.call('POST', CHARACTERS, { body: { entity_id, name } });
    assert.equal(reply.status, 201, reply.text);
  };
  const told = ({ events }: EventsReply): string[] =>
    events.map((event) =>
      event.type === 'entity_updated' ? `${event.action} ${event.entity_id}` : event.type,
    );

  test('every change of an entity is told once, in order, with who made it', async () => {
    const start = await now();
    await create('mira');
    const { body } = await core.call<{ version: number; checksum: string }>('PUT', `${CHARACTERS}/mira`, {
      body: { name: 'Mira Voss' },
    });
    assert.equal(body.version, 2);
    await core.call('POST', `${CHARACTERS}/mira/revisions/1/restore`);
    await core.call('DELETE', `${CHARACTERS}/mira`);
    const bin = await core.call<{ items: { item_id: string }[] }>('GET', '/api/recycle-bin');
    await core.call('POST', `/api/recycle-bin/${bin.body.items[0]?.item_id}/restore`);
    const page = await eventsAfter(start);
    assert.deepEqual(told(page), [
      'create mira',
      'update mira',
      'restore mira',
      'delete mira',
      'restore mira',
    ]);
    const me = await core.call<{ user_id: string }>('GET', '/api/auth/me');
    const { cursor: _cursor, timestamp, ...second } = page.events[1] ?? assert.fail();
    assert.deepEqual(second, {
      type: 'entity_updated',
      entity_type: 'character',
      entity_id: 'mira',
      action: 'update',
      updated_fields: ['name'],
      updated_by: me.body.user_id,
      version: 2,
      checksum: body.checksum,
    });
    assert.ok(Math.abs(Date.parse(timestamp) - Date.now()) < 60_000);
    assert.deepEqual(await eventsAfter(page.cursor), {
      events: [],
      cursor: page.cursor,
      has_more: false,
      reset: false,
    });
  });

  test('pages and single events go on where the last one ended', async () => {
    const start = await now();
    for (const id of ['one', 'two', 'three']) await create(`page_${id}`);
    const first = await eventsAfter(start, '&limit=2');
    assert.deepEqual([told(first), first.has_more], [['create page_one', 'create page_two'], true]);
    assert.deepEqual(told(await eventsAfter(first.cursor, '&limit=2')), ['create page_three']);
    assert.deepEqual(told(await eventsAfter(first.events[0]?.cursor ?? '')), [
      'create page_two',
      'create page_three',
    ]);
  });

  test('writers at the same time leave no gap and no repeat for who reads along', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `many_${index}`);
    let cursor = await now();
    const seen: string[] = [];
    const read = async () => {
      const page = await eventsAfter(cursor);
      cursor = page.cursor;
      seen.push(...told(page));
    };
    let writing = true;
    const reading = (async () => {
      while (writing) {
        await read();
        // SQLite reads never wait, so the writers would not get a turn.
        await turn();
      }
    })();
    await Promise.all(ids.map((id) => create(id))).finally(() => {
      writing = false;
    });
    await reading;
    await read();
    assert.deepEqual(seen.sort(), ids.map((id) => `create ${id}`).sort());
  });

  test('a sync tells of few files one by one and of many by one reset', async () => {
    const write = async (id: string): Promise<void> => {
      const folder = join(core.contentDir, 'Characters', id);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, `CHAR_${id}.md`), `---\nid: ${id}\nname: ${id}\n---\n\nText.\n`);
    };
    const sync = async (): Promise<void> => {
      const reply = await core.call('POST', '/api/entity/sync/all');
      assert.equal(reply.status, 200, reply.text);
    };
    const start = await now();
    await write('by_hand');
    await sync();
    const few = await eventsAfter(start);
    assert.deepEqual(told(few), ['create by_hand', 'sync_completed']);
    for (let index = 0; index < 60; index += 1) await write(`mass_${index}`);
    await sync();
    const many = await eventsAfter(few.cursor);
    assert.deepEqual([many.events, many.reset], [[], true]);
    assert.deepEqual(await eventsAfter(many.cursor), {
      events: [],
      cursor: many.cursor,
      has_more: false,
      reset: false,
    });
  });

  test('a cursor from before what is kept says so, as does one of another log', async () => {
    const start = await now();
    await create('old_one');
    const later = await now();
    await create('old_two');
    const project = await core.projects.open('local', 'default');
    await forgetEvents(project, new Date(0).toISOString(), 1);
    assert.equal((await eventsAfter(start)).reset, true);
    assert.deepEqual(told(await eventsAfter(later)), ['create old_two']);
    assert.equal((await eventsAfter('abc-1')).reset, true);
    assert.equal((await eventsAfter(`${start.split('-')[0]}-zzzzzz`)).reset, true);
  });

  test('what is no cursor is refused, and a project’s log is its own', async () => {
    const reply = await core.call('GET', '/api/events?cursor=yesterday');
    assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_cursor']);
    assert.equal((await core.call('GET', '/api/events?project_id=nobodys')).status, 404);
    await core.call('POST', `${CHARACTERS}?project_id=other`, { body: { entity_id: 'far', name: 'Far' } });
    const start = await now();
    const other = await core.call<EventsReply>('GET', `/api/events?project_id=other&cursor=${start}`);
    assert.ok(other.body.reset || other.body.events.length === 0);
    assert.equal((await core.call('GET', '/api/events', { token: null })).status, 401);
  });
});
