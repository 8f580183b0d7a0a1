import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runReplicaCase } from '../../../test/support/replica/case.ts';
import { planReplica } from '../../../test/support/replica/plan.ts';
import { isMassDeletion, NOTHING_KNOWN } from './index.ts';

const CASES = 10_000;
/** Another one tries other cases: REPLICA_SEED=7 node src/content/replica/replica.test.ts */
const FIRST_SEED = Number(process.env.REPLICA_SEED ?? 1);

test('the plan for each way in which the three trees may stand', () => {
  const known = (synced: string) => ({ synced, version: 1, sent: undefined });
  const plan = planReplica({
    local: new Map([
      ['both new', 'x'],
      ['both other', 'x'],
      ['edited and deleted there', 'new'],
      ['edited here', 'new'],
      ['edited there', 'old'],
      ['gone there', 'old'],
      ['new here', 'x'],
      ['same', 'old'],
    ]),
    remote: new Map([
      ['both new', 'x'],
      ['both other', 'y'],
      ['deleted here and edited', 'new'],
      ['edited here', 'old'],
      ['edited there', 'new'],
      ['gone here', 'old'],
      ['new there', 'x'],
      ['same', 'old'],
    ]),
    known: new Map([
      ['both other', known('old')],
      ['deleted here and edited', known('old')],
      ['edited and deleted there', known('old')],
      ['edited here', known('old')],
      ['edited there', known('old')],
      ['gone here', known('old')],
      ['gone on both', known('old')],
      ['gone there', known('old')],
      ['same', known('old')],
    ]),
  });
  assert.deepEqual(Object.fromEntries(plan.map(({ key, step }) => [key, step])), {
    'both new': 'note',
    'both other': 'merge',
    'deleted here and edited': 'pull',
    'edited and deleted there': 'push',
    'edited here': 'push',
    'edited there': 'pull',
    'gone here': 'push_deletion',
    'gone on both': 'note',
    'gone there': 'pull_deletion',
    'new here': 'push',
    'new there': 'pull',
  });
});

test('what was sent and is not the cloud’s state gives way to that, and is sent no more', () => {
  const known = new Map([['a', { ...NOTHING_KNOWN, synced: 'old', version: 3, sent: 'mine' }]]);
  const plan = (local: string, remote: string) =>
    planReplica({ local: new Map([['a', local]]), remote: new Map([['a', remote]]), known });
  assert.deepEqual(plan('mine', 'theirs'), [{ key: 'a', step: 'pull' }]);
  assert.deepEqual(plan('mine and more', 'theirs'), [{ key: 'a', step: 'merge' }]);
});

test('many deletions at once are a mass, one alone never is', () => {
  assert.deepEqual(
    [isMassDeletion(1, 1), isMassDeletion(2, 6), isMassDeletion(3, 10), isMassDeletion(4, 10)],
    [false, true, false, true],
  );
  assert.deepEqual([isMassDeletion(50, 10_000), isMassDeletion(51, 10_000)], [false, true]);
});

describe('two installations and a hub, whatever the messages and processes go through', () => {
  test(`${CASES} random cases converge, lose no text, and then change nothing`, () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + CASES; seed += 1) {
      assert.equal(runReplicaCase(seed), null, `seed ${seed}`);
    }
  });

  test('a merge from another version than the ancestor is found out', () => {
    const found = [];
    for (let seed = 1; seed <= 500; seed += 1) {
      const failure = runReplicaCase(seed, { wrongAncestor: true });
      if (failure !== null) found.push(failure);
    }
    assert.ok(
      found.some((failure) => failure.startsWith('lost')),
      `${found.length} failures`,
    );
  });
});
