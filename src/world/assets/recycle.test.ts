import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type AssetBody,
  type AssetWorld,
  picture,
  startAssetWorld,
} from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { AssetDb } from './assets.tables.ts';

const PATH = 'Characters/mira/images/portrait.png';
const BIN = '_RecycleBin/_assets/cut_short';

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  let asset: AssetBody;
  const place = (path: string) => join(world.core.contentDir, path);
  const call = (method: string, url: string, body?: object) =>
    world.core.call<{ items: { item_id: string; path: string }[]; purged: number } & AssetBody>(
      method,
      url,
      body && { body },
    );
  const recycled = async () => (await call('GET', '/api/assets/recycled')).body.items;

  /** The row that a deletion writes first. */
  const begin = () =>
    world.core.database.tenant('local').write((db: AssetDb) =>
      db
        .insertInto('asset_recycle_items')
        .values({
          ...{ item_id: 'cut_short', tenant_id: 'local', project_id: 'default', asset_id: asset.id },
          ...{ path: PATH, bin_path: `${BIN}/${PATH}`, home: 'Characters/mira' },
          ...{ mime_type: asset.mime_type, size_bytes: asset.size_bytes, sha256: asset.checksum_sha256 },
          ...{ entry: JSON.stringify({ id: asset.id, tags: ['kept'] }) },
          ...{ deleted_at: '2026-03-02T10:00:00.000Z', deleted_by: 'somebody', in_bin: 0 },
        })
        .execute(),
    );

  before(async () => {
    world = await startAssetWorld({ open });
    world.put(PATH, await picture('red'));
    world.put('Characters/mira/images/other.png', await picture('blue'));
    await world.scan();
    asset = (await call('PUT', `/api/assets/${(await world.at(PATH)).id}`, { tags: ['kept'] })).body;
  });
  after(() => world.close());

  test('a deletion that a crash cut short before the file moved has not happened', async () => {
    await begin();
    assert.deepEqual(await recycled(), []);
    await world.scan();
    assert.deepEqual((await world.at(PATH)).tags, ['kept']);
    assert.deepEqual(await recycled(), []);
  });

  test('one that was cut short after the file moved is finished by the next sync, and can be taken back', async () => {
    mkdirSync(dirname(place(`${BIN}/${PATH}`)), { recursive: true });
    renameSync(place(PATH), place(`${BIN}/${PATH}`));
    // Last, because a sync by the watcher removes a deletion whose file is not in the bin.
    await begin();
    await world.scan();
    assert.deepEqual(
      (await recycled()).map(({ path }) => path),
      [PATH],
    );
    assert.doesNotMatch(readFileSync(place('Characters/mira/_assets.yaml'), 'utf8'), /kept/);
    const restored = await call('POST', '/api/assets/recycled/cut_short/restore');
    assert.deepEqual([restored.status, restored.body.id, restored.body.tags], [200, asset.id, ['kept']]);
    await world.scan();
    assert.equal((await world.at(PATH)).id, asset.id);
  });

  test('a restoration that was cut short after the file moved is finished when it is asked for again', async () => {
    const before = await world.at(PATH);
    const { item_id } = (await call('DELETE', `/api/assets/${before.id}`)).body as unknown as {
      item_id: string;
    };
    renameSync(place(`_RecycleBin/_assets/${item_id}/${PATH}`), place(PATH));
    const restore = () => call('POST', `/api/assets/recycled/${item_id}/restore`);
    const restored = await restore();
    assert.deepEqual([restored.status, restored.body.id, restored.body.tags], [200, asset.id, ['kept']]);
    assert.deepEqual(await recycled(), []);
    assert.equal((await restore()).status, 404);
  });

  test('what somebody removed from the bin by hand is no longer listed, nor known in any row', async () => {
    const path = 'Characters/mira/images/lost.png';
    world.put(path, await picture('olive'));
    await world.scan();
    world.put(path, await picture('gold'));
    await world.scan();
    const { id } = await world.at(path);
    const relationship = { target_type: 'entity', target_id: 'character:mira', relationship_type: 'depicts' };
    await call('POST', `/api/assets/${id}/relationships`, relationship);
    const rowsOf = (table: 'asset_versions' | 'asset_relationships') =>
      world.core.database
        .tenant('local')
        .read((db: AssetDb) => db.selectFrom(table).select('asset_id').where('asset_id', '=', id).execute());
    const counts = async () => [
      (await rowsOf('asset_versions')).length,
      (await rowsOf('asset_relationships')).length,
    ];
    const { item_id } = (await call('DELETE', `/api/assets/${id}`)).body as unknown as { item_id: string };
    assert.deepEqual(await counts(), [1, 1], 'a restoration brings them back');
    rmSync(place(`_RecycleBin/_assets/${item_id}`), { recursive: true });
    assert.deepEqual(await recycled(), []);
    assert.deepEqual(await counts(), [0, 0]);
  });

  test('what is removed for good leaves no rows', async () => {
    const path = 'Characters/mira/images/purged.png';
    for (const colour of ['teal', 'navy']) {
      world.put(path, await picture(colour));
      await world.scan();
    }
    const { id } = await world.at(path);
    const { item_id } = (await call('DELETE', `/api/assets/${id}`)).body as unknown as { item_id: string };
    assert.equal((await call('DELETE', `/api/assets/recycled/${item_id}`)).status, 200);
    const left = await world.core.database
      .tenant('local')
      .read((db: AssetDb) =>
        db.selectFrom('asset_versions').select('asset_id').where('asset_id', '=', id).execute(),
      );
    assert.deepEqual(left, []);
  });

  test('emptying the recycle bin removes deleted assets too', async () => {
    for (const { id } of await world.list())
      assert.equal((await call('DELETE', `/api/assets/${id}`)).status, 200);
    const [first] = await recycled();
    assert.equal((await recycled()).length, 2);
    assert.equal((await call('DELETE', '/api/recycle-bin')).body.purged, 2);
    assert.deepEqual(await recycled(), []);
    assert.equal(existsSync(place(`_RecycleBin/_assets/${first?.item_id}`)), false);
  });
});
