import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engineCases } from '../../../test/support/engine/engine-case.ts';
import { histories } from '../../../test/support/engine/histories.ts';

/** `npm run histories -- 2000` plays more. */
const CASES = 24;

describe('two projects and a replica, whatever the messages and processes go through', () => {
  test(`${CASES} random histories converge, lose no word, and then change nothing`, async () => {
    for await (const { seed, failure } of histories(
      { cases: CASES, firstSeed: 1 },
      engineCases({ moves: true }),
    ))
      assert.equal(failure, null, `seed ${seed}`);
  });

  test('nothing that an install has is lost when backups of the replica are brought back', async () => {
    for await (const { seed, failure } of histories(
      { cases: 12, firstSeed: 25 },
      engineCases({ backups: true }),
    ))
      assert.equal(failure, null, `seed ${seed}`);
  });

  test('what was sent, and lost with the replica before it came back, is sent again', async () => {
    for await (const { failure } of histories(
      { cases: 1, firstSeed: 6050 },
      engineCases({ moves: true, backups: true }),
    ))
      assert.equal(failure, null);
  });

  test('a merge from another version than the ancestor is found out', async () => {
    const failures: string[] = [];
    for await (const { failure } of histories(
      { cases: 60, firstSeed: 1 },
      engineCases({ wrongAncestor: true }),
    )) {
      if (failure !== null) failures.push(failure);
      if (failure?.startsWith('lost')) return;
    }
    assert.fail(`no word was lost: ${failures}`);
  });
});
