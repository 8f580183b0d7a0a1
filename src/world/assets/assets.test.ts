import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
  type AssetBody,
  type AssetWorld,
  picture,
  startAssetWorld,
} from '../../../test/support/asset-files.ts';
import { forEachDatabase } from '../../../test/support/databases.ts';
import type { RecordsDb } from '../records/records.tables.ts';
import { takeSequence } from '../records/sequence.store.ts';

const PORTRAIT = 'Characters/mira/images/portrait.png';

forEachDatabase((_name, open) => {
  let world: AssetWorld;
  before(async () => {
    world = await startAssetWorld({ open });
  });
  after(() => world.close());

  const call = <Body = AssetBody>(method: string, url: string, body?: unknown) =>
    world.core.call<Body>(method, url, body === undefined ? {} : { body });
  const textOf = (path: string) => readFileSync(join(world.core.contentDir, path), 'utf8');

  test('a file is an asset by what it holds and where it lies', async () => {
    world.put(PORTRAIT, await picture('red'));
    world.put('Characters/mira/images/old/sketch.jpg', await picture('blue', 32));
    world.put('Characters/mira/data/facts.csv', 'name,age\nMira,40\n');
    world.put('Characters/mira/data/page.txt', '<html><script>alert(1)</script></html>');
    world.put('Assets/covers/cover.png', await picture('green'));
    world.put('Characters/mira/notes.md', 'no asset');
    world.put('Characters/mira/images/Thumbs.db', 'no asset');
    const report = await world.scan();
    assert.deepEqual([report.added, report.total, report.status], [5, 5, 'completed']);
    const portrait = await world.at(PORTRAIT);
    assert.match(portrait.id, /^portrait_[0-9a-f]{10}$/);
    assert.deepEqual(
      [portrait.kind, portrait.mime_type, portrait.entity_type, portrait.entity_id, portrait.category],
      ['image', 'image/png', 'character', 'mira', 'images'],
    );
    const sketch = await world.at('Characters/mira/images/old/sketch.jpg');
    assert.deepEqual([sketch.mime_type, sketch.subcategory], ['image/png', 'old']);
    assert.equal((await world.at('Characters/mira/data/facts.csv')).mime_type, 'text/csv');
    assert.equal((await world.at('Characters/mira/data/page.txt')).mime_type, 'text/html');
    const cover = await world.at('Assets/covers/cover.png');
    assert.deepEqual([cover.entity_type, cover.category], [null, 'covers']);
    const again = await world.scan();
    assert.deepEqual([again.added, again.replaced, again.moved, again.removed], [0, 0, 0, 0]);
  });

  test('an asset is found behind any number of other changes', async () => {
    const [project] = world.core.projects.opened();
    assert.ok(project);
    const others = 35_000;
    await project.database.write((db: RecordsDb) => takeSequence(db, project, others));
    world.put('Characters/mira/data/late.csv', 'name\nMira\n');
    const report = await world.scan();
    assert.equal(report.added, 1);
    world.remove('Characters/mira/data/late.csv');
    assert.equal((await world.scan()).removed, 1);
  });

  test('lists are narrowed, sorted and paged', async () => {
    const pathsOf = async (query: string) => (await world.list(query)).map(({ filename }) => filename);
    assert.deepEqual(await pathsOf('kind=image&sort=filename'), ['cover.png', 'portrait.png', 'sketch.jpg']);
    assert.deepEqual(await pathsOf('kind=image&entity_type=character&sort=filename&order=desc'), [
      'sketch.jpg',
      'portrait.png',
    ]);
    assert.deepEqual(await pathsOf('linked=false'), ['cover.png']);
    assert.deepEqual(await pathsOf('search=MIRA%20portr'), ['portrait.png']);
    assert.deepEqual(await pathsOf('search=no_such%25'), []);
    const page = await call<{ total: number; assets: AssetBody[] }>('GET', '/api/assets?limit=1&offset=1');
    assert.deepEqual([page.body.total, page.body.assets.length], [5, 1]);
    const linked = await call<{ total: number }>('GET', '/api/assets/linked?entity_type=character');
    assert.equal(linked.body.total, 4);
  });

  test('what is said about an asset stands in a file beside it, and edits there count', async () => {
    const { id } = await world.at(PORTRAIT);
    const said = { tags: ['hero', 'close up'], license: 'CC-BY-4.0', description: 'At the wall' };
    const updated = await call('PUT', `/api/assets/${id}`, said);
    assert.equal(updated.status, 200, updated.text);
    assert.deepEqual([updated.body.tags, updated.body.license], [said.tags, said.license]);
    const sidecar = 'Characters/mira/_assets.yaml';
    assert.match(textOf(sidecar), /^images\/portrait\.png:\n {2}id: portrait_/m);
    assert.deepEqual((await world.list('tags=hero,close%20up')).length, 1);
    assert.deepEqual((await world.list('search=wall')).length, 1);
    world.put(sidecar, textOf(sidecar).replace('license: CC-BY-4.0', '# asked her\n  license: CC0'));
    await world.scan();
    assert.equal((await world.at(PORTRAIT)).license, 'CC0');
    await call('PUT', `/api/assets/${id}`, { description: null });
    assert.match(textOf(sidecar), / {2}# asked her\n {2}license: CC0/);
    assert.doesNotMatch(textOf(sidecar), /description/);
    assert.equal((await call('PUT', '/api/assets/none', {})).status, 404);
  });

  test('a sidecar that cannot be read is told, left as it is, and forgets nothing', async () => {
    const sidecar = 'Characters/mira/_assets.yaml';
    const whole = textOf(sidecar);
    world.put(sidecar, `${whole}broken: [\n`);
    const report = await world.scan();
    const [problem] = report.problems as { path: string; line: number }[];
    assert.equal(problem?.path, sidecar);
    const portrait = await world.at(PORTRAIT);
    assert.deepEqual([portrait.license, portrait.tags.length], ['CC0', 2]);
    const refused = await call('PUT', `/api/assets/${portrait.id}`, { license: 'MIT' });
    assert.equal(refused.status, 409);
    assert.match(refused.body.detail, /_assets\.yaml .*line/);
    assert.equal(textOf(sidecar), `${whole}broken: [\n`);
    world.put(sidecar, `${whole}data/facts.csv:\n  status: splendid\n  tags: [ok]\n`);
    const partly = await world.scan();
    assert.match(JSON.stringify(partly.problems), /splendid/);
    assert.deepEqual((await world.at('Characters/mira/data/facts.csv')).tags, ['ok']);
    world.put(sidecar, whole);
    assert.deepEqual((await world.scan()).problems, []);
  });

  test('other bytes are a new version; the same bytes elsewhere are the asset that moved', async () => {
    const before = await world.at(PORTRAIT);
    world.put(PORTRAIT, await picture('purple'));
    const replaced = await world.scan();
    assert.equal(replaced.replaced, 1);
    const now = await world.at(PORTRAIT);
    assert.equal(now.id, before.id);
    assert.deepEqual(
      now.versions.map(({ version, checksum_sha256 }) => [version, checksum_sha256]),
      [
        [2, now.checksum_sha256],
        [1, before.checksum_sha256],
      ],
    );
    const moved = 'Characters/mira/images/final/face.png';
    world.put(moved, readFileSync(join(world.core.contentDir, PORTRAIT)));
    world.remove(PORTRAIT);
    assert.equal((await world.scan()).moved, 1);
    const there = await world.at(moved);
    assert.deepEqual([there.id, there.license, there.versions.length], [before.id, 'CC0', 2]);
    assert.match(textOf('Characters/mira/_assets.yaml'), /^images\/final\/face\.png:\n {2}id: portrait_/m);
    world.put('Characters/mira/images/copy.png', readFileSync(join(world.core.contentDir, moved)));
    assert.deepEqual(await world.scan().then(({ added, moved: count }) => [added, count]), [1, 0]);
    world.put(PORTRAIT, readFileSync(join(world.core.contentDir, moved)));
    world.remove(moved);
    await world.scan();
    assert.equal((await world.at(PORTRAIT)).id, before.id);
    assert.equal((await world.list()).filter(({ id }) => id === before.id).length, 1);
  });

  test('a file that vanishes and comes back is the same asset', async () => {
    const path = 'Assets/covers/cover.png';
    const { id } = await world.at(path);
    const bytes = readFileSync(join(world.core.contentDir, path));
    world.remove(path);
    assert.equal((await world.scan()).removed, 1);
    assert.equal((await call('GET', `/api/assets/${id}`)).status, 404);
    world.put('Assets/other/cover.png', bytes);
    await world.scan();
    assert.equal((await world.at('Assets/other/cover.png')).id, id);
  });

  test('a status takes its steps and no others', async () => {
    const { id } = await world.at(PORTRAIT);
    const to = async (status: string) => (await call('PUT', `/api/assets/${id}/status`, { status })).status;
    assert.deepEqual(
      [await to('approved'), await to('in_review'), await to('approved'), await to('rejected')],
      [409, 200, 200, 409],
    );
    assert.equal((await world.at(PORTRAIT)).status, 'approved');
    assert.equal((await world.list('status=approved')).length, 1);
    assert.equal(await to('splendid'), 422);
  });

  test('assets are related to entities and to each other', async () => {
    const { id } = await world.at(PORTRAIT);
    const other = await world.at('Assets/other/cover.png');
    const relate = (from: string, target_type: string, target_id: string) =>
      call<{ relationships: object[]; incoming: object[] }>('POST', `/api/assets/${from}/relationships`, {
        target_type,
        target_id,
        relationship_type: 'depicts',
      });
    assert.equal((await relate(other.id, 'entity', 'character:mira')).status, 201);
    assert.equal((await relate(other.id, 'entity', 'character:mira')).body.relationships.length, 1);
    assert.equal((await relate(other.id, 'asset', id)).body.relationships.length, 2);
    assert.equal((await relate(other.id, 'entity', 'character:nobody')).status, 404);
    assert.equal((await relate(other.id, 'entity', 'mira')).status, 422);
    assert.equal((await relate(other.id, 'asset', 'nothing')).status, 404);
    world.put('Assets/other/passing.png', await picture('brown', 30));
    await world.scan();
    assert.equal((await relate((await world.at('Assets/other/passing.png')).id, 'asset', id)).status, 201);
    world.remove('Assets/other/passing.png');
    await world.scan();
    const seen = await call<{ incoming: object[] }>('GET', `/api/assets/${id}/relationships`);
    assert.deepEqual(seen.body.incoming, [{ asset_id: other.id, relationship_type: 'depicts' }]);
    assert.equal((await world.list('linked=false')).length, 0);
  });

  test('a file can be described under an id of its own, once', async () => {
    world.put('Characters/mira/audio/theme.mp3', Buffer.from('ID3\x03\0\0\0\0\0\0tune', 'latin1'));
    const path = 'Characters/mira/audio/theme.mp3';
    const made = await call('POST', '/api/assets', { path, id: 'mira_theme', tags: ['music'] });
    assert.equal(made.status, 201, made.text);
    assert.deepEqual([made.body.id, made.body.kind, made.body.tags], ['mira_theme', 'audio', ['music']]);
    assert.notEqual(made.body.created_by, null);
    assert.equal((await call('POST', '/api/assets', { path, tags: [] })).status, 409);
    for (const wrong of ['Characters/mira/none.png', '../outside.png', 'Characters/mira/CH_mira.md'])
      assert.equal((await call('POST', '/api/assets', { path: wrong })).status, 404, wrong);
    const other = { path: 'Characters/mira/data/facts.csv', id: 'mira_theme' };
    assert.equal((await call('POST', '/api/assets', other)).status, 409);
    assert.equal((await call('POST', '/api/assets', { ...other, id: 'linked' })).status, 422);
  });

  test('an entity that is renamed takes its assets along', async () => {
    const ids = async () => new Set((await world.list('entity_type=character')).map(({ id }) => id));
    const before = await ids();
    const body = { entity_type: 'character', old_id: 'mira', new_id: 'mira_vance' };
    const renamed = await call('POST', '/api/rename-entity', body);
    assert.equal(renamed.status, 200, renamed.text);
    assert.deepEqual(await ids(), before);
    assert.equal((await world.list('entity_id=mira_vance')).length, before.size);
    const scanned = await world.scan();
    assert.deepEqual([scanned.added, scanned.moved, scanned.removed], [0, 0, 0]);
  });

  test('what lies in a folder becomes an asset when a template says what the folder is', async () => {
    const table = 'Ships/hawk/data/crew.csv';
    world.put(table, 'name\nMira\n');
    await world.scan();
    assert.ok(!(await world.list()).some(({ path }) => path === table));
    world.put('_Templates/Custom/SHIP_TEMPLATE.md', '---\nentity_type: ship\nname: ""\n---\n');
    await world.scan();
    assert.equal((await world.at(table)).entity_type, 'ship');
  });

  test('an asset is the entity’s whose file lies in its folder, whatever its id', async () => {
    const place = 'Characters/old_name/images/face.png';
    const file = (id: string) => `---\nid: ${id}\nentity_type: character\nname: Nova\n---\n`;
    const owner = async () => (await world.at(place)).entity_id;
    world.put(place, await picture('navy', 20));
    await world.scan();
    assert.equal(await owner(), 'old_name');
    world.put('Characters/old_name/CH_nova.md', file('nova'));
    await world.scan();
    assert.equal(await owner(), 'nova');
    assert.equal((await world.list('entity_type=character&entity_id=nova')).length, 1);
    world.put('Characters/old_name/images/later.png', await picture('navy', 21));
    await world.scan();
    assert.equal((await world.at('Characters/old_name/images/later.png')).entity_id, 'nova');
    world.put('Characters/old_name/CH_nova.md', file('old_name'));
    await world.scan();
    assert.equal(await owner(), 'old_name');
    world.put('Characters/old_name/CH_nova.md', file('nova'));
    await world.scan();
    world.remove('Characters/old_name/CH_nova.md');
    await world.scan();
    assert.equal(await owner(), 'old_name');
  });
});

test('without its database a folder has the same assets, ids and words again', async () => {
  const first = await startAssetWorld({});
  const folder = mkdtempSync(join(tmpdir(), 'assets-'));
  const kept = join(folder, 'content');
  first.put(PORTRAIT, await picture('red'));
  first.put('Characters/mira/images/b.png', await picture('blue'));
  await first.scan();
  const { id } = await first.at(PORTRAIT);
  await first.core.call('PUT', `/api/assets/${id}`, { body: { tags: ['hero'], license: 'CC0' } });
  await first.core.call('PUT', `/api/assets/${id}/status`, { body: { status: 'in_review' } });
  const tie = { target_type: 'entity', target_id: 'character:mira', relationship_type: 'depicts' };
  await first.core.call('POST', `/api/assets/${id}/relationships`, { body: tie });
  const comparable = (assets: AssetBody[]) =>
    assets.map(({ id: asset, path, tags, license, status, checksum_sha256 }) => ({
      ...{ asset, path, tags, license, status, checksum_sha256 },
    }));
  const before = comparable(await first.list());
  renameSync(first.core.contentDir, kept);
  await first.close();
  const second = await startAssetWorld({ contentDir: kept });
  assert.deepEqual(comparable(await second.list()), before);
  const ties = await second.core.call<{ relationships: object[] }>('GET', `/api/assets/${id}/relationships`);
  assert.deepEqual(ties.body.relationships, [tie]);
  await second.close();
  rmSync(folder, { recursive: true });
});
