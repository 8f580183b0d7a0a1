import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPartId, isPluginId, isSafePath } from './index.ts';

test('paths that are safe on every system and in an address', () => {
  const good = [
    'a.html',
    'a/b/c.html',
    'Ünïcode/日本.html',
    'a b.html',
    '.hidden/x',
    'a..b/c',
    '...a',
    `${'a'.repeat(255)}`,
  ];
  for (const path of good) assert.ok(isSafePath(path), path);
  const bad = [
    ...[
      '',
      '.',
      '..',
      './a',
      '../a',
      'a/../b',
      'a/./b',
      'a/..',
      '/a',
      '//a',
      'a//b',
      'a/',
      'a\\b',
      '\\\\host\\a',
      '..\\a',
    ],
    ...[
      'C:/a',
      'c:a',
      'C:\\a',
      'a:stream',
      'http://a/b',
      'HTTPS://a',
      'data:text/html,x',
      'javascript:x',
      'file:///a',
    ],
    ...[
      'a?b',
      'a#b',
      'a%2e%2e/b',
      '%2e%2e/b',
      'a\0',
      'a\nb',
      'a\x7f',
      'a\u202eb',
      'a\ud800',
      'a<b',
      'a|b',
      'a*',
      'a"',
    ],
    ...['a./b', '.../b', 'a /b', ' a', 'a ', 'a\u00a0', 'a'.repeat(256), 'a/'.repeat(250).concat('ab')],
  ];
  for (const path of bad) assert.ok(!isSafePath(path), path);
});

test('ids of plugins and of their parts', () => {
  for (const id of ['a', 'my-plugin', 'a1', 'a'.repeat(64)]) assert.ok(isPluginId(id), id);
  for (const id of ['', 'A', '1a', '-a', 'a_b', 'a.b', 'a b', 'a\n', 'a'.repeat(65), 'upload', 'prototype']) {
    assert.ok(!isPluginId(id), id);
  }
  for (const id of ['a', '1', 'a_b-c', 'upload', 'a'.repeat(64)]) assert.ok(isPartId(id), id);
  for (const id of ['', 'A', '_a', '-a', 'a.b', 'a:b', 'a\n', 'a'.repeat(65), 'constructor'])
    assert.ok(!isPartId(id), id);
});
