import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { BriefItem } from './brief.service.ts';

interface Reply {
  total: number;
  groups: unknown[];
  items: BriefItem[];
  detail: string;
}

forEachDatabase((_name, open) => {
  describe('search for reading', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      await create('character', 'far', { name: 'Old Mira', markdown_body: 'x' });
      await create('character', 'vale', {
        name: 'Mira Vale',
        status: 'active',
        markdown_body: `${'She waits by the harbour. '.repeat(40)}`,
      });
      await create('location', 'mira', { name: 'Míra', markdown_body: 'A place.' });
      await create('character', 'tomas', {
        name: 'Tomás',
        fields: { aliases: ['The Clock', 'Mira’s shadow'] },
        markdown_body: 'Nobody.',
      });
      for (let index = 0; index < 12; index += 1)
        await create('character', `talker_${index}`, {
          name: `Talker ${index}`,
          markdown_body: `mira mira <b>mira</b> ${'and then '.repeat(50)}`,
        });
    });
    after(() => core.close());

    async function create(type: string, entity_id: string, body: object): Promise<void> {
      const reply = await core.call('POST', `/api/entity/${type}`, { body: { entity_id, ...body } });
      assert.equal(reply.status, 201, reply.text);
    }

    async function find(q: string, more = ''): Promise<Reply> {
      const address = `/api/search?view=brief&q=${encodeURIComponent(q)}${more}`;
      const reply = await core.call<Reply>('GET', address);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    }
    const marked = ({ snippet, ranges }: BriefItem) =>
      ranges.map(([start, end]) => snippet.slice(start, end));

    test('the very name comes first, then its beginnings, other names and aliases, then texts', async () => {
      const { total, items, groups } = await find('mira');
      assert.deepEqual(
        items.slice(0, 4).map(({ id, field }) => `${id} ${field}`),
        ['mira name', 'vale name', 'tomas aliases', 'far name'],
      );
      assert.deepEqual([total, items.length, groups], [16, 16, []]);
      assert.deepEqual(items[1], {
        type: 'character',
        id: 'vale',
        name: 'Mira Vale',
        status: 'active',
        field: 'name',
        snippet: 'Mira Vale',
        ranges: [[0, 4]],
      });
      assert.deepEqual(items[2] && [items[2].snippet, marked(items[2])], ['Mira’s shadow', ['Mira']]);
    });

    test('a text is shown where it matches, as it is', async () => {
      const [item] = (await find('mira talker')).items;
      assert.equal(item?.field, 'markdown_body');
      const text = (await find('mira')).items.find(({ id }) => id === 'talker_3');
      assert.match(text?.snippet ?? '', /^mira mira <b>mira<\/b> and then .*…$/);
      assert.ok((text?.snippet.length ?? 0) <= 200);
      assert.deepEqual(text && marked(text), ['mira', 'mira', 'mira']);
    });

    test('is limited, and can be of some types', async () => {
      const few = await find('mira', '&limit=5');
      assert.deepEqual([few.total, few.items.length, few.items[4]?.field], [16, 5, 'markdown_body']);
      const places = await find('mira', '&types=location');
      assert.deepEqual(
        places.items.map(({ id }) => id),
        ['mira'],
      );
      const both = await find('mira', '&types=location,character&limit=3');
      assert.deepEqual(
        both.items.map(({ id }) => id),
        ['mira', 'vale', 'tomas'],
      );
    });

    test('finds nothing by nothing, and has its limits', async () => {
      assert.deepEqual((await find('…')).items, []);
      assert.deepEqual((await find('nowhere')).items, []);
      const semantic = await core.call('GET', '/api/search?view=brief&q=mira&mode=semantic');
      assert.equal(semantic.status, 422);
      assert.equal((await core.call('GET', '/api/search?view=brief&q=mira&types=nothing')).status, 404);
    });
  });
});
