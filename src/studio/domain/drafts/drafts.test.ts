import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../../test/support/properties.ts';
import { keysOf, pathOf, valueAt, withValueAt } from '../field-path.ts';
import {
  baseOf,
  bodyOf,
  type Draft,
  type EntityState,
  emptyDraft,
  isUnsaved,
  partOf,
  withBody,
  withEdit,
  withResolved,
} from './draft.ts';
import { idOfName, nextId } from './new-id.ts';
import { createBody, isTaken, mayOutliveThePage, outgoing, saveBody } from './outgoing.ts';
import { dueAt, pauseMs } from './pauses.ts';
import { mayBeTaken, refusalOf, refusedParts, verdictOn } from './refusal.ts';
import { takeIn } from './take-in.ts';

const key = { account: 'ada', project: 'p', type: 'character', id: 'mira' };
const origin = { at: 1, tab: 't' };
const entity = (more: Partial<EntityState> = {}): EntityState => ({
  entity_type: 'character',
  entity_id: 'mira',
  name: 'Mira',
  status: 'active',
  fields: { age: 3, arc: { beginning: 'a', end: 'z' }, traits: ['x'] },
  markdown_body: 'text',
  primary_asset: null,
  validation_errors: [],
  is_valid: true,
  production_status: null,
  template_version: null,
  version: 5,
  checksum: '',
  file_checksum: '',
  created_at: '',
  updated_at: '',
  updated_by: 'bo',
  ...more,
});
const fresh = (): Draft => emptyDraft(key, baseOf(entity()), 't');
const created = (name: string): Draft => withEdit(emptyDraft(key, null, 't'), 'name', name, origin);
/** Appends what the service's text has beyond the sent one. */
const rebase = ({ sent, server, current }: { sent: string; server: string; current: string }) =>
  current + server.slice(sent.length);
const fromServer = (more: Partial<EntityState>) => ({
  entity: entity({ version: 6, ...more }),
  taken: null,
  othersChanged: true,
  bodyConflicts: false,
});

test('a path has any keys, and what is written there is read there', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), fc.jsonValue(), (keys, value) => {
      assert.deepEqual(keysOf(pathOf(...keys)), keys);
      if (keys.includes('__proto__')) return;
      assert.deepEqual(valueAt(withValueAt({ a: { b: 1 } }, pathOf(...keys), value), pathOf(...keys)), value);
    }),
  );
});

test('an edit is shown, and one back to the base is none', () => {
  const edited = withEdit(fresh(), 'fields.arc.beginning', 'b', origin);
  assert.equal(partOf(edited, 'fields.arc.beginning'), 'b');
  assert.deepEqual(partOf(edited, 'fields.arc'), { beginning: 'b', end: 'z' });
  assert.equal(partOf(edited, 'fields.age'), 3);
  assert.ok(isUnsaved(edited));
  assert.ok(!isUnsaved(withEdit(edited, 'fields.arc.beginning', 'a', origin)));
  assert.ok(!isUnsaved(withBody(withBody(fresh(), 'more', origin), 'text', origin)));
  assert.ok(!isUnsaved(withEdit(fresh(), 'fields.unknown', null, origin)));
});

test('an edit inside of a changed map changes that map, and a changed map replaces edits inside of it', () => {
  const whole = withEdit(fresh(), 'fields.arc', { beginning: 'q' }, origin);
  assert.deepEqual(withEdit(whole, 'fields.arc.end', 'r', origin).changes, {
    'fields.arc': { beginning: 'q', end: 'r' },
  });
  assert.equal(partOf(whole, 'fields.arc.beginning'), 'q');
  const inside = withEdit(fresh(), 'fields.arc.end', 'r', origin);
  assert.deepEqual(withEdit(inside, 'fields.arc', {}, origin).changes, { 'fields.arc': {} });
});

test('a save sends what differs: maps by key, whole maps as replacements, the version and nothing else', () => {
  let draft = withEdit(fresh(), 'fields.arc.beginning', 'b', origin);
  draft = withEdit(draft, 'fields.stats', { hp: 1 }, origin);
  draft = withEdit(draft, 'production_status.general', 'complete', origin);
  draft = withBody(draft, 'more', origin);
  const sent = outgoing(draft, []);
  assert.ok(sent);
  assert.deepEqual(saveBody(sent), {
    fields: { arc: { beginning: 'b' }, stats: { $replace: { hp: 1 } } },
    production_status: { general: 'complete' },
    markdown_body: 'more',
    base_version: 5,
    on_conflict: 'report',
  });
  const others = outgoing(draft, ['fields.arc', 'markdown_body']);
  assert.deepEqual(Object.keys(others?.changes ?? {}), ['fields.stats', 'production_status.general']);
  assert.equal(others?.body, null);
  assert.equal(outgoing(fresh(), []), null);
});

test('a new entity is made with its name and an id of it; a nameless one waits', () => {
  assert.equal(outgoing(created(' '), []), null);
  const named = withEdit(created('Mïra Vale '), 'fields.age', null, origin);
  const inMap = withEdit(named, 'fields.stats.body', 5, origin);
  const sent = outgoing(withEdit(inMap, 'primary_asset', 'a.png', origin), []);
  assert.ok(sent);
  assert.deepEqual(createBody(sent), { entity_id: 'mira_vale', name: 'Mïra Vale' });
  assert.equal(outgoing({ ...named, entity_id: 'mira_vale_2' }, [])?.entity_id, 'mira_vale_2');
  assert.deepEqual([idOfName('!!', 'quest'), idOfName('Schema', 'quest')], ['quest', 'quest_schema']);
  assert.deepEqual(
    [nextId('mira'), nextId('mira_2'), nextId('a'.repeat(100)).length],
    ['mira_2', 'mira_3', 100],
  );
});

test('what was taken leaves the draft, what was typed since stays', () => {
  const first = withBody(withEdit(fresh(), 'fields.age', 4, origin), 'text a', origin);
  const taken = outgoing(first, []);
  assert.ok(taken);
  const sending = { ...first, sending: taken };
  const reply = entity({ version: 6, markdown_body: 'text a', fields: { ...entity().fields, age: 4 } });
  const incoming = { entity: reply, taken, othersChanged: false, bodyConflicts: false };
  assert.ok(!isUnsaved(takeIn(sending, incoming, rebase)));
  const typed = withEdit(withBody(sending, 'text ab', origin), 'fields.age', 3, origin);
  const after = takeIn(typed, incoming, rebase);
  assert.deepEqual([after.changes, after.body, after.base?.version], [{ 'fields.age': 3 }, 'text ab', 6]);
});

test('what others changed as well is a conflict until it is resolved; other parts go on', () => {
  const mine = withEdit(withEdit(fresh(), 'fields.age', 4, origin), 'name', 'M', origin);
  const merged = takeIn(mine, fromServer({ fields: { age: 9 } }), rebase);
  assert.deepEqual(merged.conflicts, { 'fields.age': { base: 3, theirs: 9, by: 'bo' } });
  assert.deepEqual(outgoing(merged, [])?.changes, { name: 'M' });
  const again = takeIn(merged, fromServer({ version: 7, fields: { age: 10 } }), rebase);
  assert.deepEqual(again.conflicts['fields.age'], { base: 3, theirs: 10, by: 'bo' });
  const kept = withResolved(again, 'fields.age', 4, origin);
  assert.deepEqual([kept.conflicts, outgoing(kept, [])?.changes], [{}, { name: 'M', 'fields.age': 4 }]);
  assert.deepEqual(withResolved(again, 'fields.age', 10, origin).changes, { name: 'M' });
  assert.deepEqual(takeIn(again, fromServer({ version: 8, fields: { age: 4 } }), rebase).conflicts, {});
});

test('texts are rebased, and kept apart where the service cannot merge them', () => {
  const mine = withBody(fresh(), 'my text', origin);
  const rebased = takeIn(mine, fromServer({ markdown_body: 'text!' }), rebase);
  assert.deepEqual([bodyOf(rebased), rebased.conflicts], ['my text!', {}]);
  const refused = takeIn(mine, { ...fromServer({ markdown_body: 'text!' }), bodyConflicts: true }, rebase);
  assert.deepEqual(refused.conflicts, { markdown_body: { base: 'text', theirs: 'text!', by: 'bo' } });
  assert.equal(bodyOf(refused), 'my text');
  assert.equal(outgoing(refused, []), null);
  const resolved = withResolved(refused, 'markdown_body', 'text! my', origin);
  assert.deepEqual([outgoing(resolved, [])?.body, resolved.conflicts], ['text! my', {}]);
  assert.equal(bodyOf(takeIn(fresh(), fromServer({ markdown_body: 'text!' }), rebase)), 'text!');
});

test('a lost answer is settled by what the entity has', () => {
  const draft = withEdit(withBody(fresh(), 'more', origin), 'fields.traits', ['y'], origin);
  const sent = outgoing(draft, []);
  assert.ok(sent);
  assert.ok(isTaken(sent, entity({ markdown_body: 'more', fields: { traits: ['y'] } })));
  assert.ok(!isTaken(sent, entity({ markdown_body: 'more' })));
  assert.ok(!isTaken(sent, entity({ fields: { traits: ['y'] } })));
});

test('each refusal has its consequence', () => {
  const verdict = (status: number, code?: string, isCreation = false) =>
    verdictOn(refusalOf({ status, detail: 'no', code }), isCreation);
  assert.equal(verdictOn(refusalOf(new TypeError('fetch failed')), false), 'later');
  assert.deepEqual(
    [401, 402, 403, 404, 412, 413, 422, 429, 500, 503].map((status) => verdict(status)),
    ['sign-in', 'refused', 'refused', 'gone', 'merge', 'refused', 'refused', 'later', 'later', 'later'],
  );
  assert.deepEqual([verdict(409, 'edit_conflict'), verdict(409, 'unknown_base')], ['merge', 'merge']);
  assert.deepEqual([verdict(409, 'busy'), verdict(404, '', true)], ['refused', 'refused']);
  assert.equal(verdict(409, 'entity_exists', true), 'taken');
  assert.deepEqual(
    [null, 502, 429].map((status) => mayBeTaken(status === null ? null : refusalOf({ status, detail: '' }))),
    [true, true, false],
  );
});

test('messages of a refusal stand at the parts that were sent', () => {
  const sent = outgoing(withEdit(withEdit(fresh(), 'fields.arc.end', 5, origin), 'name', 'x', origin), []);
  const refusal = (...fields: string[]) => ({
    status: 422,
    detail: '',
    errors: fields.map((field) => ({ field, message: `no ${field}` })),
  });
  assert.ok(sent);
  assert.deepEqual(refusedParts(refusal('arc.end', 'name'), sent), {
    'fields.arc.end': 'no arc.end',
    name: 'no name',
  });
  assert.deepEqual(refusedParts(refusal('fields.arc'), sent), { 'fields.arc.end': 'no fields.arc' });
  assert.deepEqual(refusedParts(refusal('base_version'), sent), {});
});

test('pauses grow to a minute and honour the service’s wish; saves come soon, and in time while typing goes on', () => {
  assert.deepEqual(
    [1, 2, 3, 9, 99].map((failures) => pauseMs(failures, 1)),
    [1_000, 2_000, 4_000, 60_000, 60_000],
  );
  assert.deepEqual([pauseMs(1, 0), pauseMs(1, 0, 7)], [500, 7_000]);
  assert.deepEqual([dueAt(0, 0), dueAt(0, 9_900)], [1_500, 10_000]);
});

test('only small saves may outlive the page, counted in bytes', () => {
  assert.ok(mayOutliveThePage({ text: 'x'.repeat(59_000) }));
  assert.ok(!mayOutliveThePage({ text: 'x'.repeat(61_000) }));
  assert.ok(!mayOutliveThePage({ text: '€'.repeat(21_000) }));
});
