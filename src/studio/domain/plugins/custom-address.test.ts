import assert from 'node:assert/strict';
import { test } from 'node:test';
import { customAddress } from './custom-address.ts';

test('a page reaches the routes of its own guest', () => {
  assert.equal(
    customAddress('names', '/names?culture=sea folk&count=5'),
    '/api/plugins/names/custom/names?culture=sea+folk&count=5',
  );
  assert.equal(customAddress('names', '/a/../b#c'), '/api/plugins/names/custom/b');
});

test('it reaches nothing else', () => {
  for (const path of [
    '',
    '/',
    'names',
    '//other/../../..',
    '/../../../entity/character',
    '/../../other/custom/x',
    '/%2e%2e/settings',
    '/..\\settings',
    '/x/../..',
  ])
    assert.equal(customAddress('names', path), null, path);
});

test('it stays in its world', () => {
  assert.equal(
    customAddress('names', '/x?project_id=other&a=1&project_id=third'),
    '/api/plugins/names/custom/x?a=1',
  );
});
