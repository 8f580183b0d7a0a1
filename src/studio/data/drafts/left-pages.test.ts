import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, type Draft } from '../../domain/drafts/draft.ts';
import { openStore } from '../../kit/store/open-store.ts';
import { createDraftClient } from '../../testing/draft-client.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createFakeEntityService, entityState } from '../../testing/fake-entity-service.ts';

const MIRA = { account: 'ada', project: 'p', type: 'character', id: 'mira' };
const ODO = { ...MIRA, id: 'odo' };

/** Mira's page was left, and another one opened. */
async function leftMira() {
  const clock = createFakeClock();
  const service = createFakeEntityService();
  service.put(MIRA, entityState({ markdown_body: 'one\n' }));
  service.put(ODO, entityState({ entity_id: 'odo', name: 'Odo' }));
  const store = await openStore({ name: 'left', now: clock.now, patienceMs: 1 });
  const told: Draft[] = [];
  const { drafts } = createDraftClient({
    store,
    api: service.apiOf('ada'),
    clock,
    tab: 't1',
    onChange: (draft) => told.push(draft),
  });
  const open = async (key: typeof MIRA) =>
    (await drafts.open(key, service.current(key))) ?? assert.fail('no draft');
  const mira = await open(MIRA);
  mira.release();
  await open(ODO);
  return { mira, open, told };
}

test('a handle of a page that was left changes nothing, and tells other tabs nothing', async () => {
  const { mira, told } = await leftMira();
  assert.throws(() => mira.edit('name', 'M'), /not open/);
  assert.deepEqual(told, []);
});

test('a handle of a page that was left does not write over the draft that was opened after it', async () => {
  const { mira, open, told } = await leftMira();
  const next = await open(MIRA);
  next.editBody('one\nand two\n');
  const before = told.length;
  assert.throws(() => mira.edit('name', 'M'), /opened anew/);
  assert.throws(() => mira.replaceBody('zero\n'), /opened anew/);
  assert.equal(bodyOf(next.getSnapshot().draft), 'one\nand two\n');
  assert.equal(told.length, before);
});
