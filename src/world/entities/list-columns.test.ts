import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { ReplyOf } from '../../kit/contract.ts';
import type { listEntities } from './entities.contract.ts';

type Page = ReplyOf<typeof listEntities>;

const CREW = 230;

forEachDatabase((_name, open) => {
  describe('columns of a list', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      const created = [
        {
          entity_id: 'mira',
          name: 'Mira Vale',
          status: 'active',
          fields: { occupation: 'Tide reader', birth_year: 1187, 'na"me': 1, arc: { beginning: 'Alone' } },
          markdown_body: 'Born by the harbour.',
        },
        {
          entity_id: 'tomas',
          name: 'Tomás',
          fields: { occupation: 'Master', birth_year: 1160 },
        },
      ];
      for (const body of created) {
        const reply = await core.call('POST', '/api/entity/character', { body });
        assert.equal(reply.status, 201, reply.text);
      }
      for (let index = 0; index < CREW; index += 1)
        await core.call('POST', '/api/entity/item', {
          body: { entity_id: `i${index}`, name: `Item ${index}` },
        });
    });
    after(() => core.close());

    async function rows(query: string, type = 'character') {
      const reply = await core.call<Page>('GET', `/api/entity/${type}?${query}`);
      assert.equal(reply.status, 200, reply.text);
      assert.deepEqual(reply.body.entities, []);
      return { total: reply.body.total, rows: reply.body.rows ?? [] };
    }

    test('are all that a row has, besides its id, version and time', async () => {
      const columns = 'name,status,birth_year,%20arc.beginning,is_valid';
      const found = await rows(`columns=${columns}&sort_by=name&sort_order=asc`);
      assert.equal(found.total, 2);
      const { body } = await core.call('GET', '/api/entity/character/mira');
      assert.deepEqual(found.rows[0], {
        entity_id: 'mira',
        version: 1,
        updated_at: body.updated_at,
        values: {
          name: 'Mira Vale',
          status: 'active',
          birth_year: 1187,
          'arc.beginning': 'Alone',
          is_valid: true,
        },
      });
      assert.equal(found.rows[1]?.values['arc.beginning'], '', 'the default of the template');
    });

    test('come with filters, search, status, order and pages', async () => {
      const ids = async (query: string) =>
        (await rows(`columns=occupation&${query}`)).rows.map(({ entity_id, values }) => [
          entity_id,
          values.occupation,
        ]);
      assert.deepEqual(await ids('filter[birth_year]=1160'), [['tomas', 'Master']]);
      assert.deepEqual(await ids('search=harbour'), [['mira', 'Tide reader']]);
      assert.deepEqual(await ids('status=active'), [['mira', 'Tide reader']]);
      assert.deepEqual(await ids('sort_by=entity_id&limit=1&offset=1'), [['mira', 'Tide reader']]);
      assert.deepEqual(await ids('sort_by=name&filter[occupation]=nobody'), []);
    });

    test('allow pages of up to 1,000, which whole entities do not', async () => {
      const all = await rows('columns=name&limit=1000&sort_by=entity_id', 'item');
      assert.deepEqual([all.total, new Set(all.rows.map(({ entity_id }) => entity_id)).size], [CREW, CREW]);
      const late = await rows(
        `columns=name&limit=1000&offset=${CREW - 2}&sort_by=entity_id&sort_order=asc`,
        'item',
      );
      assert.deepEqual(
        late.rows.map(({ entity_id }) => entity_id),
        ['i98', 'i99'],
      );
      for (const query of ['limit=201', 'columns=name&limit=1001']) {
        const { status, body } = await core.call<{ code: string; errors: { field: string }[] }>(
          'GET',
          `/api/entity/item?${query}`,
        );
        assert.deepEqual(
          [status, body.code, body.errors[0]?.field],
          [422, 'invalid_request', 'limit'],
          query,
        );
      }
    });

    test('that nobody knows are refused, as are too many', async () => {
      const refused = async (columns: string, detail: RegExp) => {
        const { status, body } = await core.call('GET', `/api/entity/character?columns=${columns}`);
        assert.deepEqual([status, body.code], [422, 'invalid_columns'], columns);
        assert.match(String(body.detail), detail);
      };
      await refused('name,speces', /'speces'.*did you mean 'species'\?/);
      await refused('name,,status', /field,field/);
      await refused('arc..x', /field,field/);
      const many = Array.from({ length: 51 }, (_, index) => `f${index}`);
      await refused(many.join(), /50 fields, not 51/);
      const odd = await rows(`columns=${encodeURIComponent('na"me')}&sort_by=entity_id&sort_order=asc`);
      assert.deepEqual(
        odd.rows.map(({ values }) => values['na"me']),
        [1, null],
      );
    });
  });
});
