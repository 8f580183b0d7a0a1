import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { snapshot } from '../../../test/support/cli.ts';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { Project } from '../records/scope.ts';
import type { RenamePlan } from './rename.service.ts';
import type { OperationReport } from './report.ts';

const REFERRERS = 300;

type Reply = RenamePlan & { operation?: OperationReport; detail?: string };

/** A location that refers to the character in a field and in its body, formatted unlike our own output. */
const referrer = (index: number, to: string) =>
  `---\r\nid: place_${index}\r\nname:   'Place ${index}'   # odd on purpose\r\nnotable_residents: [ ${to} ]\r\n---\r\n\r\nHome of [[character:${to}|her]] and of [[${to}]].\r\n`;

forEachDatabase((_name, open) => {
  describe('renaming an entity', () => {
    let core: TestCore;
    let project: Project;
    before(async () => {
      core = await startCore({ open });
      project = openedProject(core);
      for (let index = 0; index < REFERRERS; index += 1)
        put('Locations', `place_${index}`, `LOC_place_${index}`, referrer(index, 'mira'));
      put(
        'Characters',
        'mira',
        'CH_mira',
        '---\nid: mira # hers\nname: Mira\n---\n\nShe, [[mira]], alone.\n',
      );
      mkdirSync(join(core.contentDir, 'Characters', 'mira', 'images'));
      writeFileSync(join(core.contentDir, 'Characters', 'mira', 'images', 'face.png'), 'pixels');
      await sync();
    });
    after(() => core.close());

    function put(type: string, folder: string, file: string, text: string): void {
      mkdirSync(join(core.contentDir, type, folder), { recursive: true });
      writeFileSync(join(core.contentDir, type, folder, `${file}.md`), text);
    }
    const at = (path: string) => readFileSync(join(core.contentDir, path), 'utf8');
    const sync = async () => {
      const report = await core.mirror.sync(project, { kind: 'full' });
      assert.equal(report.status, 'completed');
      return report;
    };
    const rename = (body: object) => core.call<Reply>('POST', '/api/rename-entity', { body });
    const mira = { entity_type: 'character', old_id: 'mira', new_id: 'mira_vale' };
    const versions = async (id: string) => {
      const { body } = await core.call<{ revisions: { version: number; operation_id: string | null }[] }>(
        'GET',
        `/api/entity/character/${id}/revisions`,
      );
      return body.revisions;
    };

    test('a dry run names every file and changes nothing', async () => {
      const earlier = snapshot(core.contentDir);
      const { status, body } = await rename({ ...mira, dry_run: true });
      assert.equal(status, 200);
      assert.deepEqual([body.files_total, body.files.length, body.lines_total], [301, 301, 602]);
      assert.deepEqual(body.files.at(-1), {
        entity_type: 'character',
        entity_id: 'mira',
        path: 'Characters/mira/CH_mira.md',
        new_path: 'Characters/mira_vale/CH_mira_vale.md',
        lines: 2,
      });
      assert.deepEqual(snapshot(core.contentDir), earlier);
      assert.equal(body.operation, undefined);
    });

    test('what cannot be is refused before anything is written', async () => {
      const earlier = snapshot(core.contentDir);
      const refusals: [object, number, RegExp][] = [
        [{ ...mira, new_id: 'Mira Vale' }, 422, /must match/],
        [{ ...mira, new_id: 'schema' }, 422, /schema/],
        [{ ...mira, new_id: 'mira' }, 422, /has that id already/],
        [{ entity_type: 'character', new_id: 'x' }, 422, /old_id/],
        [{ ...mira, name: '  ' }, 422, /name must not be empty/],
        [{ ...mira, entity_type: 'location', old_id: 'place_1', new_id: 'place_2' }, 409, /exists already/],
        [{ ...mira, old_id: 'nobody' }, 404, /no character/],
        [{ ...mira, entity_type: 'spell' }, 404, /no entity type/],
      ];
      for (const [body, status, detail] of refusals) {
        const reply = await rename(body);
        assert.equal(reply.status, status, reply.text);
        assert.match(String(reply.body.detail), detail);
      }
      const viewer = await core.registerViewer();
      const denied = await core.call('POST', '/api/rename-entity', { body: mira, token: viewer });
      assert.equal(denied.status, 403);
      assert.deepEqual(snapshot(core.contentDir), earlier);
    });

    test('a file that refers to it and cannot be read stops the rename, named with its line', async () => {
      const good = at('Locations/place_7/LOC_place_7.md');
      put(
        'Locations',
        'place_7',
        'LOC_place_7',
        good.replace('notable_residents: [', 'notable_residents: {['),
      );
      put('Items', 'lamp', 'ITM_lamp', '---\nid: lamp\nname: [\nowner: mira\n---\n');
      await sync();
      const earlier = snapshot(core.contentDir);
      const { status, body } = await core.call<{ detail: string; errors: { field: string; line: number }[] }>(
        'POST',
        '/api/rename-entity',
        { body: mira },
      );
      assert.equal(status, 409);
      assert.match(
        body.detail,
        /LOC_place_7\.md refers to 'mira' and cannot be changed \(line 5: .*and 1 more/,
      );
      assert.deepEqual(
        body.errors.map(({ field }) => field),
        ['Locations/place_7/LOC_place_7.md', 'Items/lamp/ITM_lamp.md'],
      );
      assert.deepEqual(snapshot(core.contentDir), earlier);
      assert.equal((await core.changesets.list(project, 10, 0)).total, 0, 'no plan is left behind');
      put('Locations', 'place_7', 'LOC_place_7', good);
      put('Items', 'lamp', 'ITM_lamp', '---\nid: lamp\nname: Lamp\n---\n');
      await sync();
    });

    test('everything follows, byte for byte, and one undo brings all of it back', async () => {
      const earlier = snapshot(core.contentDir);
      const { status, body, text } = await rename({ ...mira, name: 'Mira Vale' });
      assert.equal(status, 200, text);
      assert.deepEqual(
        [body.operation?.status, body.operation?.applied, body.files_total],
        ['done', 301, 301],
      );
      for (let index = 0; index < REFERRERS; index += 1) {
        assert.equal(at(`Locations/place_${index}/LOC_place_${index}.md`), referrer(index, 'mira_vale'));
      }
      assert.equal(
        at('Characters/mira_vale/CH_mira_vale.md'),
        '---\nid: mira_vale # hers\nname: Mira Vale\n---\n\nShe, [[mira_vale]], alone.\n',
      );
      assert.equal(at('Characters/mira_vale/images/face.png'), 'pixels');
      assert.equal(existsSync(join(core.contentDir, 'Characters', 'mira')), false);
      assert.equal((await core.call('GET', '/api/entity/character/mira')).status, 404);
      const renamed = await core.call<{ name: string; version: number }>(
        'GET',
        '/api/entity/character/mira_vale',
      );
      assert.deepEqual([renamed.body.name, renamed.body.version], ['Mira Vale', 2]);
      assert.deepEqual(
        (await versions('mira_vale')).map(({ version, operation_id }) => [version, operation_id]),
        [
          [2, body.operation?.operation_id],
          [1, null],
        ],
      );
      const { created, updated, deleted } = await sync();
      assert.deepEqual([created, updated, deleted], [0, 0, 0], 'the rows knew it all');

      const undone = await core.call<OperationReport>(
        'POST',
        `/api/operations/${body.operation?.operation_id}/undo`,
      );
      assert.deepEqual([undone.body.status, undone.body.applied], ['done', 301], undone.text);
      assert.deepEqual(snapshot(core.contentDir), earlier);
      assert.equal((await versions('mira')).length, 3);
      assert.equal((await core.call('GET', '/api/entity/character/mira_vale')).status, 404);
      const again = await sync();
      assert.deepEqual([again.created, again.updated, again.deleted], [0, 0, 0]);
    });

    const create = (type: string, entity_id: string, more: object = {}) =>
      core.call('POST', `/api/entity/${type}`, { body: { entity_id, name: entity_id, ...more } });

    test('a file that was changed outside since the last sync follows too', async () => {
      await create('character', 'fresh');
      put('Events', 'arrival', 'EVT_arrival', '---\nid: arrival\nname: Arrival\n---\n\nOf [[fresh]].\n');
      const body = { entity_type: 'character', old_id: 'fresh', new_id: 'stale' };
      const planned = await rename({ ...body, dry_run: true });
      assert.deepEqual(
        planned.body.files.map(({ entity_id }) => entity_id),
        ['arrival', 'fresh'],
      );
      put('Events', 'feast', 'EVT_feast', '---\nid: feast\nname: Feast\n---\n\nOf [[fresh]].\n');
      const { status, text } = await rename(body);
      assert.equal(status, 200, text);
      assert.match(at('Events/arrival/EVT_arrival.md'), /\[\[stale\]\]/);
      assert.match(at('Events/feast/EVT_feast.md'), /\[\[stale\]\]/);
    });

    test('an undo takes nothing back while the old id is somebody else’s, or the entity has another one', async () => {
      await create('character', 'ann');
      await create('event', 'visit', { markdown_body: 'Of [[character:ann]].\n' });
      const body = { entity_type: 'character', old_id: 'ann', new_id: 'anna' };
      const renamed = await rename(body);
      await create('character', 'ann');
      const earlier = snapshot(core.contentDir);
      const undo = () =>
        core.call<OperationReport>('POST', `/api/operations/${renamed.body.operation?.operation_id}/undo`);
      const refused = await undo();
      assert.deepEqual(
        [refused.body.status, refused.body.applied, refused.body.skipped_total],
        ['partial', 0, 2],
      );
      assert.match(refused.body.skipped.map(({ reason }) => reason).join('\n'), /'ann' exists already/);
      assert.deepEqual(snapshot(core.contentDir), earlier, 'nobody refers to the other one now');

      await core.call('DELETE', '/api/entity/character/ann');
      await rename({ entity_type: 'character', old_id: 'anna', new_id: 'hanna' });
      const again = await undo();
      assert.match(again.body.skipped.map(({ reason }) => reason).join('\n'), /renamed to 'hanna' since/);
      assert.match(at('Events/visit/EVT_visit.md'), /\[\[character:hanna\]\]/);
    });

    test('links without a type follow only where they mean this entity', async () => {
      await create('character', 'twin');
      await create('item', 'twin');
      await create('item', 'solo_new');
      await create('character', 'solo');
      const markdown_body = 'Of [[twin]], [[character:twin]] and [[solo]].\n';
      await create('event', 'meeting', { markdown_body });
      await rename({ entity_type: 'character', entity_id: 'twin', new_id: 'double' });
      await rename({ entity_type: 'character', entity_id: 'solo', new_id: 'solo_new' });
      assert.match(
        at('Events/meeting/EVT_meeting.md'),
        /Of \[\[twin\]\], \[\[character:double\]\] and \[\[character:solo_new\]\]\./,
      );
    });
  });
});
