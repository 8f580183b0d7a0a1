import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entityState } from '../../testing/fake-entity-service.ts';
import { emptyDraft } from '../drafts/draft.ts';
import { partsOfPatch } from './entity-patch.ts';
import { LARGEST_MESSAGE, readFrameMessage } from './frame-messages.ts';
import { shownEntity } from './shown-entity.ts';

const read = readFrameMessage;

test('every message of a page is read, in both spellings', () => {
  const fields = { want: 'a bell' };
  for (const [message, expected] of [
    [{ type: 'panel-ready' }, { kind: 'ready' }],
    [{ type: 'request-entity-data' }, { kind: 'wants-entity' }],
    [{ type: 'host-theme-request' }, { kind: 'wants-theme' }],
    [
      { type: 'entity-modified', fields },
      { kind: 'modified', entityId: null, fields },
    ],
    [
      { type: 'entity-modified', changes: fields },
      { kind: 'modified', entityId: null, fields },
    ],
    [
      { type: 'entity-modified', entityData: fields },
      { kind: 'modified', entityId: null, fields },
    ],
    [
      { type: 'navigate', entityType: 'character', entityId: 'mira' },
      { kind: 'navigate', to: { entityType: 'character', entityId: 'mira' } },
    ],
    [
      { type: 'navigate', path: '/w/a' },
      { kind: 'navigate', to: { path: '/w/a' } },
    ],
    [
      { type: 'toast', level: 'success', message: 'Done' },
      { kind: 'toast', level: 'success', text: 'Done' },
    ],
    [
      { type: 'toast', toastType: 'error', message: 'Broken' },
      { kind: 'toast', level: 'error', text: 'Broken' },
    ],
    [
      { type: 'toast', level: 'fatal', message: 'x' },
      { kind: 'toast', level: 'info', text: 'x' },
    ],
    [
      { type: 'resize', height: 120.4 },
      { kind: 'resize', height: 120 },
    ],
    [
      { type: 'host-field-widget-resize', height: 90 },
      { kind: 'resize', height: 90 },
    ],
    [
      { type: 'host-field-widget-change', value: [1] },
      { kind: 'widget-change', value: [1] },
    ],
    [{ type: 'host-field-widget-change' }, { kind: 'widget-change', value: null }],
    [
      { type: 'host-call', callId: 7, call: 'types.list' },
      { kind: 'call', id: 7, call: 'types.list', args: {} },
    ],
  ] as const)
    assert.deepEqual(read(message), expected, JSON.stringify(message));
});

test('an entity that is sent back is a patch of its parts and fields, without what it is', () => {
  const key = { account: 'ada', project: 'p', type: 'character', id: 'mira' };
  const base = entityState({ fields: { want: 'a bell', version: 'director’s cut' } });
  const { data } = shownEntity(emptyDraft(key, base, 't1'));
  const { name, status, markdown_body, primary_asset, production_status } = data ?? assert.fail('no data');
  const own = { name, status, markdown_body, primary_asset, production_status };
  for (const sent of [{ data }, { entityData: data }, { data: { ...data, is_valid: true } }])
    assert.deepEqual(read({ type: 'entity-modified', ...sent }), {
      kind: 'modified',
      entityId: null,
      fields: { ...own, want: 'a bell' },
    });
  assert.deepEqual(partsOfPatch({ ...own, want: 'a bell' }, []).refused, [], 'nobody is warned');
  assert.equal(read({ type: 'entity-modified', data: { entity_id: 'mira', fields: {} } }), null);
});

test('heights are clamped and long toasts are cut, between characters', () => {
  assert.deepEqual(read({ type: 'resize', height: -5 }), { kind: 'resize', height: 40 });
  assert.deepEqual(read({ type: 'resize', height: 1e9 }), { kind: 'resize', height: 300 });
  const toast = read({ type: 'toast', message: '🔔'.repeat(5_000) });
  assert.ok(toast?.kind === 'toast');
  assert.equal(Array.from(toast.text).length, 300);
  assert.ok(toast.text.isWellFormed());
});

test('what is no message, or is not whole, is null', () => {
  const loop: Record<string, unknown> = { type: 'panel-ready' };
  loop.self = loop;
  for (const message of [
    null,
    'panel-ready',
    7,
    [],
    {},
    { type: 'constructor' },
    { type: { toString: 'panel-ready' } },
    { type: 'entity-modified' },
    { type: 'entity-modified', fields: [] },
    { type: 'entity-modified', fields: {} },
    { type: 'navigate' },
    { type: 'navigate', entityType: 'character', entityId: '' },
    { type: 'navigate', path: '/'.repeat(3_000) },
    { type: 'toast', level: 'info' },
    { type: 'toast', message: '  ' },
    { type: 'resize', height: '90' },
    { type: 'resize', height: Number.NaN },
    { type: 'host-call', call: 'types.list' },
    { type: 'host-call', callId: { a: 1 }, call: 'types.list' },
    { type: 'panel-ready', at: new Date() },
    { type: 'panel-ready', map: new Map() },
    loop,
  ])
    assert.equal(read(message), null);
});

test('a message that is too large, too deep or longer than it looks is not read', () => {
  const list: unknown[] = [];
  list.length = 4_000_000_000;
  const deep: unknown[] = [];
  let innermost = deep;
  for (let depth = 0; depth < 100_000; depth += 1) {
    const next: unknown[] = [];
    innermost.push(next);
    innermost = next;
  }
  // Each level twice: a few objects that are millions when they are walked.
  let twice: unknown = 'x';
  for (let depth = 0; depth < 40; depth += 1) twice = { a: twice, b: twice };
  for (const value of ['x'.repeat(LARGEST_MESSAGE), list])
    assert.deepEqual(read({ type: 'host-field-widget-change', value }), { kind: 'too-large' });
  assert.equal(read({ type: 'host-field-widget-change', value: deep }), null);
  assert.deepEqual(read({ type: 'host-field-widget-change', value: twice }), { kind: 'too-large' });
  assert.ok(read({ type: 'host-field-widget-change', value: 'x'.repeat(200_000) }));
});

test('no key reaches a prototype', () => {
  const hostile = JSON.parse('{"type":"entity-modified","fields":{"__proto__":{"admin":true}}}');
  assert.equal(read(hostile), null);
  const message = read(
    JSON.parse('{"type":"entity-modified","fields":{"constructor":{"prototype":{"admin":true}}}}'),
  );
  assert.ok(message?.kind === 'modified');
  assert.equal(Object.getPrototypeOf(message.fields), Object.prototype);
  assert.ok(!('admin' in Object.prototype));
});
