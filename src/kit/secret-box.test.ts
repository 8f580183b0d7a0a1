import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretBox, derivedSecret } from './secret-box.ts';

const key = new Uint8Array(32).fill(7);
const box = createSecretBox(key);

test('what is sealed opens with the same key and context, and never looks alike', () => {
  const sealed = box.seal('a secret', 'key 1');
  assert.equal(box.open(sealed, 'key 1'), 'a secret');
  assert.equal(box.open(box.seal('', ''), ''), '');
  assert.notEqual(box.seal('a secret', 'key 1'), sealed);
  assert.ok(!sealed.includes('a secret'));
});

test('it opens with no other key, in no other place, and not when altered', () => {
  const sealed = box.seal('a secret', 'key 1');
  const other = createSecretBox(new Uint8Array(32).fill(8));
  const [version = '', text = ''] = sealed.split('.');
  const altered = `${version}.${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
  for (const open of [
    () => other.open(sealed, 'key 1'),
    () => box.open(sealed, 'key 2'),
    () => box.open(altered, 'key 1'),
    () => box.open(sealed.slice(0, 20), 'key 1'),
    () => box.open('nonsense', 'key 1'),
  ])
    assert.throws(open, /ENCRYPTION_KEY/);
});

test('each use has a secret of its own', () => {
  assert.equal(derivedSecret(key, 'links'), derivedSecret(key, 'links'));
  assert.notEqual(derivedSecret(key, 'links'), derivedSecret(key, 'tokens'));
  assert.throws(() => derivedSecret(new Uint8Array(), 'links'), /ENCRYPTION_KEY/);
});
