import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

interface Summary {
  entity_type: string;
  entity_id: string;
  name: string;
}

interface Item {
  field: string;
  kind: string;
  from: Summary;
  to_type: string | null;
  to_id: string;
  state: string;
  to: Summary | null;
  candidates: Summary[];
  file: string;
  line: number | null;
}

interface Listed {
  total: number;
  references: Item[];
  entities: Summary[];
  next_cursor: string | null;
}

interface Graph {
  nodes: (Summary & { degree: number })[];
  edges: { from: string; to: string; field: string; kind: string }[];
  truncated: boolean;
  next_cursor: string | null;
}

const named = ({ entity_type, entity_id }: Summary): string => `${entity_type}:${entity_id}`;

const WORLD: Record<string, string> = {
  'Characters/ada/CH_ada.md': `---
id: ada
name: Ada Vale
home: mill # where the wheel is
relationships:
  - bo
  - nobody
---

Ada knows [[bo]], [[item:mill]] and \`[[code]]\`.

Once she met him at the [[Mill]], in the [[mill]].
`,
  'Characters/bo/CH_bo.md': '---\nid: bo\nname: Bo Reed\nparents: [ada]\n---\n\nI am [[bo]].\n',
  'Characters/cy/CH_cy.md': '---\nid: cy\nname: Cy\n---\n\nSee [[lamp]] and [[character:bo|him]].\n',
  'Locations/mill/LOC_mill.md': '---\nid: mill\nname: The Mill\nparent_location: vale\n---\n',
  'Locations/vale/LOC_vale.md': '---\nid: vale\nname: The Vale\n---\n',
  'Locations/lamp/LOC_lamp.md': '---\nid: lamp\nname: Lamp Street\n---\n',
  'Items/lamp/ITM_lamp.md': '---\nid: lamp\nname: Lamp\nowner: cy\n---\n',
};

forEachDatabase((_name, open) => {
  describe('references', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
      for (const [path, text] of Object.entries(WORLD)) {
        mkdirSync(dirname(join(core.contentDir, path)), { recursive: true });
        writeFileSync(join(core.contentDir, path), text);
      }
      await core.call('POST', '/api/sync/refresh-all', { body: {} });
    });
    after(() => core.close());

    const get = async <Body>(url: string): Promise<Body> => {
      const reply = await core.call<Body>('GET', url);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const status = async (url: string) => (await core.call('GET', url)).status;
    const edgesIn = async (of: string, query = '') =>
      get<Listed>(`/api/entity/${of}/references?direction=in${query}`);

    test('of an entity say where each leads', async () => {
      const { total, references, next_cursor } = await get<Listed>('/api/entity/character/ada/references');
      assert.deepEqual([total, next_cursor], [7, null]);
      assert.deepEqual(
        references.map(({ field, kind, to_type, to_id, state, to }) => [
          field,
          kind,
          `${to_type}:${to_id}`,
          state,
          to && named(to),
        ]),
        [
          ['home', 'field', 'location:mill', 'found', 'location:mill'],
          ['relationships', 'field', 'character:bo', 'found', 'character:bo'],
          ['relationships', 'field', 'character:nobody', 'missing', null],
          ['markdown_body', 'link', 'null:bo', 'found', 'character:bo'],
          ['markdown_body', 'link', 'item:mill', 'missing', null],
          ['markdown_body', 'link', 'null:Mill', 'missing', null],
          ['markdown_body', 'link', 'null:mill', 'found', 'location:mill'],
        ],
      );
    });

    test('of an entity that are broken are listed alone, with place and candidates', async () => {
      const path = '/api/entity/character/ada/references';
      const shown = ({ references }: Listed) =>
        references.map(({ field, to_id, line, candidates }) => [
          field,
          to_id,
          line,
          candidates.map(named).sort(),
        ]);
      const missing = await get<Listed>(`${path}?state=missing`);
      const expected = [
        ['relationships', 'nobody', 7, []],
        ['markdown_body', 'mill', 10, ['location:mill']],
        ['markdown_body', 'Mill', 12, ['location:mill']],
      ];
      assert.deepEqual([missing.total, shown(missing)], [3, expected]);
      assert.ok(missing.references.every(({ file }) => file === 'Characters/ada/CH_ada.md'));
      const first = await get<Listed>(`${path}?state=missing&limit=2`);
      const second = await get<Listed>(`${path}?state=missing&limit=2&cursor=${first.next_cursor}`);
      assert.deepEqual([...shown(first), ...shown(second)], expected);
      assert.deepEqual([first.total, second.total, second.next_cursor], [3, 3, null]);
      const ambiguous = await get<Listed>('/api/entity/character/cy/references?state=ambiguous');
      assert.deepEqual(shown(ambiguous), [['markdown_body', 'lamp', 6, ['item:lamp', 'location:lamp']]]);
      assert.deepEqual(
        (await get<Listed>('/api/entity/character/bo/references?state=missing')).references,
        [],
      );
      assert.equal(await status(`${path}?state=missing&direction=in`), 422);
      assert.equal(await status(`${path}?state=found`), 422);
      assert.equal(await status('/api/entity/character/zed/references?state=missing'), 404);
    });

    test('to an entity come from others, by field and by link, with and without a type', async () => {
      const { total, references } = await edgesIn('character/bo');
      assert.deepEqual(references.map(({ from, field }) => `${named(from)} ${field}`).sort(), [
        'character:ada markdown_body',
        'character:ada relationships',
        'character:cy markdown_body',
      ]);
      assert.equal(total, 3);
      const [ambiguous] = (await edgesIn('item/lamp')).references;
      assert.deepEqual([ambiguous?.state, ambiguous?.candidates.length], ['ambiguous', 2]);
    });

    test('come in pages', async () => {
      const paged: Item[] = [];
      for (let cursor = ''; ; ) {
        const page = await edgesIn('character/bo', `&limit=1${cursor}`);
        assert.equal(page.total, 3);
        paged.push(...page.references);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      assert.deepEqual(paged, (await edgesIn('character/bo')).references);
    });

    test('that are broken are told with file and line, and which entity may be meant', async () => {
      const { references, next_cursor } = await get<Listed>('/api/references/broken');
      assert.equal(next_cursor, null);
      const told = references.map(({ file, line, to_id, state, candidates }) => [
        file.split('/').at(-1),
        line,
        to_id,
        state,
        candidates.map(named).sort(),
      ]);
      assert.deepEqual(
        told.sort((a, b) => (`${a[0]} ${a[1]}` < `${b[0]} ${b[1]}` ? -1 : 1)),
        [
          ['CH_ada.md', 10, 'mill', 'missing', ['location:mill']],
          ['CH_ada.md', 12, 'Mill', 'missing', ['location:mill']],
          ['CH_ada.md', 7, 'nobody', 'missing', []],
          ['CH_cy.md', 6, 'lamp', 'ambiguous', ['item:lamp', 'location:lamp']],
        ],
      );
      const first = await get<Listed>('/api/references/broken?limit=3');
      const rest = await get<Listed>(`/api/references/broken?cursor=${first.next_cursor}`);
      assert.deepEqual([...first.references, ...rest.references], references);
    });

    test('that nobody makes leave an entity unused', async () => {
      const unused = async (query: string) => {
        const page = await get<Listed>(`/api/references/unused?${query}`);
        return [page.entities.map(named), page.next_cursor];
      };
      assert.deepEqual(await unused(''), [[], null]);
      await core.call('POST', '/api/entity/item', {
        body: { entity_id: 'key', name: 'Key', markdown_body: '[[key]]' },
      });
      await core.call('POST', '/api/entity/faction', {
        body: { entity_id: 'guild', name: 'Guild', markdown_body: '' },
      });
      assert.deepEqual(await unused(''), [['faction:guild', 'item:key'], null]);
      assert.deepEqual(await unused('types=item,character'), [['item:key'], null]);
      assert.deepEqual(await unused('limit=1'), [['faction:guild'], 'faction:guild']);
      assert.deepEqual(await unused('limit=1&cursor=faction:guild'), [['item:key'], null]);
    });

    test('make a graph around an entity', async () => {
      const near = await get<Graph>('/api/graph?around=location:mill');
      assert.deepEqual(near.nodes.map(named), ['location:mill', 'location:vale', 'character:ada']);
      assert.deepEqual(near.edges.map(({ from, to, field }) => `${from} ${field} ${to}`).sort(), [
        'character:ada home location:mill',
        'character:ada markdown_body location:mill',
        'location:mill parent_location location:vale',
      ]);
      assert.deepEqual(
        near.nodes.map(({ degree }) => degree),
        [3, 1, 8],
      );
      assert.deepEqual([near.truncated, near.next_cursor], [false, null]);
      const wide = await get<Graph>('/api/graph?around=location:mill&depth=3');
      assert.deepEqual(
        wide.nodes.map(named).sort(),
        ['character:ada', 'character:bo', 'character:cy', 'location:mill', 'location:vale'].filter(
          (name) => name !== 'item:lamp',
        ),
      );
      const people = await get<Graph>('/api/graph?around=location:mill&depth=3&types=character');
      assert.deepEqual(people.nodes.map(named), [
        'location:mill',
        'character:ada',
        'character:bo',
        'character:cy',
      ]);
      const few = await get<Graph>('/api/graph?around=location:mill&depth=3&limit=2');
      assert.deepEqual([few.nodes.length, few.truncated], [2, true]);
    });

    test('make a graph of the whole project, page by page', async () => {
      const pages: Graph[] = [];
      for (let cursor = ''; ; ) {
        const page = await get<Graph>(`/api/graph?limit=2${cursor}`);
        pages.push(page);
        assert.equal(page.truncated, page.next_cursor !== null);
        if (page.next_cursor === null) break;
        cursor = `&cursor=${page.next_cursor}`;
      }
      const whole = await get<Graph>('/api/graph');
      assert.deepEqual(
        pages.flatMap(({ nodes }) => nodes),
        whole.nodes,
      );
      const told = (edges: Graph['edges']) => edges.map((edge) => JSON.stringify(edge)).sort();
      assert.deepEqual(told(pages.flatMap(({ edges }) => edges)), told(whole.edges));
      assert.ok(whole.nodes.length >= 7);
      const some = await get<Graph>('/api/graph?types=location');
      assert.deepEqual(some.nodes.map(named), ['location:lamp', 'location:mill', 'location:vale']);
      assert.deepEqual(
        some.edges.map(({ to }) => to),
        ['location:vale'],
      );
    });

    test('are refused for what is not there or makes no sense', async () => {
      assert.equal(await status('/api/entity/character/zoe/references'), 404);
      assert.equal(await status('/api/entity/character/ada/references?direction=up'), 422);
      assert.equal(await status('/api/entity/character/ada/references?cursor=x'), 422);
      assert.equal(await status('/api/references/broken?cursor=1'), 422);
      assert.equal(await status('/api/references/unused?types=ghost'), 404);
      assert.equal(await status('/api/graph?around=ada'), 422);
      assert.equal(await status('/api/graph?around=character:zoe'), 404);
    });

    test('of one project are not seen from another', async () => {
      await core.call('POST', '/api/entity/character?project_id=other', {
        body: { entity_id: 'eve', name: 'Eve', fields: { home: 'mill' }, markdown_body: '[[nowhere]]' },
      });
      assert.equal((await edgesIn('location/mill')).total, 2);
      const other = await get<Listed>('/api/references/broken?project_id=other&cursor=0.0');
      assert.deepEqual(
        other.references.map(({ to_id }) => to_id),
        ['mill', 'nowhere'],
      );
      const own = await get<Listed>('/api/references/broken');
      assert.equal(
        own.references.some(({ to_id }) => to_id === 'nowhere'),
        false,
      );
    });

    test('are told when an entity is deleted, and broken from then on', async () => {
      const reply = await core.call<{ item_id: string; referrers: { total: number; references: Summary[] } }>(
        'DELETE',
        '/api/entity/location/vale',
      );
      assert.equal(reply.status, 200, reply.text);
      const { total, references } = reply.body.referrers;
      assert.deepEqual(
        [total, references],
        [
          1,
          [
            {
              entity_type: 'location',
              entity_id: 'mill',
              name: 'The Mill',
              status: references[0] && 'status' in references[0] ? references[0].status : '',
              field: 'parent_location',
              kind: 'field',
            },
          ],
        ],
      );
      const isBroken = async () =>
        (await get<Listed>('/api/references/broken')).references.some(({ to_id }) => to_id === 'vale');
      assert.equal(await isBroken(), true);
      await core.call('POST', `/api/recycle-bin/${reply.body.item_id}/restore`);
      assert.equal(await isBroken(), false);
    });
  });
});
