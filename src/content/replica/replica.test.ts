import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runReplicaCase } from '../../../test/support/replica/case.ts';
import { ABSENT, isMassDeletion, keyStep, NOTHING_KNOWN } from './index.ts';

const CASES = 10_000;
/** Another seed tries other cases: REPLICA_SEED=7 node src/content/replica/replica.test.ts */
const FIRST_SEED = Number(process.env.REPLICA_SEED ?? 1);

test('the step for each way in which the three states may stand', () => {
  const cases: [
    what: string,
    local: string | null,
    remote: string | null,
    synced: string | null,
    step: string | null,
  ][] = [
    ['both new', 'x', 'x', null, 'note'],
    ['both other', 'x', 'y', 'old', 'merge'],
    ['deleted here and edited', null, 'new', 'old', 'pull'],
    ['edited and deleted there', 'new', null, 'old', 'push'],
    ['edited here', 'new', 'old', 'old', 'push'],
    ['edited there', 'old', 'new', 'old', 'pull'],
    ['gone here', null, 'old', 'old', 'push_deletion'],
    ['gone on both', null, null, 'old', 'note'],
    ['gone there', 'old', null, 'old', 'pull_deletion'],
    ['new here', 'x', null, null, 'push'],
    ['new there', null, 'x', null, 'pull'],
    ['same', 'old', 'old', 'old', null],
  ];
  for (const [what, local, remote, synced, step] of cases) {
    const state = { ...NOTHING_KNOWN, synced: synced ?? undefined };
    assert.equal(keyStep(state, local ?? undefined, remote ?? undefined), step, what);
  }
});

test('what was sent and is not the cloud’s state gives way to that, and is sent no more', () => {
  const known = { ...NOTHING_KNOWN, synced: 'old', sent: 'mine' };
  assert.equal(keyStep(known, 'mine', 'theirs'), 'pull');
  assert.equal(keyStep(known, 'mine and more', 'theirs'), 'merge');
});

test('what was sent and merged elsewhere is noted where the cloud has the same, and its deletion is taken', () => {
  const merged = { synced: 'old', sent: 'mine' };
  assert.equal(keyStep(merged, 'mine', 'mine'), 'note');
  assert.equal(keyStep(merged, 'mine', undefined), 'pull_deletion');
});

test('a deletion that the cloud refused for something newer gives way to that', () => {
  assert.equal(keyStep({ synced: 'old', sent: ABSENT }, undefined, 'old'), 'pull');
});

test('nothing is known of a key at first', () => {
  assert.deepEqual(NOTHING_KNOWN, { synced: undefined, sent: undefined });
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
