import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { openedProject, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import type { Project } from '../records/scope.ts';
import { RECYCLE_ROOT } from '../texts/index.ts';
import { createEntities } from './entities.service.ts';
import { createRecycleBin } from './recycle.service.ts';
import { createReferenceChecks } from './reference-checks.ts';

interface Item {
  item_id: string;
  entity_id: string;
}

const AUTHOR = { actor: 'ada', plan: 'enterprise' } as const;

forEachDatabase((_name, open) => {
  describe('recycle bin and revisions', () => {
    let core: TestCore;
    before(async () => {
      core = await startCore({ open });
    });
    after(() => core.close());

    const services = () => {
      const { templates } = core;
      const checks = createReferenceChecks({ templates, log: silentLog });
      const entities = createEntities({ templates, clock: systemClock, checks });
      return { entities, bin: createRecycleBin({ entities, clock: systemClock }) };
    };
    const folderOf = (id: string) => join(core.contentDir, 'Characters', id);
    const create = (entity_id: string) =>
      core.call<{ checksum: string }>('POST', '/api/entity/character', {
        body: { entity_id, name: entity_id },
      });
    const remove = (id: string) => core.call<Item>('DELETE', `/api/entity/character/${id}`);
    const bin = async () =>
      (await core.call<{ total: number; items: Item[] }>('GET', '/api/recycle-bin')).body;

    test('a restore that fails puts a damaged text back, but never over what somebody wrote meanwhile', async () => {
      await create('hurt');
      const file = join(folderOf('hurt'), 'CH_hurt.md');
      const good = readFileSync(file, 'utf8');
      writeFileSync(file, '---\nid: [hurt\n---\n');
      await core.call('POST', '/api/entity/sync/character');
      const { body: item } = await remove('hurt');

      const { bin } = services();
      const project = openedProject(core);
      const failing: Project = {
        ...project,
        database: {
          ...project.database,
          async write(work, options) {
            if (!existsSync(file) || readFileSync(file, 'utf8') !== good)
              return project.database.write(work, options);
            writeFileSync(file, 'typed meanwhile');
            throw new Error('no room');
          },
        },
      };
      await assert.rejects(bin.restore(failing, item.item_id, AUTHOR, { overDamaged: true }), /no room/);
      const cwd = join(core.contentDir, RECYCLE_ROOT);
      const [left] = globSync('**/CH_hurt.md', { cwd });
      assert.ok(left);
      assert.equal(readFileSync(join(cwd, left), 'utf8'), 'typed meanwhile');
      await bin.empty(project);
    });

    test('a restored entity stays where it is if what refers to it cannot be looked at then', async () => {
      await create('back');
      const { body: item } = await remove('back');
      const { entities, bin } = services();
      entities.followTargets = async () => {
        throw new Error('the database went away');
      };
      const project = openedProject(core);
      await assert.rejects(bin.restore(project, item.item_id, AUTHOR), /went away/);
      assert.equal(existsSync(join(folderOf('back'), 'CH_back.md')), true);
      assert.equal((await core.call('GET', '/api/entity/character/back')).status, 200);
    });

    test('a deleted entity takes its folder along and returns as it was', async () => {
      const made = await create('gone');
      mkdirSync(join(folderOf('gone'), 'images'));
      writeFileSync(join(folderOf('gone'), 'images', 'face.png'), 'pixels');
      const file = readFileSync(join(folderOf('gone'), 'CH_gone.md'));
      const { body: item } = await remove('gone');
      assert.equal(existsSync(folderOf('gone')), false);
      assert.equal((await core.call('GET', '/api/entity/character/gone')).status, 404);
      assert.equal(
        (await core.call<{ total: number }>('GET', '/api/entity/character?search=gone')).body.total,
        0,
      );
      assert.deepEqual(
        (await bin()).items.map((each) => each.entity_id),
        ['gone'],
      );
      const back = await core.call<{ checksum: string; version: number }>(
        'POST',
        `/api/recycle-bin/${item.item_id}/restore`,
      );
      assert.equal(back.status, 200, back.text);
      assert.equal(back.body.checksum, made.body.checksum);
      assert.deepEqual(readFileSync(join(folderOf('gone'), 'CH_gone.md')), file);
      assert.equal(readFileSync(join(folderOf('gone'), 'images', 'face.png'), 'utf8'), 'pixels');
      assert.equal((await bin()).total, 0);
      const history = await core.call<{ revisions: { version: number }[] }>(
        'GET',
        '/api/entity/character/gone/revisions',
      );
      assert.deepEqual(
        history.body.revisions.map((revision) => revision.version),
        [2, 1],
        'the version that was deleted stays in the history',
      );
    });

    test('a file that became another entity’s is not deleted in place of the one that it was', async () => {
      await create('once');
      const path = join(folderOf('once'), 'CH_once.md');
      writeFileSync(path, readFileSync(path, 'utf8').replace('id: once', 'id: other'));
      const refused = await core.call<{ code: string }>('DELETE', '/api/entity/character/once');
      assert.deepEqual([refused.status, refused.body.code], [409, 'id_changed_outside']);
      assert.match(readFileSync(path, 'utf8'), /id: other/);
      await core.call('POST', '/api/sync/refresh-all', { body: {} });
      assert.equal((await core.call('DELETE', '/api/entity/character/once')).status, 404);
      const { body } = await core.call<Item>('DELETE', '/api/entity/character/other');
      await core.call('DELETE', `/api/recycle-bin/${body.item_id}`);
    });

    test('an id is free after the delete; restoring onto it is 409', async () => {
      await create('again');
      const { body: item } = await remove('again');
      assert.equal((await create('again')).status, 201);
      const refused = await core.call('POST', `/api/recycle-bin/${item.item_id}/restore`);
      assert.equal(refused.status, 409);
      const { body: second } = await remove('again');
      assert.notEqual(second.item_id, item.item_id);
      assert.equal((await core.call('POST', `/api/recycle-bin/${item.item_id}/restore`)).status, 200);
    });

    test('purging is for good', async () => {
      await create('purged');
      const { body: item } = await remove('purged');
      assert.equal((await core.call('DELETE', `/api/recycle-bin/${item.item_id}`)).status, 200);
      assert.equal((await core.call('POST', `/api/recycle-bin/${item.item_id}/restore`)).status, 404);
      const emptied = await core.call<{ purged: number }>('DELETE', '/api/recycle-bin');
      assert.equal(emptied.status, 200);
      assert.equal((await bin()).total, 0);
    });

    test('an item is restored or purged, never half of each', async () => {
      for (let round = 0; round < 12; round += 1) {
        const id = `raced_${round}`;
        await create(id);
        await core.call('PUT', `/api/entity/character/${id}`, { body: { name: 'Second' } });
        const { body: item } = await remove(id);
        const restore = () => core.call('POST', `/api/recycle-bin/${item.item_id}/restore`);
        const purge = () => core.call('DELETE', `/api/recycle-bin/${item.item_id}`);
        const calls = round % 2 === 0 ? [restore(), purge()] : [purge(), restore()];
        const statuses = (await Promise.all(calls)).map((reply) => reply.status);
        assert.deepEqual(statuses.toSorted(), [200, 404], `round ${round}: ${statuses}`);
        const isBack = statuses[round % 2] === 200;
        assert.equal(existsSync(folderOf(id)), isBack, `round ${round}`);
        const history = await core.call<{ total: number }>('GET', `/api/entity/character/${id}/revisions`);
        assert.deepEqual([history.status, history.body.total], isBack ? [200, 3] : [404, undefined]);
      }
      assert.equal((await bin()).total, 0);
    });

    test('emptying the bin twice at once purges each item once', async () => {
      for (const id of ['bin_a', 'bin_b', 'bin_c']) {
        await create(id);
        await remove(id);
      }
      const empty = () => core.call<{ purged: number }>('DELETE', '/api/recycle-bin');
      const replies = await Promise.all([empty(), empty()]);
      assert.deepEqual(
        replies.map((reply) => reply.status),
        [200, 200],
      );
      assert.equal(
        replies.reduce((sum, reply) => sum + reply.body.purged, 0),
        3,
      );
    });

    test('every version can be listed, read, compared and brought back byte for byte', async () => {
      await create('drafted');
      const path = join(folderOf('drafted'), 'CH_drafted.md');
      const first = readFileSync(path);
      const edit = (body: object) => core.call('PUT', '/api/entity/character/drafted', { body });
      await edit({ fields: { species: 'selkie' } });
      await edit({ markdown_body: 'one\ntwo\n', name: 'Drafted' });
      const base = '/api/entity/character/drafted/revisions';
      const listed = await core.call<{ total: number; revisions: { version: number; changed: string[] }[] }>(
        'GET',
        base,
      );
      assert.equal(listed.body.total, 3);
      assert.deepEqual(
        listed.body.revisions.map((revision) => revision.version),
        [3, 2, 1],
      );
      assert.deepEqual(listed.body.revisions[1]?.changed, ['species']);
      const paged = await core.call<{ revisions: { version: number }[] }>('GET', `${base}?limit=1&offset=1`);
      assert.deepEqual(
        paged.body.revisions.map((revision) => revision.version),
        [2],
      );
      const read = await core.call<{ content: string }>('GET', `${base}/1`);
      assert.equal(read.body.content, first.toString());
      const diff = await core.call<{ fields: unknown[] }>('GET', `${base}/1/diff?against=2`);
      assert.deepEqual(diff.body.fields, [
        { field: 'species', kind: 'changed', before: 'human', after: 'selkie' },
      ]);
      const restored = await core.call<{ version: number }>('POST', `${base}/1/restore`);
      assert.equal(restored.body.version, 4);
      assert.deepEqual(readFileSync(path), first);
      assert.equal((await core.call('GET', `${base}/99`)).status, 404);
      for (const path of ['0', '1.5', 'x', '9'.repeat(23), `1/diff?against=${'9'.repeat(23)}`])
        assert.equal((await core.call('GET', `${base}/${path}`)).status, 422, path);
    });
  });
});
