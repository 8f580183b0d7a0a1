import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createWorkBudget } from './work-budget.ts';

async function asked(asking: Promise<() => void>) {
  let release: (() => void) | undefined;
  asking.then(
    (given) => {
      release = given;
    },
    () => {},
  );
  await turn();
  return { asking, isGiven: () => release !== undefined, release: () => release?.() };
}

describe('the budget of work', () => {
  test('gives what there is, and what comes back to those who wait, in their order', async () => {
    const hold = createWorkBudget({ bytes: 100, bytesOfTenant: 100 });
    const first = await asked(hold('a', 80));
    const large = await asked(hold('b', 90));
    const small = await asked(hold('c', 10));
    assert.deepEqual(
      [first, large, small].map(({ isGiven }) => isGiven()),
      [true, false, false],
    );
    first.release();
    await turn();
    assert.deepEqual(
      [large, small].map(({ isGiven }) => isGiven()),
      [true, true],
    );
  });

  test('a tenant that has all of its share keeps nobody else waiting', async () => {
    const hold = createWorkBudget({ bytes: 100, bytesOfTenant: 50 });
    await hold('a', 50);
    const more = await asked(hold('a', 10));
    const other = await asked(hold('b', 50));
    assert.deepEqual([more.isGiven(), other.isGiven()], [false, true]);
  });

  test('refuses after a while: 429 where the tenant has no room, 503 where the process has none', async () => {
    const hold = createWorkBudget({ bytes: 100, bytesOfTenant: 60 });
    await hold('a', 60);
    await hold('b', 40);
    const headers = { 'retry-after': '5' };
    await assert.rejects(hold('a', 1, { waitMs: 1 }), {
      status: 429,
      extras: { code: 'too_much_at_once', headers },
    });
    await assert.rejects(hold('c', 1, { waitMs: 1 }), { status: 503, extras: { code: 'busy', headers } });
  });

  test('one that waits in vain keeps nobody waiting any longer', async () => {
    const hold = createWorkBudget({ bytes: 100, bytesOfTenant: 100 });
    await hold('a', 50);
    const vain = hold('b', 60, { waitMs: 5 });
    const behind = hold('c', 50);
    await assert.rejects(vain, { status: 503 });
    await behind;
  });

  test('what is larger than a share runs alone', async () => {
    const hold = createWorkBudget({ bytes: 100, bytesOfTenant: 50 });
    const huge = await asked(hold('a', 10_000));
    const next = await asked(hold('a', 1));
    assert.deepEqual([huge.isGiven(), next.isGiven()], [true, false]);
    huge.release();
    huge.release();
    await next.asking;
    await hold('b', 50);
    await assert.rejects(hold('c', 50, { waitMs: 1 }), { status: 503 });
  });

  test('those that would wait behind too many are refused at once', async () => {
    const hold = createWorkBudget({ bytes: 10, bytesOfTenant: 10 });
    const release = await hold('a', 10);
    const waiting = Array.from({ length: 500 }, () => hold('a', 10).then((done) => done()));
    await assert.rejects(hold('a', 10, { waitMs: 60_000 }), { status: 429 });
    release();
    await Promise.all(waiting);
  });
});
