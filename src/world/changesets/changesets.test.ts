import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { Project } from '../records/scope.ts';
import type { OperationReport } from './report.ts';
import type { Step } from './step.ts';

const AUTHOR = { actor: 'ada', plan: 'enterprise' } as const;

const textOf = (id: string, extra = '') => `---\nid: ${id}\nname: ${id} # kept\n${extra}---\n\nLines.\n`;

forEachDatabase((_name, open) => {
  describe('operations over several files', () => {
    let core: TestCore;
    let project: Project;
    before(async () => {
      core = await startCore({ open });
      project = openedProject(core);
    });
    after(() => core.close());

    const fileOf = (id: string) => join(core.contentDir, 'Characters', id, `CH_${id}.md`);
    const onDisk = (id: string) => readFileSync(fileOf(id), 'utf8');
    const read = (id: string) =>
      core.call<{ version: number; name: string; fields: Record<string, unknown> }>(
        'GET',
        `/api/entity/character/${id}`,
      );
    const apply = (steps: Step[], label = 'Test') =>
      core.changesets.apply(project, { kind: 'import', label, author: AUTHOR, source: 'import', steps });
    const undo = async (operationId: string) => {
      const reply = await core.call<OperationReport>('POST', `/api/operations/${operationId}/undo`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const create = (id: string): Step => ({
      kind: 'create',
      entity_type: 'character',
      entity_id: id,
      text: textOf(id),
    });
    const write = (id: string, text: string): Step => ({
      kind: 'write',
      entity_type: 'character',
      entity_id: id,
      base: onDisk(id),
      text,
    });
    const settled = async () => {
      const report = await core.mirror.sync(project, { kind: 'full' });
      assert.deepEqual(
        [report.status, report.created, report.updated, report.deleted],
        ['completed', 0, 0, 0],
      );
    };

    test('entities are created, changed and moved as one step, and taken back as one', async () => {
      const made = await apply(['one', 'two', 'three'].map(create), 'Import three');
      assert.deepEqual([made.status, made.total, made.applied, made.skipped], ['done', 3, 3, []]);
      assert.equal(onDisk('one'), textOf('one'));
      const history = await core.call<{ revisions: { source: string; operation_id: string }[] }>(
        'GET',
        '/api/entity/character/one/revisions',
      );
      assert.deepEqual(
        history.body.revisions.map(({ source, operation_id }) => [source, operation_id]),
        [['import', made.operation_id]],
      );

      const changed = await apply([
        write('one', textOf('one', 'age: 4\n')),
        {
          kind: 'move',
          entity_type: 'character',
          entity_id: 'two',
          to_id: 'second',
          base: textOf('two'),
          text: textOf('second'),
        },
      ]);
      assert.deepEqual([changed.status, changed.applied], ['done', 2]);
      assert.equal((await read('two')).status, 404);
      assert.deepEqual([(await read('second')).body.version, onDisk('second')], [2, textOf('second')]);
      assert.equal(existsSync(fileOf('two')), false);
      await settled();

      const back = await undo(changed.operation_id);
      assert.deepEqual([back.status, back.undoes, back.applied], ['done', changed.operation_id, 2]);
      assert.deepEqual([onDisk('one'), onDisk('two')], [textOf('one'), textOf('two')]);
      assert.equal((await read('two')).body.version, 3);
      assert.equal((await core.changesets.get(project, changed.operation_id)).status, 'undone');
      const twice = await core.call('POST', `/api/operations/${changed.operation_id}/undo`);
      assert.equal(twice.status, 409);

      const redone = await undo(back.operation_id);
      assert.equal(redone.status, 'done');
      assert.deepEqual([onDisk('one'), onDisk('second')], [textOf('one', 'age: 4\n'), textOf('second')]);
      assert.equal((await core.changesets.get(project, changed.operation_id)).status, 'done');
      await undo(redone.operation_id);
      const known = await core.changesets.get(project, changed.operation_id);
      assert.deepEqual([known.status, known.undone_by], ['undone', back.operation_id]);
      await settled();
    });

    test('a file that a sweep found written before its step was told done is the operation’s all the same', async () => {
      await apply([create('swept')]);
      const text = textOf('swept', 'age: 4\n');
      async function* steps(): AsyncGenerator<Step> {
        yield write('swept', text);
        writeFileSync(fileOf('swept'), text);
        await core.mirror.sync(project, { kind: 'full' });
      }
      const author = AUTHOR;
      const request = { kind: 'fix', label: 'Fix', author, source: 'api', steps: steps() } as const;
      const { operation_id, status } = await core.changesets.apply(project, request);
      assert.equal(status, 'done');
      await undo(operation_id);
      assert.equal(onDisk('swept'), textOf('swept'));
    });

    test('an undone import goes to the recycle bin, all but what somebody has worked on since', async () => {
      const asset: Step = {
        kind: 'asset',
        path: 'Characters/four/images/face.png',
        bytes: Buffer.from('pixels'),
      };
      const beside: Step = { kind: 'asset', path: 'pictures/map.png', bytes: Buffer.from('map') };
      const made = await apply([create('four'), create('five'), asset, beside]);
      assert.equal(made.status, 'done', JSON.stringify(made.skipped));
      await settled();
      writeFileSync(fileOf('five'), textOf('five', 'age: 9\n'));
      const back = await undo(made.operation_id);
      assert.equal(back.status, 'partial');
      assert.deepEqual(
        back.skipped.map(({ entity_id }) => entity_id),
        ['five'],
      );
      assert.equal((await read('four')).status, 404);
      assert.equal((await read('five')).status, 200);
      assert.equal(existsSync(join(core.contentDir, 'pictures', 'map.png')), false);
      const { body: bin } = await core.call<{ items: { entity_id: string }[] }>('GET', '/api/recycle-bin');
      assert.deepEqual(
        bin.items.map(({ entity_id }) => entity_id),
        ['four'],
      );
      await core.mirror.sync(project, { kind: 'full' });
      const again = await undo(back.operation_id);
      assert.equal(again.status, 'done', JSON.stringify(again.skipped));
      assert.equal(readFileSync(join(core.contentDir, 'pictures', 'map.png'), 'utf8'), 'map');
      assert.equal(readFileSync(join(core.contentDir, 'Characters/four/images/face.png'), 'utf8'), 'pixels');
      await settled();
    });

    test('what cannot be applied is skipped and named, and the rest goes on', async () => {
      await apply([create('six'), create('seven')]);
      writeFileSync(fileOf('seven'), '---\nid: [\n---\n');
      const report = await apply([
        create('six'),
        { ...write('six', textOf('six', 'age: 1\n')), base: textOf('six', 'age: 3\n') } as Step,
        { ...write('six', ''), entity_id: 'nobody' } as Step,
        write('seven', textOf('seven', 'age: 1\n')),
        create('eight'),
      ]);
      assert.deepEqual([report.status, report.applied, report.skipped_total], ['partial', 1, 4]);
      assert.match(report.skipped[0]?.reason ?? '', /exists already/);
      assert.match(report.skipped[3]?.reason ?? '', /CH_seven\.md cannot be read \(line 3/);
      assert.equal(onDisk('seven'), '---\nid: [\n---\n');
      const { body } = await core.call<OperationReport & { steps: { state: string }[] }>(
        'GET',
        `/api/operations/${report.operation_id}?limit=2&offset=3`,
      );
      assert.deepEqual(
        body.steps.map(({ state }) => state),
        ['skipped', 'done'],
      );
    });

    test('what was changed since is merged; what overlaps is left and named', async () => {
      await apply([create('mona'), create('nils')]);
      const planned = [write('mona', textOf('mona', 'age: 4\n')), write('nils', textOf('nils', 'age: 4\n'))];
      writeFileSync(fileOf('mona'), textOf('mona').replace('Lines.', 'Lines by hand.'));
      const report = await apply(planned);
      assert.equal(report.status, 'done', JSON.stringify(report.skipped));
      assert.equal(onDisk('mona'), textOf('mona', 'age: 4\n').replace('Lines.', 'Lines by hand.'));
      assert.equal((await read('mona')).body.version, 3, 'the edit by hand is a version of its own');

      writeFileSync(fileOf('mona'), onDisk('mona').replace('by hand', 'by another hand'));
      writeFileSync(fileOf('nils'), onDisk('nils').replace('age: 4', 'age: 5'));
      const back = await undo(report.operation_id);
      assert.equal(onDisk('mona'), textOf('mona').replace('Lines.', 'Lines by another hand.'));
      assert.equal(onDisk('nils'), textOf('nils', 'age: 5\n'));
      assert.deepEqual(
        back.skipped.map(({ path, reason }) => [path, reason]),
        [['Characters/nils/CH_nils.md', 'it was changed since, and both changes affect age']],
      );
      await core.mirror.sync(project, { kind: 'full' });
      await settled();
    });

    test('history is listed newest first; a second operation is told of the running one', async () => {
      const { body } = await core.call<{ total: number; operations: OperationReport[] }>(
        'GET',
        '/api/operations/history?limit=1',
      );
      assert.ok(body.total > 5);
      assert.equal(body.operations[0]?.status, 'partial');
      const first = apply([create('nine')], 'The first');
      await assert.rejects(apply([create('ten')]), /'The first' is still running/);
      assert.equal((await first).status, 'done');
      assert.equal((await core.call('GET', '/api/operations/nothing')).status, 404);
    });
  });
});
