import assert from 'node:assert/strict';
import { test } from 'node:test';
import { needsConsent, normalPermission, PLAIN_PERMISSIONS } from './index.ts';

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
