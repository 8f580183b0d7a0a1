import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { snapshot } from '../../../test/support/cli.ts';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { OperationReport } from '../changesets/report.ts';
import type { FixReport } from './fix.service.ts';

const TEMPLATE = `---
entity_type: relic
folder_name: Relics
file_prefix: REL_
weight: 4
cursed: false
found_on: ""
owner: ""
bearers: []
field_config:
  owner: { reference_type: relic }
  bearers: { reference_type: relic }
  found_on: { widget: date }
fields:
  - { name: material, type: select, options: [gold, bone], default: bone, required: true }
---
`;
const CROWN =
  "---\nid: crown   # hers\nname: 'The Crown'\nweight:   '42'  # pounds\ncursed: yes\nfound_on: 12 March 1187\nmaterial: Gold\nowner: Old Ring\nbearers:\n  - ghost # gone\n  - old_ring\n---\n\nweight: not a field here\n";
const MENDED =
  "---\nid: crown   # hers\nname: 'The Crown'\nweight:   42  # pounds\ncursed: true\nfound_on: 1187-03-12\nmaterial: gold\nowner: old_ring\nbearers:\n  - ghost # gone\n  - old_ring\n---\n\nweight: not a field here\n";
const RING = '---\nid: Old Ring\nname: Old Ring\nweight: heavy\nfound_on: 3/4/1187\n---\n\nA ring.\n';

type Reply = FixReport & { detail: string; dry_run: boolean };

forEachDatabase((_name, open) => {
  let core: TestCore;
  beforeEach(async () => {
    core = await startCore({ open, content: 'empty' });
    put('_Templates/Custom/RELIC_TEMPLATE.md', TEMPLATE);
    put('Relics/crown/REL_crown.md', CROWN);
    put('Relics/old_ring/REL_old_ring.md', RING);
    await core.call('POST', '/api/sync/refresh-all');
  });
  afterEach(() => core.close());

  const put = (path: string, text: string) => {
    const target = join(core.contentDir, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  };
  const at = (path: string) => readFileSync(join(core.contentDir, path), 'utf8');
  const fix = (body: object, token?: string) =>
    core.call<Reply>('POST', '/api/validation/fix', { body, ...(token !== undefined && { token }) });

  test('shows what it would do, with file, line and reason, and changes nothing', async () => {
    const earlier = snapshot(core.contentDir);
    const { status, body, text } = await fix({ dry_run: true });
    assert.equal(status, 200, text);
    assert.deepEqual(
      [body.dry_run, body.operation_id, body.entities_checked, body.entities_changed, body.fixed_total],
      [true, null, 2, 2, 7],
    );
    assert.deepEqual(body.counts, { type: 2, date: 1, option: 1, reference: 1, missing_default: 1, id: 1 });
    assert.deepEqual(body.fixed[1], {
      entity_type: 'relic',
      entity_id: 'crown',
      file: 'Relics/crown/REL_crown.md',
      field: 'weight',
      kind: 'type',
      before: '42',
      after: 42,
      line: 4,
      reason: 'says a number in another way',
    });
    assert.deepEqual(
      body.unfixable.map(({ entity_id, field, kind, value, line }) => [entity_id, field, kind, value, line]),
      [
        ['crown', 'bearers.0', 'dangling_reference', 'ghost', 10],
        ['old_ring', 'weight', 'type', 'heavy', 4],
        ['old_ring', 'found_on', 'date', '3/4/1187', 5],
      ],
    );
    assert.deepEqual(snapshot(core.contentDir), earlier);
  });

  test('mends those lines alone, each entity a version, and one undo gives the bytes back', async () => {
    const earlier = snapshot(core.contentDir);
    const { status, body, text } = await fix({});
    assert.equal(status, 200, text);
    assert.deepEqual([body.fixed_total, body.entities_changed, body.skipped_total], [7, 2, 0]);
    assert.equal(at('Relics/crown/REL_crown.md'), MENDED);
    assert.equal(
      at('Relics/old_ring/REL_old_ring.md'),
      RING.replace('id: Old Ring', 'id: old_ring').replace(
        'name: Old Ring\n',
        'name: Old Ring\nmaterial: bone\n',
      ),
    );
    const read = await core.call<{ version: number; is_valid: boolean }>('GET', '/api/entity/relic/crown');
    assert.deepEqual([read.body.version, read.body.is_valid], [2, true]);
    const again = await fix({});
    assert.deepEqual([again.body.operation_id, again.body.fixed_total], [null, 0]);
    assert.equal(again.body.unfixable_total, body.unfixable_total);

    const undone = await core.call<OperationReport>('POST', `/api/operations/${body.operation_id}/undo`);
    assert.deepEqual([undone.body.status, undone.body.applied], ['done', 2], undone.text);
    assert.deepEqual(snapshot(core.contentDir), earlier);
  });

  test('dangling references go when that is asked for; one entity, some kinds', async () => {
    const { body } = await fix({
      entity_type: 'relic',
      entity_id: 'crown',
      kinds: [],
      remove_dangling: true,
    });
    assert.deepEqual(
      body.fixed.map(({ kind, field, before, after }) => [kind, field, before, after]),
      [['dangling_reference', 'bearers.0', 'ghost', null]],
    );
    assert.deepEqual([body.entities_checked, body.unfixable_total], [1, 0]);
    assert.equal(at('Relics/crown/REL_crown.md'), CROWN.replace('  - ghost # gone\n', ''));
    assert.equal(at('Relics/old_ring/REL_old_ring.md'), RING);
  });

  test('an entity whose file cannot be read is there, and its file stays', async () => {
    put('Relics/ghost/REL_ghost.md', '---\nid: [\n---\n');
    await core.call('POST', '/api/sync/refresh-all');
    const { body } = await fix({ remove_dangling: true, kinds: [] });
    assert.deepEqual([body.fixed_total, at('Relics/crown/REL_crown.md')], [0, CROWN]);
  });

  test('a world with a calendar of its own keeps its dates', async () => {
    put('_Rules/canon.md', '---\ncalendar:\n  months: [{ name: March, days: 40 }]\n---\n');
    const { body } = await fix({ kinds: ['date'] });
    assert.deepEqual([body.fixed_total, body.unfixable_total], [0, 0]);
  });

  test('a file that changed meanwhile in the same place is skipped and named', async () => {
    const [project] = core.projects.opened();
    assert.ok(project);
    const { files } = project;
    const read = files.read.bind(files);
    let isFirst = true;
    files.read = async (path) => {
      const bytes = await read(path);
      if (path.endsWith('REL_crown.md') && isFirst) {
        isFirst = false;
        put(path, CROWN.replace("'42'", "'43'"));
      }
      return bytes;
    };
    const { body } = await fix({});
    files.read = read;
    assert.deepEqual(
      body.skipped.map(({ entity_id, reason }) => [entity_id, /weight/.test(reason)]),
      [['crown', true]],
    );
    assert.deepEqual([body.entities_changed, body.fixed_total, body.counts.option], [1, 2, 0]);
    assert.ok(body.fixed.every(({ entity_id }) => entity_id === 'old_ring'));
    assert.equal(at('Relics/crown/REL_crown.md'), CROWN.replace("'42'", "'43'"));
  });

  test('what is not there, and who may not', async () => {
    const earlier = snapshot(core.contentDir);
    for (const [body, status] of [
      [{ entity_type: 'dragon' }, 404],
      [{ entity_type: 'relic', entity_id: 'nobody' }, 404],
      [{ entity_id: 'crown' }, 422],
      [{ kinds: ['everything'] }, 422],
    ] as const) {
      const reply = await fix(body);
      assert.equal(reply.status, status, reply.text);
      assert.ok(reply.body.detail);
    }
    assert.equal((await fix({}, await core.registerViewer())).status, 403);
    assert.deepEqual(snapshot(core.contentDir), earlier);
  });

  test('the sample world has nothing to mend', async () => {
    const sample = await startCore({ open, content: 'sample' });
    await sample.call('POST', '/api/sync/refresh-all');
    const { body } = await sample.call<Reply>('POST', '/api/validation/fix', { body: { dry_run: true } });
    await sample.close();
    assert.deepEqual([body.fixed, body.unfixable], [[], []]);
    assert.ok(body.entities_checked >= 40);
  });
});
