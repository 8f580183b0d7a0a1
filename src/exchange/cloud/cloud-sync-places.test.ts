import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { TestCore } from '../../../test/support/core.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { replicasOfSuite } from '../../../test/support/installs.ts';
import { characterText } from '../../../test/support/replication.ts';
import { saveFile } from '../../../test/support/save-file.ts';
import { until } from '../../../test/support/until.ts';

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const file = (id: string, folder = id) => `Characters/${folder}/CH_${id}.md`;

forEachDatabase((_name, open) => {
  describe('places of entities on two installations and a cloud', () => {
    const { hub, one, two, settle } = replicasOfSuite({ open });
    before(async () => {
      for (const id of ['ann', 'ben', 'cleo', 'dora', 'emil']) await one.write(file(id), characterText(id));
      await one.write('Characters/ann/images/face.png', PNG);
      await settle();
    });

    const statusOf = async ({ core }: { core: TestCore }, id: string) =>
      (await core.call('GET', `/api/entity/character/${id}`)).status;

    test('a file that says another id is another entity, with what lies in its folder', async () => {
      await one.write(file('ann'), characterText('anna'));
      await settle();
      for (const core of [hub, one.core, two.core]) {
        assert.deepEqual([await statusOf({ core }, 'ann'), await statusOf({ core }, 'anna')], [404, 200]);
      }
      await until(async () => {
        const { body } = await hub.call<{ assets: { entity_id: string }[] }>('GET', '/api/assets');
        return body.assets[0]?.entity_id === 'anna';
      });
      assert.ok(two.tree().has('Characters/ann/images/face.png'));
    });

    test('a file that came as another one’s double, and is the entity’s own since, is that everywhere', async () => {
      const refresh = () => hub.call('POST', '/api/sync/refresh-all', { body: { force: true } });
      saveFile(join(hub.contentDir, file('ben', 'here')), characterText('ben'));
      await refresh();
      await settle();
      assert.ok(one.tree().has(file('ben', 'here')));

      rmSync(join(hub.contentDir, 'Characters/ben'), { recursive: true });
      await refresh();
      await settle();
      for (const { tree } of [one, two])
        assert.deepEqual([tree().has(file('ben')), tree().has(file('ben', 'here'))], [false, true]);
      assert.equal(await statusOf(one, 'ben'), 200);
    });
  });
});
