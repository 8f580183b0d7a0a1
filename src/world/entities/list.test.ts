import assert from 'node:assert/strict';
import { globSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Kysely, KyselyPlugin } from 'kysely';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { listPage } from './entities.store.ts';

interface Page {
  total: number;
  entities: { entity_id: string }[];
  detail: string;
}

const PEOPLE = [
  {
    entity_id: 'mira',
    name: 'Mira Vale',
    status: 'active',
    fields: { occupation: 'Tide reader', height_cm: 171, aliases: ['The Clock'] },
    markdown_body: 'Born by the harbour.',
  },
  {
    entity_id: 'tomas',
    name: 'Tomás O’Brien',
    status: 'draft',
    fields: { occupation: 'Harbour master', height_cm: 182 },
    markdown_body: 'He reads the tide for a fee.',
  },
  {
    entity_id: 'hai_yue',
    name: '海月',
    status: 'active',
    fields: { occupation: '読潮師', aliases: ['Ἀλκυόνη'] },
    markdown_body: '潮の満ち引きを読む。',
  },
  {
    entity_id: 'odd',
    name: 'Odd',
    status: 'archived',
    fields: { occupation: 'none', note: 'a "quoted" AND (odd) * text', unique: true },
    markdown_body: 'x',
  },
];

forEachDatabase((_name, open) => {
  describe('lists and search', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      for (const body of PEOPLE) {
        const reply = await core.call('POST', '/api/entity/character', { body });
        assert.equal(reply.status, 201, reply.text);
      }
      await core.call('POST', '/api/entity/location', {
        body: { entity_id: 'harbour', name: 'Harbour', markdown_body: 'The tide reader lives here.' },
      });
    });
    after(() => core.close());

    const list = async (query: string) => {
      const reply = await core.call<Page>('GET', `/api/entity/character?${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const ids = async (query: string) => (await list(query)).entities.map((entity) => entity.entity_id);
    const search = (text: string) => ids(`search=${encodeURIComponent(text)}`);

    test('pages, newest first, with the total', async () => {
      const first = await list('limit=3');
      assert.equal(first.total, 4);
      assert.deepEqual(
        first.entities.map((entity) => entity.entity_id),
        ['odd', 'hai_yue', 'tomas'],
      );
      assert.deepEqual(await ids('limit=3&offset=3'), ['mira']);
      assert.deepEqual(await ids('offset=50'), []);
    });

    test('cuts every page out of the same list, from whichever end it is read', async () => {
      for (const query of ['sort_by=name', 'sort_by=name&sort_order=asc', 'status=active']) {
        const whole = await ids(query);
        for (const limit of [1, 2, 3, 10]) {
          for (let offset = 0; offset <= whole.length + 1; offset += 1) {
            const page = await ids(`${query}&limit=${limit}&offset=${offset}`);
            assert.deepEqual(page, whole.slice(offset, offset + limit), `${query} ${limit} ${offset}`);
          }
        }
      }
    });

    test('a late page is cut out of one list, though an entity comes while it is read', async () => {
      const [project] = core.projects.opened();
      assert.ok(project);
      const body = { entity_id: 'zoe', name: 'Zoe' };
      let created: Promise<unknown> | undefined;
      const afterFirstQuery: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          created ??= core.call('POST', '/api/entity/character', { body });
          await created;
          return result;
        },
      };
      const database: typeof project.database = {
        ...project.database,
        read: <Tables, Result>(work: (db: Kysely<Tables>) => Promise<Result>) =>
          project.database.read<Tables, Result>((db) => work(db.withPlugin(afterFirstQuery))),
      };
      const { rows } = await listPage(
        { ...project, database },
        { entityType: 'character', sortBy: 'entity_id', sortOrder: 'asc', limit: 1, offset: 3, filters: [] },
      );
      assert.deepEqual(
        rows.map((row) => JSON.parse(row).entity_id),
        ['tomas'],
      );
      await core.call('DELETE', '/api/entity/character/zoe');
    });

    test('sorts by listed columns and refuses others', async () => {
      assert.deepEqual(await ids('sort_by=name&sort_order=asc'), ['mira', 'odd', 'tomas', 'hai_yue']);
      assert.deepEqual(await ids('sort_by=entity_id&sort_order=asc'), ['hai_yue', 'mira', 'odd', 'tomas']);
      for (const query of [
        'sort_by=password',
        'sort_order=up',
        'limit=201',
        'limit=0',
        'offset=-1',
        'status=lost',
      ]) {
        assert.equal((await core.call('GET', `/api/entity/character?${query}`)).status, 422, query);
      }
    });

    test('filters by status and by field values', async () => {
      assert.deepEqual(await ids('status=active&sort_by=entity_id&sort_order=asc'), ['hai_yue', 'mira']);
      assert.deepEqual(await ids('filter[height_cm]=182'), ['tomas']);
      assert.deepEqual(await ids('filter[occupation]=Tide%20reader'), ['mira']);
      assert.deepEqual(await ids('filter[occupation]=Tide'), []);
      assert.deepEqual(await ids('filter[aliases]=The%20Clock'), ['mira']);
      assert.deepEqual(await ids('filter[unique]=true'), ['odd']);
      assert.equal((await list('filter[height_cm]=171&status=active')).total, 1);
    });

    test('finds words in name, fields and body, all of them, by their beginnings, best first', async () => {
      assert.deepEqual(await search('tide reader'), ['mira'], 'both words in the field');
      assert.deepEqual(await search('tide'), ['mira', 'tomas'], 'a field counts more than the body');
      assert.deepEqual((await search('harbour')).toSorted(), ['mira', 'tomas']);
      assert.deepEqual(await search('harb mas'), ['tomas']);
      assert.deepEqual(await search('MIRA'), ['mira']);
      assert.deepEqual(await search('zzz'), []);
    });

    test('finds any script, folded', async () => {
      assert.deepEqual(await search('tomas'), ['tomas']);
      assert.deepEqual(await search('海'), ['hai_yue']);
      assert.deepEqual(await search('満ち引き'), ['hai_yue']);
      assert.deepEqual(await search('αλκυονη'), ['hai_yue']);
    });

    test('takes quotes and punctuation literally', async () => {
      for (const text of [
        '"',
        "O'Brien",
        'O’Brien',
        'a AND b',
        'NOT',
        '*',
        '(',
        'name:mira',
        '-mira',
        '^',
        "'; drop table entities; --",
        '\\',
        '%',
        ':*',
        '"unclosed',
      ]) {
        await search(text);
      }
      assert.deepEqual(await search('"quoted" AND'), ['odd']);
      assert.deepEqual(await search('"tide reader"'), ['mira']);
      assert.deepEqual(await search('"reader tide"'), []);
    });

    test('search goes with filters and other orders', async () => {
      assert.deepEqual(await ids('search=tide&status=draft'), ['tomas']);
      assert.deepEqual(await ids('search=tide&sort_by=name&sort_order=desc'), ['tomas', 'mira']);
      assert.equal((await core.call('GET', '/api/entity/character?sort_by=relevance')).status, 422);
    });

    test('the best match comes first under a status and a filter too, last when asked for ascending', async () => {
      const both = { entity_id: 'plover', name: 'Plover', status: 'active', fields: { height_cm: 171 } };
      // The older one has the word in its name, the other only in its text.
      const people = [both, { ...both, entity_id: 'watcher', name: 'Watcher', markdown_body: 'The plover.' }];
      for (const body of people) await core.call('POST', '/api/entity/faction', { body });
      const factions = async (query: string) => {
        const { body } = await core.call<Page>('GET', `/api/entity/faction?search=plover${query}`);
        assert.equal(body.total, 2, query);
        return body.entities.map((entity) => entity.entity_id);
      };
      for (const query of [
        '',
        '&status=active',
        '&filter[height_cm]=171',
        '&status=active&sort_by=relevance',
      ])
        assert.deepEqual(await factions(query), ['plover', 'watcher'], query);
      for (const query of ['', '&status=active'])
        assert.deepEqual(await factions(`${query}&sort_order=asc`), ['watcher', 'plover'], query);
      assert.deepEqual(await factions('&status=active&limit=1&offset=1'), ['watcher']);
    });

    test('a search for nothing lists everything', async () => {
      assert.equal((await list('search=')).total, 4);
      assert.deepEqual(await ids('search=%20&sort_by=entity_id&sort_order=asc&limit=1'), ['hai_yue']);
      assert.equal((await list('search=!!')).total, 0, 'signs are no words');
    });

    test('filters that could not be meant are refused', async () => {
      const many = Array.from({ length: 1200 }, () => 'filter[x]=1').join('&');
      for (const query of [
        'filter=1',
        'filter[]=1',
        'filter[x=1',
        'filter[x][y]=1',
        'filter[a..b]=1',
        many,
      ]) {
        const { status, body } = await core.call<Page & { errors: object[] }>(
          'GET',
          `/api/entity/character?${query}`,
        );
        assert.equal(status, 422, query.slice(0, 40));
        assert.match(body.detail, /filter/);
        assert.equal(body.errors.length, 1);
      }
      assert.equal(
        (await core.call('GET', `/api/entity/character?filter[x]=${'a+'.repeat(3000)}`)).status,
        422,
      );
      for (const field of ['__proto__', 'a"b', "a'b", '$', '*', 'aliases.0', '\\u0041', '-1', 'é']) {
        const inside = encodeURIComponent(`aliases.${field}`);
        assert.equal((await list(`filter[${inside}]=zzz`)).total, 0, field);
        const alone = await core.call<Page>(
          'GET',
          `/api/entity/character?filter[${encodeURIComponent(field)}]=zzz`,
        );
        assert.equal(alone.status, field === 'aliases.0' ? 200 : 422, field);
      }
    });

    test('a type that is named twice is searched once', async () => {
      const { body } = await core.call<{ groups: object[] }>(
        'GET',
        '/api/search?q=mira&types=character,character',
      );
      assert.equal(body.groups.length, 1);
    });

    test('all types are searched at once, grouped', async () => {
      const reply = await core.call<{ total: number; groups: { entity_type: string }[] }>(
        'GET',
        '/api/search?q=tide',
      );
      assert.equal(reply.body.total, 3);
      assert.deepEqual(reply.body.groups.map((group) => group.entity_type).toSorted(), [
        'character',
        'location',
      ]);
      const narrow = await core.call<{ total: number }>('GET', '/api/search?q=tide&types=location');
      assert.equal(narrow.body.total, 1);
    });

    test('entities whose template is gone are not found until it is back', async () => {
      const totals = async () => {
        await core.call('POST', '/api/templates/reload', { body: {} });
        const { body } = await core.call<{ total: number; groups: { total: number }[] }>(
          'GET',
          '/api/search?q=tide&limit=1',
        );
        return [body.total, body.groups.length];
      };
      const [name = ''] = globSync('_Templates/**/LOCATION_TEMPLATE.md', { cwd: core.contentDir });
      const [path, aside] = [join(core.contentDir, name), join(core.contentDir, 'aside.txt')];
      renameSync(path, aside);
      assert.deepEqual(await totals(), [2, 1]);
      renameSync(aside, path);
      assert.deepEqual(await totals(), [3, 1]);
    });

    test('looking at a project does not make it, an editor’s first change does', async () => {
      const page = '/api/entity/character?project_id=brand_new';
      assert.equal((await core.call('GET', page)).status, 404);
      assert.equal((await core.call('GET', page)).status, 404);
      const body = { entity_id: 'first', name: 'First' };
      const [made] = await Promise.all([
        core.call('POST', page, { body }),
        core.call('GET', page),
        core.call('GET', page),
      ]);
      assert.equal(made.status, 201, made.text);
      assert.equal((await core.call<Page>('GET', page)).body.total, 1);
      const late = '/api/entity/character?project_id=looked_at_first';
      const [, after] = await Promise.all([core.call('GET', late), core.call('POST', late, { body })]);
      assert.equal(after.status, 201, after.text);
    });

    test('projects do not see each other', async () => {
      const there = { headers: { 'x-project-id': 'second' } };
      const made = await core.call('POST', '/api/entity/character', { body: PEOPLE[0], ...there });
      assert.equal(made.status, 201, made.text);
      assert.equal((await core.call<Page>('GET', '/api/entity/character?search=tide', there)).body.total, 1);
      assert.equal((await list('search=tide')).total, 2);
      const token = await core.registerViewer();
      const unknown = await core.call('GET', '/api/entity/character?project_id=nowhere', { token });
      assert.equal(unknown.status, 404);
    });
  });
});
