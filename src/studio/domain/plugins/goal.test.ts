import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOfGoal } from './goal.ts';

const from = { project: 'saltmere', mayWrite: false };
const at = (path: string, mayWrite = false) => addressOfGoal({ path }, { ...from, mayWrite });

test('a page leads to entities and to addresses of worlds', () => {
  assert.equal(
    addressOfGoal({ entityType: 'character', entityId: 'a/b' }, from),
    '/w/saltmere/character/a%2Fb',
  );
  assert.equal(at('/w/saltmere/character?tab=history#x'), '/w/saltmere/character');
  assert.equal(at('/w/saltmere/character/mira?tab=history'), '/w/saltmere/character/mira?tab=history');
  assert.equal(at('/w/saltmere/-/findings'), '/w/saltmere/-/findings');
});

test('and to nothing else', () => {
  for (const path of [
    'https://example.com/w/saltmere',
    '//example.com/w/saltmere',
    '/\\example.com/w/saltmere',
    'javascript:alert(1)',
    'w/saltmere',
    '/w/../sign-in',
    '/reset-password?token=mine',
    '/?error=trust_me',
    '/w?begin=sample',
    '/api/auth/web/logout',
    '/w/saltmere/-/nowhere',
  ])
    assert.equal(at(path), null, path);
});

test('a new entity, which its name saves, is begun only with the permission to write', () => {
  assert.equal(at('/w/saltmere/-/new/quest?name=Mine'), null);
  assert.equal(at('/w/saltmere/-/new/quest?name=Mine', true), '/w/saltmere/-/new/quest?name=Mine');
  assert.equal(at('/w/other/-/new/quest?name=Mine', true), null);
});
