import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHostCall } from './host-calls.ts';

const ALL = new Set(['entities:read', 'entities:write']);
const mira = { entity_type: 'character', entity_id: 'mira' };

function refusal(call: unknown, args: Record<string, unknown>, granted: ReadonlySet<string> = ALL) {
  const read = readHostCall(call, args, granted);
  return 'refused' in read ? read.refused : null;
}

test('a call has its own arguments and no others', () => {
  assert.deepEqual(readHostCall('entities.get', { ...mira, project: 'other', plugin: 'x' }, ALL), {
    call: 'entities.get',
    args: mira,
  });
  assert.deepEqual(readHostCall('data.list', { record_type: 'counts', limit: 5, offset: null }, ALL), {
    call: 'data.list',
    args: { record_type: 'counts', limit: 5 },
  });
});

test('a page may ask its own guest, with a body or without', () => {
  const asked = { method: 'POST', path: '/names' };
  const body = { count: 5 };
  assert.deepEqual(readHostCall('custom', { ...asked, body, plugin: 'other' }, ALL), {
    call: 'custom',
    args: { ...asked, body },
  });
  assert.equal(refusal('custom', asked, new Set()), null);
  assert.equal(refusal('custom', { path: '/names' })?.status, 400);
});

test('what is missing, of another kind or unknown is said', () => {
  assert.deepEqual(refusal('data.create', { record_type: 'counts', data: [] }), {
    status: 400,
    detail: "'data.create' needs data: an object",
  });
  assert.equal(refusal('entities.list', { entity_type: 'character', limit: 1.5 })?.status, 400);
  assert.equal(refusal('entities.get', { entity_type: '', entity_id: 'mira' })?.status, 400);
  for (const name of ['.', '..']) {
    assert.equal(refusal('data.put', { record_type: name, record_id: 'settings', data: {} })?.status, 400);
    assert.equal(refusal('data.get', { record_type: 'notes', record_id: name })?.status, 400);
    assert.equal(refusal('entities.list', { entity_type: name })?.status, 400);
    assert.equal(refusal('entities.get', { entity_type: name, entity_id: 'plugins' })?.status, 400);
  }
  for (const call of ['eval', 'constructor', '__proto__', undefined, { toString: 'types.list' }])
    assert.equal(refusal(call, {})?.status, 404);
});

test('entities are read and changed only with the permission to', () => {
  const none = new Set<string>();
  for (const [call, args] of [
    ['entities.get', mira],
    ['entities.list', { entity_type: 'character' }],
    ['entities.search', { query: 'bell' }],
    ['entities.graph', { ...mira, depth: 2 }],
  ] as const) {
    assert.match(refusal(call, args, none)?.detail ?? '', /'entities:read'/);
    assert.equal(refusal(call, args), null);
  }
  const update = { ...mira, fields: { want: 'x' } };
  assert.equal(refusal('entities.update', update, new Set(['entities:read']))?.status, 403);
  assert.equal(refusal('entities.update', update), null);
  for (const call of ['types.list', 'settings.get']) assert.equal(refusal(call, {}, none), null);
});
