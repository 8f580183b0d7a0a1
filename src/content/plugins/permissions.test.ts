import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isPartId,
  isPluginId,
  isSafePath,
  needsConsent,
  normalPermission,
  PLAIN_PERMISSIONS,
} from './index.ts';

test('all spellings of a permission are one', () => {
  const spellings: readonly [string, readonly string[]][] = [
    [
      'entities:read',
      [
        ...['read_entities', 'entity:read', 'entities:read', 'entity_read', 'entities.read', 'READ_ENTITIES'],
        ...['read:entity', 'Entity-Read', 'read entities', ' entities:read '],
      ],
    ],
    ['entities:write', ['write_entities', 'entity:write', 'ENTITIES.WRITE']],
    ['assets:read', ['read_assets', 'asset:read', 'assets_read']],
    ['assets:write', ['write_asset', 'assets:write']],
    ['ai:generate', ['ai_generate', 'generate_ai', 'AI:GENERATE']],
    ['settings:read', ['read_settings', 'setting:read']],
    ['events:emit', ['emit_events', 'event.emit']],
    ['kv', ['KV']],
    ['http:api.example.com', ['HTTP:API.Example.com']],
  ];
  for (const [normal, texts] of spellings) {
    for (const text of texts) assert.equal(normalPermission(text), normal, text);
  }
});

test('what is no permission', () => {
  const texts = [
    ...[
      '',
      ':',
      'read',
      'entities',
      'entities:delete',
      'entities:read:all',
      'entities:reads',
      'kv:read',
      'ai:read',
    ],
    ...[
      'constructor:read',
      '__proto__',
      'toString:read',
      'read_entities_now',
      '*',
      'entities:*',
      'https:example.com',
    ],
  ];
  for (const text of texts) assert.equal(normalPermission(text), null, text);
});

test('hosts', () => {
  const good = [
    ...['example.com', 'localhost', 'a.b.example.co.uk', 'xn--mnchen-3ya.de', 'a-b.example', '1.example.com'],
    ...[
      'example.com:8443',
      '*.example.com',
      '*.example.com:65535',
      '127.0.0.1',
      '127.0.0.1:80',
      '[::1]',
      '[fe80::1]:8080',
    ],
    ...['127.1', `${'a'.repeat(63)}.com`],
  ];
  for (const host of good) assert.equal(normalPermission(`http:${host}`), `http:${host}`);
  const bad = [
    ...[
      '',
      '*',
      '*.com',
      '*.*.com',
      'a.*.com',
      '*example.com',
      '*.127.0.0.1',
      '*.[::1]',
      'example.com.',
      '.example.com',
    ],
    ...[
      'example..com',
      '-a.com',
      'a-.com',
      'a_b.com',
      'münchen.de',
      'example.com:',
      'example.com:0',
      'example.com:080',
    ],
    ...[
      'example.com:65536',
      'example.com:99999',
      'example.com/path',
      'user@example.com',
      '//example.com',
      'a b.com',
    ],
    ...['[::1', '[::g]', '[1:2]', '[]', `${'a'.repeat(64)}.com`, `${'a.'.repeat(126)}com`, 'a.com\nb.com'],
  ];
  for (const host of bad) assert.equal(normalPermission(`http:${host}`), null, host);
});

test('an admin is asked for writes, hosts and AI', () => {
  const asked = PLAIN_PERMISSIONS.filter(needsConsent);
  assert.deepEqual(asked, ['entities:write', 'assets:write', 'ai:generate']);
  assert.ok(needsConsent('http:example.com'));
});

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
