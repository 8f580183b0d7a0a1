import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startCore, type TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { type Installation, startInstallation, treeOf } from '../../../test/support/installs.ts';
import { listen } from '../../../test/support/listen.ts';
import { saveFile } from '../../../test/support/save-file.ts';

forEachDatabase((_name, open) => {
  describe('the sample world of a new installation', () => {
    let hub: TestCore;
    let one: Installation;
    before(async () => {
      hub = await startCore({ open });
      one = await startInstallation(
        { url: await listen(hub), token: hub.adminToken },
        { open, content: 'sample' },
      );
    });
    after(async () => {
      await one.core.close();
      await hub.close();
    });

    const idsIn = async (core: TestCore): Promise<string[]> => {
      const { body } = await core.call<{ entities: { entity_id: string }[] }>(
        'GET',
        '/api/entity/character?limit=100',
      );
      return body.entities.map(({ entity_id }) => entity_id).sort();
    };

    test('goes to no cloud unasked, and what would go is said', async () => {
      const here = await idsIn(one.core);
      assert.ok(here.length > 3);
      const { held_sample, left, held } = await one.sync();
      assert.equal(held_sample?.entities.character, here.length);
      assert.ok(held_sample.files > 0);
      assert.deepEqual([left, held, await idsIn(hub)], [[], null, []]);
      const { total, changes } = await one.core.cloudSync.queue(one.project, 1_000);
      assert.ok(total >= here.length);
      for (const { problem } of changes)
        assert.match(problem ?? '', /^part of the sample world: it stays here/);
      assert.deepEqual((await one.sync()).held_sample, held_sample);
    });

    test('does not keep own work back, nor what of it was edited', async () => {
      const [edited = ''] = await idsIn(one.core);
      const made = await one.core.call('POST', '/api/entity/character', {
        body: { entity_id: 'own', name: 'Own' },
      });
      assert.equal(made.status, 201, made.text);
      const change = await one.core.call('PUT', `/api/entity/character/${edited}`, {
        body: { name: 'Else' },
      });
      assert.equal(change.status, 200, change.text);
      await one.sync();
      assert.deepEqual(await idsIn(hub), [edited, 'own'].sort());
    });

    test('does not keep back what belongs to own work: its pictures, and copies of pictures', async () => {
      const [edited = ''] = await idsIn(hub);
      const portraitOf = (id: string) => `Characters/${id}/images/portrait.png`;
      const picture = readFileSync(join(one.core.contentDir, portraitOf(edited)));
      saveFile(join(one.core.contentDir, portraitOf('own')), picture);
      await one.core.call('POST', '/api/entity/sync/all');
      await one.sync();
      for (const id of [edited, 'own'])
        assert.deepEqual(readFileSync(join(hub.contentDir, portraitOf(id))), picture);
    });

    test('gives way to what the cloud has in its place, without a conflict', async () => {
      const [, same = ''] = await idsIn(one.core);
      const made = await hub.call('POST', '/api/entity/character', {
        body: { entity_id: same, name: 'Of the team' },
      });
      assert.equal(made.status, 201, made.text);
      const { conflicts, held_sample } = await one.sync();
      assert.equal(conflicts, 0);
      const { body } = await one.core.call<{ name: string }>('GET', `/api/entity/character/${same}`);
      assert.equal(body.name, 'Of the team');
      assert.equal(held_sample?.entities.character, (await idsIn(one.core)).length - 3);
    });

    test('goes when somebody says so', async () => {
      const { held_sample, error } = await one.core.cloudSync.pushAll(one.project, { force: true });
      assert.deepEqual([held_sample, error], [null, null]);
      await one.sync();
      assert.deepEqual(one.tree(), treeOf(hub.contentDir));
      assert.equal((await one.sync()).requests, 1);
    });
  });
});
