import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonMap } from '../../../text/json.ts';
import { bodyOf, type DraftKey, partOf } from '../../domain/drafts/draft.ts';
import { shownEntity } from '../../domain/plugins/shown-entity.ts';
import { openStore } from '../../kit/store/open-store.ts';
import { createDraftClient } from '../../testing/draft-client.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createFakeEntityService, entityState } from '../../testing/fake-entity-service.ts';
import { applyParts, joined, takeBack } from './modify.ts';

const KEY: DraftKey = { account: 'ada', project: 'p', type: 'character', id: 'mira' };

async function setUp() {
  const clock = createFakeClock();
  const service = createFakeEntityService();
  service.put(KEY, entityState({ fields: { want: 'a bell', mood: 'calm' }, markdown_body: 'one\n' }));
  const store = await openStore({ name: 'drafts', now: clock.now, patienceMs: 1 });
  const { drafts } = createDraftClient({ store, api: service.apiOf('ada'), clock, tab: 't1' });
  const draft = (await drafts.open(KEY, service.current(KEY))) ?? assert.fail('no draft');
  const shown = (path: string) => partOf(draft.getSnapshot().draft, path);
  const told = (): JsonMap => shownEntity(draft.getSnapshot().draft).data ?? assert.fail('not told');
  const body = () => bodyOf(draft.getSnapshot().draft);
  return { clock, service, draft, shown, told, body };
}

test('parts of a patch are edits of the user: shown, saved, and shown in the editor', async () => {
  const { clock, service, draft, shown, told } = await setUp();
  const remote: string[] = [];
  draft.attachEditor({ applyRemote: (text) => void remote.push(text) });
  const parts = [
    { path: 'fields.want', value: 'the sea' },
    { path: 'fields.mood', value: 'calm' },
    { path: 'markdown_body', value: 'two\n' },
  ];
  const { changed, stayed } = applyParts(draft, parts, told());
  assert.deepEqual(stayed, []);
  assert.deepEqual(changed, [
    { path: 'fields.want', before: 'a bell', after: 'the sea' },
    { path: 'markdown_body', before: 'one\n', after: 'two\n' },
  ]);
  assert.equal(shown('fields.want'), 'the sea');
  assert.deepEqual(remote, ['two\n']);
  await clock.advance(2_000);
  const saved = service.current(KEY);
  assert.deepEqual([saved.fields.want, saved.markdown_body, saved.version], ['the sea', 'two\n', 2]);
});

test('what a plugin changed is taken back, also after it was saved, but for what was typed since', async () => {
  const { clock, service, draft, shown } = await setUp();
  const parts = [
    { path: 'fields.want', value: 'the sea' },
    { path: 'fields.mood', value: 'cross' },
    { path: 'fields.age', value: 31 },
    { path: 'markdown_body', value: 'two\n' },
  ];
  const { changed } = applyParts(draft, parts, null);
  await clock.advance(2_000);
  draft.edit('fields.mood', 'merry');
  assert.deepEqual(takeBack(draft, changed), ['fields.mood']);
  assert.deepEqual(
    [shown('fields.want'), shown('fields.mood'), shown('fields.age')],
    ['a bell', 'merry', null],
  );
  assert.equal(bodyOf(draft.getSnapshot().draft), 'one\n');
  await clock.advance(2_000);
  assert.equal(service.current(KEY).fields.want, 'a bell');
});

test('changes that follow each other are taken back to what was there at first', async () => {
  const { draft, shown } = await setUp();
  const first = applyParts(draft, [{ path: 'fields.want', value: 'the sea' }], null);
  const more = [
    { path: 'fields.want', value: 'the moon' },
    { path: 'fields.mood', value: 'cross' },
  ];
  const second = applyParts(draft, more, null);
  const all = joined(first.changed, second.changed);
  assert.equal(all.length, 2);
  takeBack(draft, all);
  assert.deepEqual([shown('fields.want'), shown('fields.mood')], ['a bell', 'calm']);
});

test('what was typed since a page was told the text stays in it, also where the change is taken back', async () => {
  const { draft, told, body } = await setUp();
  const known = told();
  draft.editBody('one\nmine\n');
  const first = applyParts(draft, [{ path: 'markdown_body', value: 'ONE\n' }], known);
  assert.equal(body(), 'ONE\nmine\n');
  draft.editBody('ONE\nmine, and more\n');
  const next = { ...known, markdown_body: 'ONE\n' };
  const second = applyParts(draft, [{ path: 'markdown_body', value: 'ONE, 2\n' }], next);
  assert.equal(body(), 'ONE, 2\nmine, and more\n');
  draft.editBody('ONE, 2\nmine, and more!\n');
  assert.deepEqual(takeBack(draft, joined(first.changed, second.changed)), []);
  assert.equal(body(), 'one\nmine, and more!\n');
});

test('a part that was changed since a page was told it stays, and is named', async () => {
  const { draft, told, shown } = await setUp();
  const known = told();
  draft.edit('fields.mood', 'merry');
  const parts = [
    { path: 'fields.want', value: 'the sea' },
    { path: 'fields.mood', value: 'cross' },
  ];
  const { changed, stayed } = applyParts(draft, parts, known);
  assert.deepEqual(stayed, ['fields.mood']);
  assert.deepEqual(changed, [{ path: 'fields.want', before: 'a bell', after: 'the sea' }]);
  assert.equal(shown('fields.mood'), 'merry');
  assert.deepEqual(applyParts(draft, parts, told()).stayed, []);
  assert.equal(shown('fields.mood'), 'cross');
});
