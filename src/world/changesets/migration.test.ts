import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { snapshot } from '../../../test/support/cli.ts';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { Project } from '../records/scope.ts';
import type { MigrationPlan } from './migration-tally.ts';
import type { OperationReport } from './report.ts';

const RELICS = 40;
const TEMPLATE = `---
template_version: "1.0"
entity_type: relic
folder_name: Relics
file_prefix: REL_
age: 4 # years
motto: "[Words on it]"
field_config:
  age: { min: 0 }
---
`;

type Reply = MigrationPlan & { detail: string; operation?: OperationReport };

const relic = (index: number, age: string, key = 'age') =>
  `---\nid: relic_${index}\n${key}:   ${age}  # as told\nmotto: 'None'\n---\n\nage: not a field here\n`;
const ageOf = (index: number) => (index === 7 ? "'very old'" : `'${index}'`);

forEachDatabase((_name, open) => {
  describe('entities follow their template', () => {
    let core: TestCore;
    let project: Project;
    before(async () => {
      core = await startCore({ open });
      project = openedProject(core);
      put('_Templates/Custom', 'RELIC_TEMPLATE.md', TEMPLATE);
      for (let index = 0; index < RELICS; index += 1)
        put(folderOf(index), fileOf(index), relic(index, ageOf(index)));
      await sync();
    });
    after(() => core.close());

    const folderOf = (index: number) => `Relics/relic_${index}`;
    const fileOf = (index: number) => `REL_relic_${index}.md`;
    function put(folder: string, file: string, text: string): void {
      mkdirSync(join(core.contentDir, folder), { recursive: true });
      writeFileSync(join(core.contentDir, folder, file), text);
    }
    const at = (path: string) => readFileSync(join(core.contentDir, path), 'utf8');
    const sync = async () => {
      const report = await core.mirror.sync(project, { kind: 'full' });
      assert.equal(report.status, 'completed');
      return report;
    };
    const migrate = (body: object, name = 'relic') =>
      core.call<Reply>('POST', `/api/templates/${name}/migration`, { body });

    test('a preview counts, shows samples and names what cannot follow', async () => {
      const earlier = snapshot(core.contentDir);
      const changes = [
        { kind: 'retype', field: 'age', type: 'number' },
        { kind: 'rename', field: 'motto', to: 'inscription' },
        { kind: 'remove', field: 'ghost' },
        { kind: 'add', field: 'found_in' },
      ];
      const { status, body, text } = await migrate({ changes, dry_run: true }, 'RELIC_TEMPLATE.md');
      assert.equal(status, 200, text);
      assert.deepEqual([body.entities_total, body.entities_changed, body.lines_total], [40, 40, 119]);
      assert.deepEqual(
        body.changes.map(({ having, changed, refused_total }) => [having, changed, refused_total]),
        [
          [40, 39, 1],
          [40, 40, 0],
          [0, 0, 0],
          [0, 40, 0],
        ],
      );
      assert.deepEqual(body.changes[0]?.refused, [
        {
          entity_id: 'relic_7',
          path: 'Relics/relic_7/REL_relic_7.md',
          line: 3,
          value: '"very old"',
          reason: 'is no number',
        },
      ]);
      assert.equal(body.changes[0]?.sample.length, 20);
      assert.equal(body.operation, undefined);
      assert.deepEqual(snapshot(core.contentDir), earlier);
    });

    test('changes that cannot be are refused', async () => {
      const refusals: [object, number, RegExp][] = [
        [{ kind: 'rename', field: 'id', to: 'key' }, 422, /changes\.0\.field 'id' belongs/],
        [{ kind: 'rename', field: 'age', to: 'status' }, 422, /changes\.0\.to 'status' belongs/],
        [{ kind: 'rename', field: 'age', to: 'a: b' }, 422, /letters/],
        [{ kind: 'rename', field: 'age', to: 'age' }, 422, /current name/],
        [{ kind: 'retype', field: 'age', type: 'date' }, 422, /./],
      ];
      const earlier = snapshot(core.contentDir);
      for (const [change, status, detail] of refusals) {
        const reply = await migrate({ changes: [change] });
        assert.equal(reply.status, status, reply.text);
        assert.match(reply.body.detail, detail);
      }
      assert.equal((await migrate({ changes: [{ kind: 'remove', field: 'x' }] }, 'nothing')).status, 404);
      const token = await core.registerViewer();
      const denied = await core.call('POST', '/api/templates/relic/migration', {
        body: { changes: [{ kind: 'remove', field: 'age' }] },
        token,
      });
      assert.equal(denied.status, 403);
      assert.deepEqual(snapshot(core.contentDir), earlier);
    });

    test('files and template change on those lines alone, and one undo brings all of it back', async () => {
      const earlier = snapshot(core.contentDir);
      const { status, body, text } = await migrate({
        changes: [
          { kind: 'retype', field: 'age', type: 'number' },
          { kind: 'rename', field: 'age', to: 'years' },
        ],
        update_template: true,
      });
      assert.equal(status, 200, text);
      assert.deepEqual([body.operation?.status, body.operation?.applied], ['done', RELICS + 1]);
      for (let index = 0; index < RELICS; index += 1) {
        const age = index === 7 ? ageOf(index) : String(index);
        assert.equal(at(`${folderOf(index)}/${fileOf(index)}`), relic(index, age, 'years'));
      }
      const template = at('_Templates/Custom/RELIC_TEMPLATE.md');
      assert.equal(template, TEMPLATE.replaceAll('age:', 'years:').replace('"1.0"', '"1.1"'));
      const read = await core.call<{ fields: Record<string, unknown>; is_valid: boolean }>(
        'GET',
        '/api/entity/relic/relic_3',
      );
      assert.deepEqual([read.body.fields.years, 'age' in read.body.fields], [3, false]);
      assert.equal((await sync()).updated, 0);

      const editor = { actor: 'ed', plan: 'enterprise', role: 'editor' } as const;
      const { operation_id = '' } = body.operation ?? {};
      await assert.rejects(core.changesets.undo(project, operation_id, editor), /needs the role admin/);
      const undone = await core.call<OperationReport>('POST', `/api/operations/${operation_id}/undo`);
      assert.deepEqual([undone.body.status, undone.body.applied], ['done', RELICS + 1], undone.text);
      assert.deepEqual(snapshot(core.contentDir), earlier);
      assert.equal((await sync()).updated, 0);
    });

    test('a file that cannot be read is named and left; the others follow', async () => {
      put(folderOf(1), fileOf(1), '---\nid: relic_1\nage: [\n---\n');
      await sync();
      const { body } = await migrate({ changes: [{ kind: 'remove', field: 'motto' }] });
      assert.deepEqual([body.unreadable_total, body.unreadable[0]?.path], [1, `${folderOf(1)}/${fileOf(1)}`]);
      assert.deepEqual([body.operation?.status, body.operation?.applied], ['done', RELICS - 1]);
      assert.equal(at(`${folderOf(1)}/${fileOf(1)}`), '---\nid: relic_1\nage: [\n---\n');
      assert.equal(at(`${folderOf(2)}/${fileOf(2)}`).includes('motto'), false);
    });
  });
});
