import assert from 'node:assert/strict';
import { readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type CoreSetup, startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { until } from '../../../test/support/until.ts';
import type { SyncReport } from './report.ts';

interface EntityReply {
  name: string;
  version: number;
  created_at: string;
}

forEachDatabase((_name, open) => {
  describe('what went wrong around the folder heals', () => {
    let core: TestCore;
    beforeEach(() => start({}));
    afterEach(() => core.close());

    async function start(setup: CoreSetup): Promise<void> {
      core = await startCore({ open, ...setup });
    }
    const at = (path: string) => join(core.contentDir, path);
    const putCharacter = (id: string, name = id) =>
      saveFile(at(`Characters/${id}/CH_${id}.md`), `---\nid: ${id}\nname: ${name}\n---\n`);
    const sync = async (body: object = {}): Promise<SyncReport> => {
      const reply = await core.call<SyncReport>('POST', '/api/sync/refresh-all', { body });
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const get = (id: string) => core.call<EntityReply>('GET', `/api/entity/character/${id}`);
    const binned = async () =>
      (await core.call<{ items: { entity_id: string }[] }>('GET', '/api/recycle-bin')).body.items.map(
        ({ entity_id }) => entity_id,
      );

    test('a deletion that somebody confirmed does not stop the next one', async () => {
      for (let index = 0; index < 20; index += 1) putCharacter(`person_${index}`);
      await sync();
      for (let index = 0; index < 12; index += 1)
        rmSync(at(`Characters/person_${index}`), { recursive: true });
      assert.equal((await sync({ force: true })).deleted, 12);
      rmSync(at('Characters/person_15'), { recursive: true });
      const next = await sync();
      assert.deepEqual([next.status, next.deleted], ['completed', 1]);
    });

    test('entities whose files became others’ go once somebody confirmed that so many go', async () => {
      const each = (work: (index: number) => void) => [1, 2, 3, 4].forEach(work);
      each((index) => putCharacter(`old_${index}`));
      each((index) => putCharacter(`new_${index}`));
      await sync();
      each((index) => {
        rmSync(at(`Characters/new_${index}`), { recursive: true });
        saveFile(at(`Characters/old_${index}/CH_old_${index}.md`), `---\nid: new_${index}\nname: New\n---\n`);
      });
      assert.equal((await sync()).confirmation?.deletions, 4);
      assert.equal((await get('old_1')).status, 200);
      assert.equal((await sync()).confirmation?.deletions, 4);
      assert.equal((await sync({ force: true })).deleted, 4);
      assert.deepEqual([(await get('old_1')).status, (await get('new_1')).body.name], [404, 'New']);
      assert.deepEqual((await binned()).toSorted(), ['old_1', 'old_2', 'old_3', 'old_4']);
    });

    test('templates that could not be read are in force once they can be', async () => {
      putCharacter('ada');
      await sync();
      const templates = at('_Templates');
      renameSync(templates, `${templates}-aside`);
      writeFileSync(templates, 'not a folder');
      await core.call('POST', '/api/templates/reload');
      rmSync(templates);
      renameSync(`${templates}-aside`, templates);
      const back = await sync();
      assert.deepEqual([back.status, back.invalid], ['completed', []]);
      assert.equal((await get('ada')).status, 200);
    });

    test('a watcher whose folder went away goes on when the folder is back', async () => {
      await core.close();
      await start({ watch: true });
      const running = async () =>
        (await core.call<{ running: boolean }>('GET', '/api/sync/file-watcher/status')).body.running;
      putCharacter('ada');
      await until(async () => (await get('ada')).status === 200);
      core.expectErrors(/^sync failed: the content folder is missing/);
      const aside = `${core.contentDir}-aside`;
      renameSync(core.contentDir, aside);
      await until(async () => !(await running()));
      renameSync(aside, core.contentDir);
      await sync();
      await until(running);
      putCharacter('ada', 'Ada again');
      await until(async () => (await get('ada')).body.name === 'Ada again');
    });

    test('an entity whose file comes back as it was takes up its history again', async () => {
      putCharacter('ada');
      putCharacter('bob');
      putCharacter('cleo');
      await sync();
      await core.call('PUT', '/api/entity/character/ada', { body: { name: 'Ada' } });
      const before = (await get('ada')).body;
      const folder = at('Characters/ada');
      renameSync(folder, `${core.contentDir}-ada`);
      assert.equal((await sync()).deleted, 1);
      assert.deepEqual(await binned(), ['ada']);

      renameSync(`${core.contentDir}-ada`, folder);
      assert.equal((await sync()).created, 1);
      const after = (await get('ada')).body;
      assert.deepEqual([after.version, after.created_at], [before.version + 1, before.created_at]);
      assert.deepEqual(await binned(), []);
      const revisions = await core.call<{ total: number }>('GET', '/api/entity/character/ada/revisions');
      assert.equal(revisions.body.total, after.version, 'every version is there');
    });

    test('a folder that was dragged out of the recycle bin is the entity that it was', async () => {
      putCharacter('ada');
      putCharacter('bob');
      await sync();
      await core.call('DELETE', '/api/entity/character/ada');
      const [folder = ''] = readdirSync(at('_RecycleBin/Characters'));
      renameSync(at(`_RecycleBin/Characters/${folder}`), at('Characters/ada'));
      assert.equal((await sync()).created, 1);
      assert.equal((await get('ada')).body.version, 2);
      assert.deepEqual(await binned(), []);
    });

    test('a new entity under an old id leaves what was deleted in the recycle bin', async () => {
      putCharacter('ada', 'The first');
      putCharacter('bob');
      await sync();
      await core.call('DELETE', '/api/entity/character/ada');
      putCharacter('ada', 'The second');
      await sync();
      assert.deepEqual([(await get('ada')).body.version, await binned()], [1, ['ada']]);
      rmSync(at('Characters/ada'), { recursive: true });
      await sync();
      // The same text as the deleted entity, which is still in the bin: a copy is another entity.
      putCharacter('ada', 'The first');
      await sync();
      assert.equal((await get('ada')).body.version, 1);
    });
  });
});
