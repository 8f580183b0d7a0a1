import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { driveCases } from '../../../../test/support/drive-histories/drive-case.ts';
import { histories } from '../../../../test/support/engine/histories.ts';

/** `npm run drive-histories -- 10000` plays more. */
const CASES = 300;

describe('two installs and people in one folder of a drive, whatever requests and processes go through', () => {
  test(`${CASES} random histories end the same everywhere, lose no word, and then change nothing`, async () => {
    for await (const { seed, failure } of histories({ cases: CASES, firstSeed: 1 }, driveCases()))
      assert.equal(failure, null, `seed ${seed}`);
  });

  test('a merge from another version than the ancestor is found out', async () => {
    const failures: string[] = [];
    const cases = histories({ cases: 60, firstSeed: 1 }, driveCases({ wrongAncestor: true }));
    for await (const { failure } of cases) {
      if (failure !== null) failures.push(failure);
      if (failure?.startsWith('lost')) return;
    }
    assert.fail(`no word was lost: ${failures}`);
  });
});
