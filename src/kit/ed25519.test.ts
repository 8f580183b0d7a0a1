import assert from 'node:assert/strict';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { isSignedBy, newPrivateKey, privateKeyIn, publicBytesOf, signBytes } from './ed25519.ts';

const keyOf = (pem: string) => {
  const key = privateKeyIn(pem);
  assert.ok(key);
  return key;
};

test('a signature fits its own bytes and key, and nothing else', () => {
  const [key, other] = [keyOf(newPrivateKey()), keyOf(newPrivateKey())];
  const bytes = randomBytes(1_000);
  const signature = signBytes(key, bytes);
  const publicBytes = publicBytesOf(key);
  assert.equal(publicBytes.length, 32);
  assert.equal(isSignedBy(publicBytes, bytes, signature), true);
  assert.equal(isSignedBy(publicBytesOf(other), bytes, signature), false);
  assert.equal(isSignedBy(publicBytes, bytes.subarray(1), signature), false);
  assert.equal(isSignedBy(publicBytes, bytes, signature.subarray(0, 63)), false);
  const changed = Buffer.from(bytes);
  changed[500] = (changed[500] ?? 0) ^ 1;
  assert.equal(isSignedBy(publicBytes, changed, signature), false);
});

test('a key of another kind, a public key and other text are no private keys', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { publicKey } = generateKeyPairSync('ed25519');
  const others = [
    privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    'no key',
    '',
  ];
  for (const pem of others) assert.equal(privateKeyIn(pem), null);
});
