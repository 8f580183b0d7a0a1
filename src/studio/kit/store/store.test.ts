import 'fake-indexeddb/auto';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteDB, openDB } from 'idb';
import { openStore } from './open-store.ts';

let count = 0;
const optionsOf = (patienceMs = 60_000) => {
  let time = 0;
  return { name: `canonry-${++count}`, now: () => ++time, patienceMs };
};

/** As in a browser that has no store. */
async function withoutStore<Result>(work: () => Promise<Result>): Promise<Result> {
  const kept = globalThis.indexedDB;
  Reflect.deleteProperty(globalThis, 'indexedDB');
  try {
    return await work();
  } finally {
    globalThis.indexedDB = kept;
  }
}

for (const kind of ['indexeddb', 'memory'] as const) {
  const open = () =>
    kind === 'memory' ? withoutStore(() => openStore(optionsOf())) : openStore(optionsOf());

  test(`${kind}: what was put is found by key and by the beginning of its key`, async () => {
    const store = await open();
    const drafts = store.table('drafts');
    assert.equal(store.getSnapshot().kind, kind);
    assert.equal(await drafts.put(['ada', 'p', 'b'], { n: 2 }), null);
    await drafts.put(['ada', 'p', 'a'], { n: 1 });
    await drafts.put(['ada', 'p', 'a'], { n: 3 });
    await drafts.put(['adaline', 'p', 'a'], { n: 4 });
    await drafts.put(['ada', 'q', 'é'], { n: 5 });
    assert.deepEqual(await drafts.get(['ada', 'p', 'a']), { n: 3 });
    assert.deepEqual(await drafts.list(['ada']), [{ n: 3 }, { n: 2 }, { n: 5 }]);
    assert.deepEqual(await drafts.list(['ada', 'q']), [{ n: 5 }]);
    await drafts.remove(['ada', 'p', 'a']);
    assert.equal(await drafts.get(['ada', 'p', 'a']), undefined);
    assert.deepEqual(await store.table('discarded').list([]), []);
    store.close();
  });

  test(`${kind}: what was put first goes first`, async () => {
    const store = await open();
    const entities = store.table('entities');
    for (const id of ['d', 'c', 'b', 'a']) await entities.put([id], { id });
    await entities.put(['d'], { id: 'd', again: true });
    await entities.keepNewest(2);
    assert.deepEqual(await entities.list([]), [{ id: 'a' }, { id: 'd', again: true }]);
    await entities.keepNewest(2);
    assert.equal((await entities.list([])).length, 2);
    store.close();
  });

  test(`${kind}: a value that is changed after it was put stays as it was`, async () => {
    const store = await open();
    const value = { list: [1] };
    await store.table('meta').put(['x'], value);
    value.list.push(2);
    assert.deepEqual(await store.table('meta').get(['x']), { list: [1] });
    store.close();
  });
}

test('a browser without a store is said, and all goes on in memory', async () => {
  const store = await withoutStore(() => openStore(optionsOf()));
  assert.deepEqual(store.getSnapshot(), { kind: 'memory', fault: { kind: 'missing' } });
});

test('a full store is said until a draft is put down', async () => {
  const store = await openStore(optionsOf());
  const told: unknown[] = [];
  const stop = store.subscribe(() => told.push(store.getSnapshot().fault));
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('no room', 'QuotaExceededError');
  };
  try {
    assert.deepEqual(await store.table('drafts').put(['a'], {}), { kind: 'full' });
    assert.deepEqual(await store.table('drafts').put(['a'], {}), { kind: 'full' });
  } finally {
    IDBObjectStore.prototype.put = put;
  }
  assert.equal(await store.table('names').put(['a'], {}), null);
  assert.equal(await store.table('drafts').remove(['b']), null);
  assert.deepEqual(store.getSnapshot().fault, { kind: 'full' }, 'no draft is kept yet');
  assert.equal(await store.table('drafts').put(['a'], {}), null);
  stop();
  assert.deepEqual(told, [{ kind: 'full' }, null]);
  store.close();
});

test('a value that no store can hold is a fault, not an exception', async () => {
  const store = await openStore(optionsOf());
  const fault = await store.table('drafts').put(['a'], { run: () => 1 });
  assert.equal(fault?.kind, 'broken');
  assert.equal(await store.table('drafts').get(['a']), undefined);
  store.close();
});

test('a store of a newer page is outdated, and one that an older page holds is blocked', async () => {
  const newer = optionsOf();
  (await openDB(newer.name, 9)).close();
  assert.deepEqual((await openStore(newer)).getSnapshot(), { kind: 'memory', fault: { kind: 'outdated' } });

  const held = optionsOf(10);
  const older = await openDB(held.name, 1);
  const deletion = deleteDB(held.name);
  assert.deepEqual((await openStore(held)).getSnapshot().kind, 'memory');
  older.close();
  await deletion;
});

test('a page steps aside for a newer one', async () => {
  const options = optionsOf();
  const store = await openStore(options);
  const next = await openDB(options.name, 2);
  assert.deepEqual(store.getSnapshot().fault, { kind: 'outdated' });
  assert.notEqual(await store.table('drafts').put(['a'], {}), null);
  next.close();
});
