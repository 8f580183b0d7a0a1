import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, type Draft, type DraftKey } from '../../domain/drafts/draft.ts';
import { openStore } from '../../kit/store/open-store.ts';
import type { TableName } from '../../kit/store/tables.ts';
import { createDraftClient } from '../../testing/draft-client.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createFakeEntityService, entityState } from '../../testing/fake-entity-service.ts';

const keyOf = (id: string): DraftKey => ({ account: 'ada', project: 'p', type: 'character', id });

/** Drafts of two entities, over a store that has no room for some rows. */
async function setUp() {
  const clock = createFakeClock();
  const service = createFakeEntityService();
  const store = await openStore({ name: 'drafts', now: clock.now, patienceMs: 1 });
  const { drafts } = createDraftClient({ store, api: service.apiOf('ada'), clock, tab: 't1' });
  const open = async (id: string) => {
    service.put(keyOf(id), entityState({ entity_id: id, markdown_body: 'one\n' }));
    const draft = await drafts.open(keyOf(id), service.current(keyOf(id)));
    assert.ok(draft);
    return draft;
  };
  function refuse(name: TableName, isRefused: (row: string) => boolean): void {
    const table = store.table(name);
    const { put } = table;
    table.put = async (key, value) => (isRefused(JSON.stringify(value)) ? { kind: 'full' } : put(key, value));
  }
  const kept = async () => (await store.table('drafts').list<Draft>(['ada'])).map(bodyOf);
  return { clock, store, drafts, kept, refuse, mira: await open('mira'), oda: await open('oda') };
}

test('a draft that had no room is put down as soon as the store takes another one', async () => {
  const { clock, kept, refuse, mira, oda } = await setUp();
  let isFull = true;
  refuse('drafts', (row) => isFull && row.includes('large'));
  mira.editBody('large');
  oda.editBody('small');
  await clock.settle();
  assert.deepEqual(await kept(), ['small']);
  isFull = false;
  oda.editBody('smaller');
  await clock.settle();
  assert.deepEqual(await kept(), ['large', 'smaller']);
});

test('a draft that had no room is not put over a newer one that is on its way', async () => {
  const { clock, store, kept, refuse, mira, oda } = await setUp();
  const arrival = Promise.withResolvers<void>();
  const table = store.table('drafts');
  const { put } = table;
  table.put = async (key, value) => {
    if (JSON.stringify(value).includes('newest')) await arrival.promise;
    return put(key, value);
  };
  let isFull = true;
  refuse('drafts', (row) => isFull && row.includes('large'));
  mira.editBody('large');
  await clock.settle();
  isFull = false;
  mira.editBody('newest');
  oda.editBody('small');
  await clock.settle();
  arrival.resolve();
  await clock.settle();
  assert.deepEqual(await kept(), ['newest', 'small']);
});

test('what another tab has put down is not put over by what had no room here', async () => {
  const { clock, drafts, kept, refuse, mira, oda } = await setUp();
  let isFull = true;
  refuse('drafts', (row) => isFull && row.includes('large'));
  mira.editBody('large');
  await clock.settle();
  drafts.follow({ ...mira.getSnapshot().draft, tab: 't2', changed_at: clock.now() });
  isFull = false;
  oda.editBody('small');
  await clock.settle();
  assert.deepEqual(await kept(), ['small']);
});

test('nor by what the store refuses after another tab has put its own down', async () => {
  const { clock, store, drafts, kept, mira, oda } = await setUp();
  const refusal = Promise.withResolvers<void>();
  const table = store.table('drafts');
  const { put } = table;
  let isFull = true;
  table.put = async (key, value) => {
    if (!isFull || !JSON.stringify(value).includes('large')) return put(key, value);
    await refusal.promise;
    return { kind: 'full' };
  };
  mira.editBody('large');
  await clock.settle();
  mira.editBody('larger');
  drafts.follow({ ...mira.getSnapshot().draft, tab: 't2', changed_at: clock.now() });
  refusal.resolve();
  await clock.settle();
  isFull = false;
  oda.editBody('small');
  await clock.settle();
  assert.deepEqual(await kept(), ['small']);
});

test('what is let go without room to keep it is given to the user as text', async () => {
  const { drafts, refuse, mira, oda } = await setUp();
  mira.editBody('mine');
  assert.equal(await mira.discard(), null);
  refuse('discarded', () => true);
  oda.editBody('mine too');
  assert.match((await oda.discard()) ?? '', /mine too/);
  assert.equal((await drafts.discarded()).length, 1);
});

test('nothing is brought back over what has no room to be kept, and nothing that is not kept leaves the bin', async () => {
  const { clock, drafts, refuse, mira } = await setUp();
  mira.editBody('first');
  await mira.discard();
  await clock.advance(10);
  const [discarded] = await drafts.discarded();
  assert.ok(discarded);
  let isFull = true;
  refuse('discarded', () => isFull);
  mira.editBody('second');
  assert.equal(await drafts.restore(discarded), false);
  assert.equal(bodyOf(mira.getSnapshot().draft), 'second');
  isFull = false;
  refuse('drafts', () => true);
  assert.equal(await drafts.restore(discarded), true);
  assert.equal(bodyOf(mira.getSnapshot().draft), 'first');
  assert.deepEqual(
    (await drafts.discarded()).map(({ draft }) => bodyOf(draft)),
    ['second', 'first'],
  );
});
