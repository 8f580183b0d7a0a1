import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  type AssetBody,
  type AssetWorld,
  picture,
  startAssetWorld,
} from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import { until } from '../../../test/support/until.ts';

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  before(async () => {
    world = await startAssetWorld({ open });
  });
  after(() => world.close());

  async function upload(
    url: string,
    bytes: Uint8Array | string,
    { name = 'portrait.png', cut = 0, ...fields }: Record<string, string | number> = {},
  ) {
    const form = new FormData();
    for (const [key, value] of Object.entries(fields)) form.append(key, String(value));
    form.append('file', new Blob([bytes as string]), String(name));
    const body = new Response(form);
    const payload = Buffer.from(await body.arrayBuffer());
    const reply = await world.core.app.inject({
      method: 'POST',
      url,
      headers: {
        authorization: `Bearer ${world.core.adminToken}`,
        'content-type': body.headers.get('content-type') ?? '',
      },
      payload: payload.subarray(0, payload.length - Number(cut)),
    });
    return { status: reply.statusCode, body: reply.json<AssetBody>() };
  }
  const IMAGE = '/api/upload/character/mira/image';

  test("an upload lies in its entity's folder, described, served, and its primary asset if so asked", async () => {
    const bytes = await picture('red');
    const { status, body } = await upload(IMAGE, bytes, {
      is_primary: 'true',
      tags: 'hero, wall',
      license: 'CC0',
    });
    assert.equal(status, 201, JSON.stringify(body));
    assert.equal(body.path, 'Characters/mira/images/portrait.png');
    assert.deepEqual([body.tags, body.license, body.size_bytes], [['hero', 'wall'], 'CC0', bytes.length]);
    assert.notEqual(body.created_by, null);
    const served = await world.core.app.inject({ url: body.url });
    assert.ok(served.rawPayload.equals(bytes));
    const entity = await world.core.call('GET', '/api/entity/character/mira');
    assert.equal(entity.body.primary_asset, 'images/portrait.png');
    // Measured in the background after the upload.
    await until(async () => (await world.at(body.path)).width === 64);
    const scanned = await world.scan();
    assert.deepEqual([scanned.added, scanned.replaced], [0, 0]);
  });

  test('a name that is taken gets a number, unless the file is to be replaced', async () => {
    const second = await upload(IMAGE, await picture('blue'));
    assert.equal(second.body.filename, 'portrait_2.png');
    const bytes = await picture('green');
    const first = await world.at('Characters/mira/images/portrait.png');
    const replaced = await upload(IMAGE, bytes, { overwrite: 'true' });
    assert.deepEqual([replaced.body.id, replaced.body.filename], [first.id, 'portrait.png']);
    assert.deepEqual(
      replaced.body.versions.map(({ version, created_by }) => [version, created_by]),
      [
        [2, first.created_by],
        [1, first.created_by],
      ],
    );
    assert.equal(readdirSync(join(world.core.contentDir, '_RecycleBin/_assets')).length, 1);
  });

  test('what an upload replaced waits in the recycle bin until it is wanted or purged', async () => {
    type Listed = AssetBody & { item_id: string; items: { item_id: string; path: string }[] };
    const call = (method: string, url: string) => world.core.call<Listed>(method, url);
    const path = 'Characters/mira/images/portrait.png';
    const [item] = (await call('GET', '/api/assets/recycled')).body.items;
    assert.equal(item?.path, path);
    const restore = `/api/assets/recycled/${item.item_id}/restore`;
    assert.equal((await call('POST', restore)).status, 409);
    const present = await world.at(path);
    const deleted = (await call('DELETE', `/api/assets/${present.id}`)).body;
    const restored = await call('POST', restore);
    assert.equal(restored.status, 200, restored.text);
    assert.deepEqual([restored.body.id, restored.body.tags], [present.id, present.tags]);
    assert.notEqual(restored.body.checksum_sha256, present.checksum_sha256);
    const again = (await call('DELETE', `/api/assets/${present.id}`)).body;
    assert.equal((await call('POST', `/api/assets/recycled/${deleted.item_id}/restore`)).status, 200);
    assert.equal((await call('DELETE', `/api/assets/recycled/${again.item_id}`)).status, 200);
    assert.deepEqual((await call('GET', '/api/assets/recycled')).body.items, []);
  });

  test('whoever looks while an upload replaces a file finds the old one or the new one', async () => {
    const bytesOf = (letter: string) => `${letter.repeat(99)}\n`.repeat(80_000);
    const fields = { name: 'long.csv', overwrite: 'true' };
    const [url, path] = ['/api/upload/character/mira', 'Characters/mira/data/long.csv'];
    assert.equal((await upload(url, bytesOf('a'), fields)).status, 201);
    const isOver = new AbortController();
    const seen = new Set<string>();
    const looking = (async () => {
      for (; !isOver.signal.aborted; await turn()) {
        const stats = statSync(join(world.core.contentDir, path), { throwIfNoEntry: false });
        seen.add(stats === undefined ? 'nothing' : `${stats.size} bytes`);
      }
    })();
    const replaced = await upload(url, bytesOf('bb'), fields);
    isOver.abort();
    await looking;
    assert.deepEqual([replaced.status, replaced.body.path], [201, path]);
    assert.deepEqual([...seen].sort(), ['15920000 bytes', '8000000 bytes']);
    await world.core.call('DELETE', '/api/recycle-bin');
  });

  test('a file that nobody has looked at yet is replaced as any other', async () => {
    world.put('Characters/mira/data/fresh.csv', 'one\n');
    const fields = { name: 'fresh.csv', overwrite: 'true' };
    const { status, body } = await upload('/api/upload/character/mira', 'two\n', fields);
    assert.deepEqual([status, body.filename], [201, 'fresh.csv'], JSON.stringify(body));
    type Listed = { items: { item_id: string; filename: string }[] };
    const { items } = (await world.core.call<Listed>('GET', '/api/assets/recycled')).body;
    assert.equal(items.length, 1);
    await world.core.call('DELETE', `/api/assets/recycled/${items[0]?.item_id}`);
  });

  test('the bytes say what a file is and where it goes; names are made safe', async () => {
    const named = async (name: string, bytes: Uint8Array | string) =>
      (await upload('/api/upload/character/mira', bytes, { name })).body.path?.slice(
        'Characters/mira/'.length,
      );
    assert.equal(await named('../../../evil.jpg', await picture('red', 8)), 'images/evil.png');
    assert.equal(await named('_hidden: name?.csv', 'a,b\n'), 'data/hidden_ name_.csv');
    assert.equal(await named('tune.mp3', Buffer.from('ID3\x03\0\0\0\0', 'latin1')), 'audio/tune.mp3');
    assert.equal(await named('shape.glb', Buffer.from('glTF\x02\0\0\0', 'latin1')), 'models/shape.glb');
    const loose = await upload('/api/assets/upload', await picture('red', 9), { name: 'cover.png' });
    assert.equal(loose.body.path, 'Assets/cover.png');
  });

  test('a deleted asset is in the recycle bin with all that was said of it, until it is wanted or purged', async () => {
    const path = 'Characters/mira/images/portrait.png';
    const asset = await world.at(path);
    const call = (method: string, url: string) =>
      world.core.call<AssetBody & { item_id: string; items: { item_id: string }[] }>(method, url);
    const deleted = await call('DELETE', `/api/assets/${asset.id}`);
    assert.equal(deleted.status, 200, deleted.text);
    assert.equal((await call('GET', `/api/assets/${asset.id}`)).status, 404);
    assert.equal((await world.core.app.inject({ url: asset.url })).statusCode, 404);
    await world.scan();
    const listed = await call('GET', '/api/assets/recycled');
    assert.deepEqual(
      listed.body.items.map(({ item_id }) => item_id),
      [deleted.body.item_id],
    );
    const restore = `/api/assets/recycled/${deleted.body.item_id}/restore`;
    world.put(path, 'in the way');
    assert.equal((await call('POST', restore)).status, 409);
    world.remove(path);
    const restored = await call('POST', restore);
    assert.equal(restored.status, 200, restored.text);
    assert.deepEqual(
      [restored.body.id, restored.body.tags, restored.body.license],
      [asset.id, asset.tags, asset.license],
    );
    assert.equal((await call('POST', restore)).status, 404);
    const again = await call('DELETE', `/api/assets/${asset.id}`);
    const purge = `/api/assets/recycled/${again.body.item_id}`;
    assert.deepEqual(
      [(await call('DELETE', purge)).status, (await call('DELETE', purge)).status],
      [200, 404],
    );
  });

  test('what is refused leaves nothing behind', async () => {
    world.put('Assets/_assets.yaml', 'cover.png: [\n');
    await world.scan();
    const before = await world.list();
    for (const [status, url, bytes, options] of [
      [422, IMAGE, '<svg-not', {}],
      [422, IMAGE, '', {}],
      [422, '/api/upload/character/mira', 'text', { name: 'CH_other.md' }],
      [422, '/api/upload/character/mira', 'a,b', { name: 'a.csv', subfolder: '../..' }],
      [422, '/api/assets/upload', 'a,b', { name: 'a.csv', is_primary: 'true' }],
      [422, '/api/assets/upload', await picture('red'), { entity_type: 'character' }],
      [422, '/api/assets/upload', await picture('red'), { entity_id: 'mira' }],
      [409, '/api/assets/upload', await picture('red'), {}],
      [404, '/api/upload/character/nobody', 'a,b', { name: 'a.csv' }],
      [404, '/api/upload/nothing/mira', 'a,b', { name: 'a.csv' }],
      [400, IMAGE, await picture('red'), { cut: 60 }],
    ] as const) {
      const reply = await upload(url, bytes, options);
      assert.equal(reply.status, status, JSON.stringify([url, options, reply.body]));
    }
    await world.scan();
    assert.deepEqual(
      (await world.list()).map(({ path }) => path),
      before.map(({ path }) => path),
    );
    assert.deepEqual(readdirSync(join(world.core.config.dataDir, 'uploads')), []);
  });
});
