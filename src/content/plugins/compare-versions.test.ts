import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOlderVersion } from './compare-versions.ts';

const IN_ORDER = [
  'no version',
  '0.9.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.beta',
  '1.0.0-beta.2',
  '1.0.0-beta.11',
  '1.0.0-rc.1',
  '1.0.0',
  '1.2.0',
  '1.10.0',
  '2.0.0',
  '2.0.9007199254740993',
  '2.0.9007199254740995',
];

test('versions are older than those after them, and not than themselves', () => {
  for (const [index, one] of IN_ORDER.entries())
    for (const [otherIndex, other] of IN_ORDER.entries())
      assert.equal(isOlderVersion(one, other), index < otherIndex, `${one} ${other}`);
});

test('the mark of a build does not count', () => {
  assert.equal(isOlderVersion('1.0.0+5', '1.0.0+6'), false);
  assert.equal(isOlderVersion('1.0.0-a+5', '1.0.0'), true);
  assert.equal(isOlderVersion('1.0.0', '1.0.1+1'), true);
});
