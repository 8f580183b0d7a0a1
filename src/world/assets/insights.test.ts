import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import sharp from 'sharp';
import { type AssetWorld, picture, startAssetWorld } from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';

const scene = (left: string, width: number) =>
  sharp({ create: { width, height: width, channels: 3, background: 'white' } }).composite([
    {
      input: {
        create: { width: width >> 1, height: width >> 2, channels: 3, background: left },
      },
      left: left === 'black' ? 0 : width >> 1,
      top: left === 'black' ? width >> 1 : 0,
    },
  ]);

interface Duplicates {
  pending: number;
  exact_total: number;
  exact: { count: number; wasted_bytes: number; assets: { path: string }[] }[];
  similar_total: number;
  similar: { count: number; assets: { path: string }[] }[];
}

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  before(async () => {
    world = await startAssetWorld({ open });
  });
  after(() => world.close());

  const call = <Body>(method: string, url: string, body?: unknown) =>
    world.core.call<Body>(method, url, body === undefined ? {} : { body });

  /** Repeats until every picture has been measured. */
  async function duplicates(query = ''): Promise<Duplicates> {
    for (;;) {
      const { body } = await call<Duplicates>('GET', `/api/assets/duplicates?${query}`);
      if (body.pending === 0) return body;
      // Requests without a socket give other work no turn.
      await turn();
    }
  }

  test('the same bytes and the same looks are found, each by itself', async () => {
    const large = await scene('black', 256).png().toBuffer();
    world.put('Assets/large.png', large);
    world.put('Characters/mira/images/same.png', large);
    world.put('Assets/small.jpg', await scene('black', 90).jpeg().toBuffer());
    world.put('Assets/other.png', await scene('red', 256).png().toBuffer());
    world.put('Assets/red.png', await picture('red'));
    world.put('Assets/blue.png', await picture('blue'));
    world.put('Assets/broken.png', large.subarray(0, 60));
    await world.scan();
    const found = await duplicates();
    assert.equal(found.exact_total, 1);
    const [same] = found.exact;
    assert.deepEqual([same?.count, same?.wasted_bytes], [2, large.length]);
    assert.equal(found.similar_total, 1, JSON.stringify(found.similar));
    assert.deepEqual(found.similar[0]?.assets.map(({ path }) => path).sort(), [
      'Assets/large.png',
      'Assets/small.jpg',
      'Characters/mira/images/same.png',
    ]);
    assert.equal((await duplicates('distance=0&limit=1&offset=1')).exact.length, 0);
    assert.equal((await call('GET', '/api/assets/duplicates?distance=11')).status, 422);
    const measured = await world.at('Assets/small.jpg');
    assert.deepEqual([measured.width, measured.height], [90, 90]);
    assert.match(measured.perceptual_hash ?? '', /^[0-9a-f]{16}$/);
    assert.ok(measured.placeholder !== null && measured.placeholder.length < 40);
    assert.equal((await world.at('Assets/broken.png')).width, null);
  });

  test('what a project has in all', async () => {
    const { body } = await call<Record<string, unknown>>('GET', '/api/assets/stats/overview');
    assert.deepEqual([body.total, body.linked, body.unlinked], [7, 1, 6]);
    const kinds = body.by_kind as { value: string; count: number }[];
    assert.deepEqual(
      kinds.map(({ value, count }) => [value, count]),
      [['image', 7]],
    );
  });

  test('files that entities name and that are not there', async () => {
    const fields = { primary_asset: 'images/same.png' };
    await call('PUT', '/api/entity/character/mira', fields);
    const missing = () =>
      call<{ missing: object[]; next_cursor: null }>('GET', '/api/assets/missing').then(({ body }) => body);
    assert.deepEqual(await missing(), { missing: [], next_cursor: null });
    await call('PUT', '/api/entity/character/mira', { primary_asset: 'images/none.png' });
    assert.deepEqual((await missing()).missing, [
      { entity_type: 'character', entity_id: 'mira', field: 'primary_asset', path: 'images/none.png' },
    ]);
  });

  test("a brand's assets are its own, those of who refers to it, and those related to it", async () => {
    world.put('Brands/halcyon/BR_halcyon.md', '---\nid: halcyon\nentity_type: brand\nname: Halcyon\n---\n');
    world.put('Brands/halcyon/images/logo.png', await picture('green'));
    world.put(
      'Characters/mira/CH_mira.md',
      '---\nid: mira\nentity_type: character\nname: Mira\n---\nWorks for [[brand:halcyon]].\n',
    );
    await world.scan();
    const other = await world.at('Assets/other.png');
    const tie = { target_type: 'entity', target_id: 'brand:halcyon', relationship_type: 'advertises' };
    await call('POST', `/api/assets/${other.id}/relationships`, tie);
    const reply = await call<{ assets: { path: string }[] }>('GET', '/api/assets/by-brand/halcyon');
    assert.deepEqual(
      reply.body.assets.map(({ path }) => path),
      ['Assets/other.png', 'Brands/halcyon/images/logo.png', 'Characters/mira/images/same.png'],
    );
    assert.equal((await call('GET', '/api/assets/by-brand/none')).status, 404);
  });

  test('ids that people wrote are made valid and single', async () => {
    world.put('Brands/halcyon/_assets.yaml', '# ours\nimages/logo.png:\n  id: The Logo!\n  tags: [brand]\n');
    world.put('Assets/_assets.yaml', 'red.png:\n  id: twice\nblue.png:\n  id: twice\n');
    await world.scan();
    assert.match((await world.at('Brands/halcyon/images/logo.png')).id, /^logo_[0-9a-f]{10}$/);
    const sanitize = (body: object) =>
      call<{ changed: { path: string; old_id: string; new_id: string }[] }>(
        'POST',
        '/api/assets/sanitize-ids',
        body,
      ).then(({ body: reply }) => reply.changed.map(({ old_id, new_id }) => [old_id, new_id]).sort());
    const expected = [
      ['The Logo!', 'the_logo'],
      ['twice', 'twice_2'],
    ];
    assert.deepEqual(await sanitize({ dry_run: true }), expected);
    assert.deepEqual(await sanitize({}), expected);
    assert.deepEqual(await sanitize({}), []);
    assert.equal((await world.at('Brands/halcyon/images/logo.png')).id, 'the_logo');
    const ids = [(await world.at('Assets/red.png')).id, (await world.at('Assets/blue.png')).id].sort();
    assert.deepEqual(ids, ['twice', 'twice_2']);
  });

  test('the test of the system says what works', async () => {
    const { body } = await world.core.call<{ status: string; checks: { detail: string }[] }>(
      'GET',
      '/api/assets/test',
      { token: null },
    );
    assert.equal(body.status, 'ok', JSON.stringify(body));
  });
});
