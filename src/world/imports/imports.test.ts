import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { snapshot } from '../../../test/support/cli.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { zipOf } from '../../../test/support/zip.ts';
import type { OperationReport } from '../changesets/report.ts';
import type { ImportResult } from './imports.service.ts';
import type { PlannedNote } from './plan-notes.ts';

const PICTURE = Buffer.from([0x89, 0x50, 0, 255]);
const VAULT = [
  {
    path: 'People/Mira Vale.md',
    content:
      '---\naliases: [Mimi]\nborn: "1187"\nhome: "[[Harbour Town]]"\nmood: odd\n---\nSees [[Nobody]]. ![[mira.png]]\n',
  },
  { path: 'Places/Harbour Town.md', content: 'Where [[Mimi]] lives.\n' },
  { path: 'files/mira.png', content: PICTURE.toString('base64'), encoding: 'base64' },
  { path: 'files/unused.png', content: '', encoding: 'base64' },
];

const isContent = (path: string): boolean => path.includes('/') && !path.startsWith('_');

interface Entity {
  name: string;
  status: string;
  fields: Record<string, unknown>;
  markdown_body: string;
  is_valid: boolean;
  version: number;
}

forEachDatabase((_name, open) => {
  describe('imports', () => {
    let core: TestCore;
    beforeEach(async () => {
      core = await startCore({ open });
    });
    afterEach(() => core.close());

    const post = <Body = ImportResult>(path: string, body: object, options = {}) =>
      core.call<Body>('POST', `/api/${path}`, { body, ...options });
    const smart = async (body: object): Promise<ImportResult> => {
      const reply = await post('import/smart', body);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const entity = async (type: string, id: string) =>
      (await core.call<Entity>('GET', `/api/entity/${type}/${id}`)).body;
    const files = () =>
      Object.fromEntries(Object.entries(snapshot(core.contentDir)).filter(([path]) => isContent(path)));

    test('a preview shows what would be made and saves nothing', async () => {
      const before = snapshot(core.contentDir);
      const reply = await post<{ notes: { entity: Entity & { path: string } }[] }>('import/preview', {
        files: VAULT,
      });
      assert.equal(reply.status, 200, reply.text);
      const [mira] = reply.body.notes;
      assert.equal(mira?.entity.path, 'Characters/mira_vale/CH_mira_vale.md');
      assert.deepEqual(mira.entity.fields, {
        aliases: ['Mimi'],
        birth_year: 1187,
        home: 'harbour_town',
        mood: 'odd',
      });
      assert.equal(mira.entity.is_valid, true);
      assert.deepEqual(snapshot(core.contentDir), before);
    });

    test('a preview and a dry run refuse tables of more than they can tell of in time', async () => {
      const columns = Array.from({ length: 900 }, (_, index) => `c${index}`);
      const table = (rows: number) =>
        `name,${columns}\n${Array.from({ length: rows }, (_, row) => `P${row},${columns}\n`).join('')}`;
      const links = '[[Nowhere]]\n'.repeat(2_600);
      for (const [files, status] of [
        [[{ path: 'p.csv', content: table(2) }], 200],
        [[{ path: 'p.csv', content: table(112) }], 413],
        [Array.from({ length: 40 }, (_, index) => ({ path: `${index}.md`, content: links })), 413],
      ] as const)
        for (const [path, body] of [
          ['import/preview', { files, entity_type: 'character' }],
          ['import/smart', { files, entity_type: 'character', dry_run: true }],
        ] as const) {
          const reply = await post<{ detail: string }>(path, body);
          assert.equal(reply.status, status, reply.text.slice(0, 500));
          if (status === 413) assert.match(reply.body.detail, /100000 properties/);
        }
    });

    test('the caller chooses types of notes by their places', async () => {
      const types = { People: 'item', 'Places/Harbour Town.md': null, Elsewhere: 'faction' };
      const preview = await post<ImportResult>('import/preview', { files: VAULT, types });
      assert.equal(preview.status, 200, preview.text);
      const { notes, refused, untyped, operation } = await smart({ files: VAULT, types });
      for (const planned of [preview.body.notes, notes])
        assert.deepEqual(
          planned.map(({ place, entity_type, type_reason }) => [place, entity_type, type_reason]),
          [['People/Mira Vale.md', 'item', 'asked for']],
        );
      for (const left of [preview.body.untyped, untyped])
        assert.deepEqual(left, [{ place: 'Places/Harbour Town.md', code: 'left_out' }]);
      assert.deepEqual(
        refused.map(({ place }) => place),
        ['Elsewhere', 'files/unused.png'],
      );
      const stored = await core.call<ImportResult>('GET', `/api/import/${operation?.operation_id}/report`);
      assert.deepEqual(stored.body.untyped, untyped);
      assert.equal((await entity('item', 'mira_vale')).name, 'Mira Vale');
    });

    test('a vault becomes entities, references and assets in one operation, and one undo takes it back', async () => {
      const { totals, operation, refused } = await smart({ files: VAULT });
      assert.deepEqual(totals.notes, { total: 2, create: 2, merge: 0, replace: 0, skip: 0, refuse: 0 });
      assert.deepEqual(totals.properties, { total: 4, kept: 1, mapped: 2, kept_aside: 1, refused: 0 });
      assert.deepEqual(totals.links, { resolved: 3, unresolved: 1 });
      assert.deepEqual(
        refused.map(({ place }) => place),
        ['files/unused.png'],
      );
      assert.ok(operation);
      assert.deepEqual([operation.kind, operation.status, operation.applied], ['import', 'done', 3]);
      const mira = await entity('character', 'mira_vale');
      assert.equal(mira.fields.home, 'harbour_town');
      assert.equal(mira.markdown_body, 'Sees [[Nobody]]. ![mira.png](images/mira.png)\n');
      assert.equal(
        (await entity('location', 'harbour_town')).markdown_body,
        'Where [[character:mira_vale|Mimi]] lives.\n',
      );
      assert.deepEqual(readFileSync(join(core.contentDir, 'Characters/mira_vale/images/mira.png')), PICTURE);
      assert.deepEqual(
        (
          await core.call<{ revisions: { source: string }[] }>(
            'GET',
            '/api/entity/character/mira_vale/revisions',
          )
        ).body.revisions.map(({ source }) => source),
        ['import'],
      );
      const undone = await post<OperationReport>(
        `operations/${operation.operation_id}/undo`,
        {},
        { body: undefined },
      );
      assert.equal(undone.status, 200, undone.text);
      assert.deepEqual(files(), {});
    });

    test('an operation tells where each entity and file came from', async () => {
      const csv = { path: 'more/people.csv', content: 'name\nAda\n' };
      const { operation } = await smart({ files: [...VAULT, csv] });
      const read = await core.call<{ steps: { origin: string; entity_id: string; path: string }[] }>(
        'GET',
        `/api/operations/${operation?.operation_id}`,
      );
      assert.deepEqual(
        read.body.steps.map(({ origin, entity_id, path }) => [origin, entity_id ?? path]),
        [
          ['People/Mira Vale.md', 'mira_vale'],
          ['files/mira.png', 'Characters/mira_vale/images/mira.png'],
          ['Places/Harbour Town.md', 'harbour_town'],
          ['more/people.csv:2', 'ada'],
        ],
      );
    });

    test('JSON files are notes only where that is asked for', async () => {
      const sources = { files: [{ path: 'characters.json', content: '[{"name": "Ada"}]' }] };
      const unasked = await smart(sources);
      assert.deepEqual([unasked.totals.notes.total, unasked.operation], [0, null]);
      assert.match(unasked.refused[0]?.reason ?? '', /include_json/);
      const preview = await post<ImportResult>('import/preview', { ...sources, include_json: true });
      assert.equal(preview.body.totals.notes.create, 1);
      assert.equal((await smart({ ...sources, include_json: true })).totals.notes.create, 1);
    });

    test('what holds nothing to import is refused, and of very many refusals the first are told', async () => {
      for (const [path, body] of [
        ['entity/character/import', { content: ' \n' }],
        ['import/smart', { content: '', format: 'csv', entity_type: 'character' }],
        ['import/preview', { files: [{ path: 'a.png', content: 'no base64!', encoding: 'base64' }] }],
      ] as const) {
        const reply = await post(path, body);
        assert.equal(reply.status, 422, reply.text);
      }
      const { refused, totals } = await smart({ content: JSON.stringify(Array(1_500).fill(1)) });
      assert.equal(totals.refused, 1_500);
      assert.equal(refused.length, 1_000);
    });

    test('what is there is skipped, merged or replaced', async () => {
      await core.call('POST', '/api/entity/character', {
        body: {
          entity_id: 'mira',
          name: 'Mira',
          status: 'active',
          fields: { job: 'reader', tags: ['a'], summary: '' },
          markdown_body: 'Old.\n',
        },
      });
      const csv = {
        content: 'name,job,tags,summary,sign\nMira,sailor,"a; b",A sailor,ram\n',
        entity_type: 'character',
        format: 'csv',
      };
      const first = await smart(csv);
      assert.deepEqual([first.totals.notes.skip, first.operation], [1, null]);
      const merged = await smart({ ...csv, mode: 'merge' });
      assert.equal(merged.totals.notes.merge, 1);
      const { total, kept, mapped, kept_aside, refused } = merged.totals.properties;
      assert.equal(kept + mapped + kept_aside + refused, total);
      assert.deepEqual(
        merged.notes[0]?.refused.map(({ property, value }) => [property, value]),
        [['job', 'sailor']],
      );
      const mira = await entity('character', 'mira');
      assert.deepEqual(
        [
          mira.status,
          mira.fields.job,
          mira.fields.tags,
          mira.fields.summary,
          mira.fields.sign,
          mira.markdown_body,
        ],
        ['active', 'reader', ['a', 'b'], 'A sailor', 'ram', 'Old.\n'],
      );
      const again = await smart({ ...csv, mode: 'merge' });
      assert.equal(again.operation, null, 'a second merge changes nothing');
      await smart({ ...csv, mode: 'replace' });
      const replaced = await entity('character', 'mira');
      assert.deepEqual(
        [replaced.status, replaced.fields.job, replaced.markdown_body],
        ['active', 'sailor', ''],
      );
    });

    test('a text is imported as one entity', async () => {
      const content = '# Ada Stone\n\nShe *knows* [[Mira]].\r\n';
      const made = await post<{ entity: Entity; report: { entity_id: string } }>('entity/character/import', {
        content,
      });
      assert.equal(made.status, 201, made.text);
      assert.deepEqual([made.body.entity.name, made.body.entity.markdown_body], ['Ada Stone', content]);
      assert.equal((await post('entity/character/import', { content })).status, 409);
      const merged = await post<{ entity: Entity }>('entity/character/import', {
        content: 'More of her.',
        entity_id: 'ada_stone',
        mode: 'merge',
      });
      assert.deepEqual([merged.status, merged.body.entity.version], [200, 2]);
      assert.match(merged.body.entity.markdown_body, /knows.*\s+More of her\./);
      assert.equal(merged.body.entity.name, 'Ada Stone');
    });

    const STANDING = [
      '---',
      '# who she is',
      'nickname: Evie # never to her face',
      'description: "Short:  and odd"',
      'template_version: "1.7"',
      'created_date: 2020-01-02',
      'production_status: { general: concept }',
      'born: 1187-03-04',
      'home: "[[Harbour Town]]"',
      'odd: [ 1,2 ]',
      'id: eve # first',
      'name:   Eve',
      'entity_type: character',
      '---',
      '',
      'Knows [[Mira Vale]]. #brave ![[eve.png]]',
    ];
    const standsAt = (id: string) =>
      readFileSync(join(core.contentDir, `Characters/${id}/CH_${id}.md`), 'utf8');

    for (const [kind, content] of [
      ['', STANDING.join('\n')],
      [' with line ends of Windows and a byte order mark', `\uFEFF${STANDING.join('\r\n')}`],
    ] as const)
      test(`a text with frontmatter${kind} arrives byte for byte, and so does its export`, async () => {
        const made = await post<{ report: PlannedNote }>('entity/character/import', { content });
        assert.equal(made.status, 201, made.text);
        assert.equal(standsAt('eve'), content);
        assert.ok(made.body.report.kept.includes('nickname'));
        assert.deepEqual([made.body.report.mapped, made.body.report.kept_aside], [[], []]);
        assert.equal((await entity('character', 'eve')).fields.nickname, 'Evie');
        const exported = await post<{ content: string }>(
          'markdown/export/character/eve',
          {},
          { body: undefined },
        );
        await core.call('DELETE', '/api/entity/character/eve');
        const again = await post('entity/character/import', { content: exported.body.content });
        assert.equal(again.status, 201, again.text);
        assert.equal(standsAt('eve'), content);
      });

    test('a text takes the place of a file as it stands, under the id and name that the caller gives', async () => {
      const content = STANDING.join('\n');
      await post('entity/character/import', { content: '---\nname: Old\nodd: 1\n---\n', entity_id: 'eve' });
      assert.equal(
        standsAt('eve'),
        '---\nname: Old\nodd: 1\n---\n',
        'an id that the folder says is not written',
      );
      const replaced = await post('entity/character/import', { content, mode: 'replace' });
      assert.equal(replaced.status, 200, replaced.text);
      assert.equal(standsAt('eve'), content);
      const asked = { content, entity_id: 'eva', name: 'Eva' };
      assert.equal((await post('entity/character/import', asked)).status, 201);
      assert.equal(
        standsAt('eva'),
        content.replace('id: eve', 'id: eva').replace('name:   Eve', 'name:   Eva'),
        'nothing but the two lines is written anew',
      );
      const [type, nameless] = await Promise.all([
        post('entity/location/import', { content }),
        post('entity/character/import', { content: 'Text of nobody.' }),
      ]);
      assert.deepEqual([type.status, nameless.status], [422, 422]);
      assert.match(type.text, /entity_type.*character/);
      assert.equal((await post('entity/character/import', { content, mapping: {} })).status, 422);
    });

    test('what cannot be read, or placed, is refused before anything is written', async () => {
      const refusals: [string, object, number][] = [
        ['entity/character/import', { content: '---\na: [\n---\n' }, 422],
        ['entity/character/import', { content: 'x', entity_id: 'Not an id' }, 422],
        ['entity/nothing/import', { content: 'x' }, 404],
        ['import/smart', { content: 'x', entity_type: 'nothing' }, 404],
        ['import/smart', { files: VAULT, types: { People: 'nothing' } }, 404],
        ['import/preview', { files: VAULT, types: { People: 5 } }, 422],
        ['import/smart', {}, 422],
        ['import/smart', { content: 'x', files: [] }, 422],
        ['import/smart', { files: [{ path: '../x.md', content: '' }] }, 422],
        [
          'import/smart',
          {
            files: [
              { path: 'x.md', content: '' },
              { path: 'x.md', content: '' },
            ],
          },
          422,
        ],
      ];
      for (const [path, body, status] of refusals) {
        const reply = await post(path, body);
        assert.equal(reply.status, status, `${path} ${JSON.stringify(body)}: ${reply.text}`);
      }
      const viewer = await core.registerViewer();
      assert.equal((await post('import/smart', { content: 'x' }, { token: viewer })).status, 403);
      assert.deepEqual(files(), {});
    });

    test('an archive is imported, and one with a way out is not', async () => {
      const send = async (archive: Buffer, fields: Record<string, string> = {}) => {
        const form = new FormData();
        for (const [name, value] of Object.entries(fields)) form.append(name, value);
        form.append('archive', new Blob([new Uint8Array(archive)]), 'vault.zip');
        const encoded = new Response(form);
        return core.app.inject({
          method: 'POST',
          url: '/api/import/archive',
          headers: {
            authorization: `Bearer ${core.adminToken}`,
            'content-type': encoded.headers.get('content-type') ?? '',
          },
          payload: Buffer.from(await encoded.arrayBuffer()),
        });
      };
      const bad = await send(
        zipOf([
          { name: 'People/A.md', content: 'x' },
          { name: '../b.md', content: 'x' },
        ]),
      );
      assert.equal(bad.statusCode, 422, bad.body);
      assert.deepEqual(files(), {});
      const members = VAULT.map(({ path, content, encoding }) => ({
        name: path,
        content: encoding === 'base64' ? Buffer.from(content, 'base64') : content,
      }));
      const dry = await send(zipOf(members), { dry_run: 'true', mapping: '{"mood": "ghost"}' });
      assert.equal(dry.statusCode, 200, dry.body);
      assert.deepEqual(files(), {});
      const reply = await send(zipOf(members), { mapping: '{"mood": "ghost"}' });
      assert.equal(reply.statusCode, 200, reply.body);
      assert.equal(reply.json<ImportResult>().operation?.label, 'Import of 2 entities from vault.zip');
      assert.equal((await entity('character', 'mira_vale')).fields.ghost, 'odd');
      for (const fields of [
        { mapping: '[]' },
        { types: '{"People": 5}' },
        { types: '{"A": ""}' },
        { types: '{' },
      ])
        assert.equal((await send(zipOf(members), fields)).statusCode, 422);
      const many = Object.fromEntries(
        Array.from({ length: 9_000 }, (_, index) => [`Far away/${index}`, null]),
      );
      const types = JSON.stringify({ Places: 'faction', ...many });
      const typed = await send(zipOf(members), { types, dry_run: 'true' });
      assert.deepEqual(
        typed.json<ImportResult>().notes.map(({ entity_type }) => entity_type),
        ['character', 'faction'],
      );
    });
  });

  test('an import over the plan’s limit writes nothing', async () => {
    const core = await startCore({ open, env: { LOCAL_PLAN: 'free' } });
    try {
      const rows = Array.from({ length: 101 }, (_, row) => ({ name: `Person ${row}` }));
      const reply = await core.call('POST', '/api/import/smart', {
        body: { content: JSON.stringify(rows), entity_type: 'character' },
      });
      assert.equal(reply.status, 402, reply.text);
      assert.deepEqual(Object.keys(snapshot(core.contentDir)).filter(isContent), []);
      const fewer = { content: JSON.stringify(rows.slice(0, 100)), entity_type: 'character' };
      assert.equal((await core.call('POST', '/api/import/smart', { body: fewer })).status, 200);
    } finally {
      await core.close();
    }
  });
});
