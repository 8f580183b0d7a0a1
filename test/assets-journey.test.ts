import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { fillContentFolder } from '../src/surfaces/starter.ts';
import type { AssetBody } from './support/asset-files.ts';
import { startCore, type TestCore } from './support/core.ts';
import { type MixedFile, writeMixedAssets } from './support/mixed-assets.ts';

/** Or another number of files: `node test/assets-journey.test.ts 5000`. */
const COUNT = Number(process.argv[2] ?? 400);
const PAGE = 200;

interface Duplicates {
  pending: number;
  exact_total: number;
  exact: { count: number; assets: { id: string; path: string }[] }[];
  similar_total: number;
  similar: { assets: { path: string }[] }[];
}

const contentDir = mkdtempSync(join(tmpdir(), 'canonry-mixed-'));
let core: TestCore;
let planned: MixedFile[];
before(async () => {
  await fillContentFolder(contentDir, { sample: false });
  planned = await writeMixedAssets(contentDir, COUNT);
  core = await startCore({ contentDir });
});
after(async () => {
  await core.close();
  rmSync(contentDir, { recursive: true });
});

async function get<Body>(url: string): Promise<Body> {
  const { status, body, text } = await core.call<Body>('GET', url);
  assert.equal(status, 200, text);
  return body;
}

const scan = async () => (await core.call('POST', '/api/assets/scan', { body: {} })).body;

/** Every page of a list. */
async function browse(query = ''): Promise<AssetBody[]> {
  const found: AssetBody[] = [];
  for (;;) {
    const url = `/api/assets?sort=filename&limit=${PAGE}&offset=${found.length}&${query}`;
    const { assets, total } = await get<{ assets: AssetBody[]; total: number }>(url);
    found.push(...assets);
    if (found.length >= total) return found;
  }
}

const duplicates = (query = `limit=${PAGE}`) => get<Duplicates>(`/api/assets/duplicates?${query}`);

async function allGroups<Key extends 'exact' | 'similar'>(key: Key): Promise<Duplicates[Key]> {
  const groups: Duplicates[Key][number][] = [];
  for (;;) {
    const page = await duplicates(`limit=${PAGE}&offset=${groups.length}`);
    groups.push(...page[key]);
    if (groups.length >= page[`${key}_total`]) return groups as Duplicates[Key];
  }
}

const byPath = (assets: readonly AssetBody[]) => new Map(assets.map((asset) => [asset.path, asset]));

test('a scan finds every file for what it is, and nothing twice', async () => {
  const { total, skipped_total } = await scan();
  assert.deepEqual([total, skipped_total], [planned.length, 0]);
  const again = await scan();
  assert.deepEqual([again.total, again.added, again.replaced, again.moved], [planned.length, 0, 0, 0]);
  const found = byPath(await browse());
  assert.equal(found.size, planned.length);
  for (const { path, kind, mime } of planned) {
    const asset = found.get(path);
    assert.deepEqual([asset?.kind, asset?.mime_type], [kind, mime], path);
    const folder = /^Characters\/([^/]+)/.exec(path)?.[1] ?? null;
    assert.equal(asset?.entity_id, folder, path);
  }
});

test('lists are narrowed by kind, entity and words', async () => {
  for (const kind of ['image', 'audio', 'model', 'data', 'document'])
    assert.equal((await browse(`kind=${kind}`)).length, planned.filter((file) => file.kind === kind).length);
  const mine = planned.filter(({ path }) => path.startsWith('Characters/person_3/'));
  assert.equal((await browse('entity_type=character&entity_id=person_3')).length, mine.length);
  const turned = planned.filter(({ path }) => path.endsWith('turned.jpg'));
  assert.equal((await browse('search=turned')).length, turned.length);
});

test('pictures are measured upright, sounds and models tell what they hold', async () => {
  for (;;) {
    const queue = await get<{ waiting: number; running: number }>('/api/asset-queue/status');
    if (queue.waiting + queue.running === 0) break;
    // Asked without a break, the service would do little else.
    await sleep(50);
  }
  assert.equal((await duplicates()).pending, 0);
  const found = byPath(await browse());
  for (const { path, shown, isBroken, kind } of planned) {
    const asset = found.get(path);
    if (isBroken) assert.equal(asset?.width, null, path);
    else if (shown) assert.deepEqual([asset?.width, asset?.height], shown, path);
    else if (kind === 'audio') assert.ok((asset?.duration ?? 0) > 0.09, path);
    else if (kind === 'model') assert.equal(asset?.media?.nodes, 1, path);
  }
});

test('what can be drawn is previewed, what cannot says why', async () => {
  const found = byPath(await browse());
  for (const { path, shown, isBroken, kind, mime } of planned.slice(0, 36)) {
    const asset = found.get(path);
    const preview = await core.app.inject({ url: `/api/assets/${asset?.id}/thumbnail?size=128` });
    const status = kind !== 'image' ? 404 : isBroken ? 422 : 200;
    assert.equal(preview.statusCode, status, `${path}: ${preview.body.slice(0, 200)}`);
    if (shown && !isBroken) {
      const { format, width, height } = await sharp(preview.rawPayload).metadata();
      assert.deepEqual([format, width, height], ['webp', ...shown], path);
    }
    const bytes = await core.app.inject({ url: asset?.url ?? '' });
    assert.equal(bytes.headers['content-type']?.toString().split(';')[0], mime);
    const checksum = createHash('sha256').update(bytes.rawPayload).digest('hex');
    assert.equal(checksum, asset?.checksum_sha256, path);
  }
  const sound = [...found.values()].find(({ kind }) => kind === 'audio');
  const { peaks } = await get<{ peaks: number[] }>(`/api/assets/${sound?.id}/waveform`);
  assert.ok(Math.max(...peaks) > 0.4);
});

test('copies and prints of a picture are found, and copies go to the recycle bin', async () => {
  const exact = await allGroups('exact');
  const copies = planned.filter(({ copyOf }) => copyOf);
  assert.equal(exact.length, copies.length);
  const pathsOf = (assets: readonly { path: string }[]) => assets.map(({ path }) => path).sort();
  const groups = new Set(exact.map(({ assets }) => pathsOf(assets).join('\n')));
  for (const { path, copyOf = '' } of copies) assert.ok(groups.has([path, copyOf].sort().join('\n')), path);
  const similar = await allGroups('similar');
  const groupOf = new Map(similar.flatMap(({ assets }, at) => assets.map(({ path }) => [path, at] as const)));
  for (const { path, printOf = '' } of planned.filter((file) => file.printOf))
    assert.equal(groupOf.get(path), groupOf.get(printOf), path);
  assert.equal(similar.length, copies.length);
  for (const { assets } of exact) {
    const copy = assets.find(({ path }) => path.endsWith('copy.png'));
    const { status, text } = await core.call('DELETE', `/api/assets/${copy?.id}`);
    assert.equal(status, 200, text);
  }
  assert.equal((await duplicates()).exact_total, 0);
  const { total } = await get<{ total: number }>('/api/assets/recycled');
  assert.equal(total, copies.length);
  assert.equal((await scan()).total, planned.length - copies.length);
});
