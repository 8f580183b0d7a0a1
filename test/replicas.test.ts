import { test } from 'node:test';
import { allEndWell } from './support/replicas/all-end-well.ts';

/** A single case: REPLICA_SEED=7 REPLICA_CASES=1. Many: npm run replicas -- 20000. */
const FIRST_SEED = Number(process.env.REPLICA_SEED ?? 1);
const CASES = Number(process.env.REPLICA_CASES ?? 24);
/** A busy machine plays as many as it gets to before the test command ends the file. */
const WITHIN_MS = 120_000;

const seeds = `up to ${CASES} cases from seed ${FIRST_SEED}`;
test(`a cloud and two installs, edits and moves everywhere, kills, jumping clocks, a bad wire: ${seeds}`, (t) =>
  allEndWell(t, { cases: CASES, firstSeed: FIRST_SEED, moves: true, withinMs: WITHIN_MS }));
