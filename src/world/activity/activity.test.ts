import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import type { listActivity } from './activity.contract.ts';

type ActivityReply = ReplyOf<typeof listActivity>;

forEachDatabase((_name, open) => {
  describe('what changed last', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    async function call(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<void> {
      const reply = await core.call(method, path, body && { body });
      assert.ok(reply.status < 300, reply.text);
    }
    const create = (type: string, entity_id: string) =>
      call('POST', `/api/entity/${type}`, { entity_id, name: `The ${entity_id}` });

    async function read(query = ''): Promise<ActivityReply> {
      const reply = await core.call<ActivityReply>('GET', `/api/activity${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    }
    const shown = ({ items }: ActivityReply) =>
      items.map(({ what, entity_type, entity_id }) => `${what} ${entity_type}/${entity_id}`);

    test('is listed over all types, newest first, with who did it', async () => {
      await create('character', 'mira');
      await create('location', 'quay');
      await create('character', 'tobin');
      await call('PUT', '/api/entity/character/mira', { name: 'Mira Vale' });
      await call('DELETE', '/api/entity/location/quay');
      const { items, next_cursor } = await read();
      assert.deepEqual(shown({ items, next_cursor }), [
        'deleted location/quay',
        'changed character/mira',
        'created character/tobin',
      ]);
      assert.equal(next_cursor, null);
      assert.deepEqual(
        items.map(({ name, version }) => [name, version]),
        [
          ['The quay', 1],
          ['Mira Vale', 2],
          ['The tobin', 1],
        ],
      );
      assert.equal(new Set(items.map(({ by }) => by)).size, 1);
      assert.equal(typeof items[0]?.by, 'string');
    });

    test('a change of a file is nobody’s', async () => {
      const file = join(core.contentDir, 'Characters/tobin/CH_tobin.md');
      writeFileSync(file, '---\nid: tobin\nname: Tobin Sark\n---\n');
      await call('POST', '/api/entity/sync/character');
      const [first] = (await read('?limit=1')).items;
      assert.deepEqual([first?.what, first?.name, first?.by], ['changed', 'Tobin Sark', null]);
    });

    test('pages follow one another without a gap or a repetition', async () => {
      for (const id of ['one', 'two', 'three', 'four']) await create('item', id);
      const whole = shown(await read());
      const parts: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: ActivityReply = await read(
          `?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        assert.ok(page.items.length <= 2);
        parts.push(...shown(page));
        cursor = page.next_cursor;
      }
      assert.deepEqual(parts, whole);
      assert.equal(new Set(whole).size, 7);
    });

    test('another text than a cursor is refused', async () => {
      const reply = await core.call<{ code: string }>('GET', '/api/activity?cursor=yesterday');
      assert.deepEqual([reply.status, reply.body.code], [422, 'invalid_cursor']);
    });
  });
});
