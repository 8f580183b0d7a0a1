import assert from 'node:assert/strict';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { asComponent, guestFile, wrapGuest } from '../../../../test/support/guests/build-guest.ts';
import { until } from '../../../../test/support/until.ts';
import { systemClock } from '../../../kit/clock.ts';
import { ProcessError } from '../../../kit/run-in-process.ts';
import { type GuestComponent, GuestError } from '../guests.ts';
import { prepareGuest } from './prepare-guest.ts';
import { createPreparedCache } from './prepared-cache.ts';

async function counted(): Promise<{ component: GuestComponent; reads: () => number }> {
  const component = asComponent(await wrapGuest(guestFile('conformance-guest.core.wasm')));
  let reads = 0;
  const read = () => {
    reads += 1;
    return component.read();
  };
  return { component: { ...component, read }, reads: () => reads };
}

const OWNER = 'tenant';

const cacheIn = (folder: string) =>
  createPreparedCache({ folder, clock: systemClock, prepare: prepareGuest });

function openCache(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'translations-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    cache: cacheIn(join(folder, 'made', 'here')),
    kept: join(folder, 'made', 'here'),
  };
}

test('a component is translated once, for many callers and for the next process', async (t) => {
  const { cache, kept } = openCache(t);
  const { component, reads } = await counted();
  const [first, second] = await Promise.all([cache.get(component, OWNER), cache.get(component, OWNER)]);
  assert.deepEqual(first, second);
  assert.equal(reads(), 1);
  const another = cacheIn(kept);
  assert.deepEqual(await another.get(component, OWNER), first);
  assert.equal(reads(), 1);
  assert.equal(readdirSync(kept).length, 1, 'no temporary file is left');
});

test('a damaged or lost file is made again', async (t) => {
  const { cache, kept } = openCache(t);
  const { component, reads } = await counted();
  const first = await cache.get(component, OWNER);
  const path = join(kept, String(readdirSync(kept)[0]));
  const bytes = readFileSync(path);
  for (const damaged of [bytes.subarray(0, 100), Buffer.alloc(0), flipped(bytes, 5_000), flipped(bytes, 3)]) {
    writeFileSync(path, damaged);
    const before = reads();
    assert.deepEqual(await cache.get(component, OWNER), first);
    assert.equal(reads(), before + 1);
    assert.deepEqual(readFileSync(path), bytes);
  }
  rmSync(kept, { recursive: true });
  assert.deepEqual(await cache.get(component, OWNER), first);
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

test('a component with another checksum than its own is refused', async (t) => {
  const { cache } = openCache(t);
  const { component } = await counted();
  const changed = { ...component, hash: 'a'.repeat(64) };
  await assert.rejects(cache.get(changed, OWNER), /checksum differs/);
  await assert.rejects(cache.get({ ...component, hash: '../elsewhere' }, OWNER), TypeError);
});

test('a cache that cannot be written is no obstacle', async (t) => {
  const { folder } = openCache(t);
  const { component } = await counted();
  writeFileSync(join(folder, 'file'), '');
  const cache = cacheIn(join(folder, 'file', 'below'));
  assert.deepEqual((await cache.get(component, OWNER)).exports.length, 3);
});

test('the translations that were not used for longest go', async (t) => {
  const { cache, kept } = openCache(t);
  const { component } = await counted();
  mkdirSync(kept, { recursive: true });
  for (let number = 0; number < 205; number += 1) {
    writeFileSync(join(kept, `${number}.guest`), '');
    utimesSync(join(kept, `${number}.guest`), number, number);
  }
  await cache.get(component, OWNER);
  const names = readdirSync(kept);
  assert.equal(names.length, 200);
  assert.ok(names.some((name) => name.startsWith(component.hash)));
  assert.ok(!names.includes('5.guest') && names.includes('6.guest'));
});

test('a shape that is not known yet is made in the background, and then remembered', async (t) => {
  const { cache, kept } = openCache(t);
  const { component, reads } = await counted();
  assert.equal(await cache.readyShape(component, OWNER), null);
  await until(async () => (await cache.readyShape(component, OWNER)) !== null);
  assert.equal(reads(), 1);
  rmSync(kept, { recursive: true });
  assert.deepEqual(await cache.readyShape(component, OWNER), await cache.shape(component, OWNER));
  assert.equal(reads(), 1);
});

test('a component that is refused is translated once, and never ready', async (t) => {
  const { cache } = openCache(t);
  let reads = 0;
  const bytes = new TextEncoder().encode('no component');
  const read = async () => {
    reads += 1;
    return bytes;
  };
  const wrong = { ...asComponent(bytes), read };
  const isRefused = (error: unknown) => error instanceof GuestError && error.code === 'refused';
  await assert.rejects(cache.shape(wrong, OWNER), isRefused);
  await assert.rejects(cache.get(wrong, OWNER), isRefused);
  await assert.rejects(cache.shape(wrong, OWNER), isRefused);
  assert.equal(await cache.readyShape(wrong, OWNER), null);
  assert.equal(reads, 1);
});

test('a component that cannot be translated is tried again after ten minutes, whoever asks meanwhile', async (t) => {
  const { kept } = openCache(t);
  const { component } = await counted();
  let now = 0;
  let tries = 0;
  const cache = createPreparedCache({
    folder: kept,
    clock: { now: () => now },
    async prepare() {
      tries += 1;
      const cause = new ProcessError(tries === 1 ? 'too_slow' : 'ended');
      throw new GuestError('refused', 'It cannot be translated', { cause });
    },
  });
  for (const round of [1, 2]) {
    for (const owner of ['one', 'other']) {
      await assert.rejects(cache.shape(component, owner), /cannot be translated/);
      await assert.rejects(cache.get(component, owner), /cannot be translated/);
      assert.equal(await cache.readyShape(component, owner), null);
    }
    assert.equal(tries, round);
    now += 10 * 60_000;
  }
});
