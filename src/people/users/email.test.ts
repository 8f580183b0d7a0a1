import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedEmail } from './email.ts';

test('addresses are kept in one form', () => {
  assert.equal(checkedEmail('  Mara@Example.COM '), 'mara@example.com');
  assert.equal(checkedEmail('ｍara@example.com'), 'mara@example.com');
  assert.equal(checkedEmail('o\u2019neil+tag@sub.example.co'), 'o\u2019neil+tag@sub.example.co');
  assert.equal(checkedEmail('jürgen@bücher.example'), 'jürgen@bücher.example');
  assert.equal(checkedEmail('root@localhost'), 'root@localhost');
});

for (const text of [
  '',
  'mara',
  '@example.com',
  'mara@',
  'a b@example.com',
  'a@b@c.example',
  'mara@example..com',
  'mara@.example.com',
  'mara@example.com.',
  'mara\u0000@example.com',
  '<mara>@example.com',
  `${'x'.repeat(65)}@example.com`,
  `mara@${'x'.repeat(260)}.com`,
]) {
  test(`refuses ${JSON.stringify(text).slice(0, 40)}`, () => {
    assert.throws(() => checkedEmail(text), { status: 422 });
  });
}
