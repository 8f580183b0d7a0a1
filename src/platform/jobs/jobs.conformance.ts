import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { ClaimedJob, JobKey, Jobs } from './jobs.ts';

export interface JobsUnderTest {
  jobs: Jobs;
  others: Jobs;
  now(): number;
  pass(milliseconds: number): void;
}

type MakeJobs = (t: TestContext) => Promise<JobsUnderTest>;

const LEASE_MS = 60_000;
const KINDS = ['measure', 'preview'];
const LOCAL = { tenantId: 'local', projectId: 'default' };

const job = (subject: string, change: Partial<JobKey> = {}): JobKey => ({
  ...LOCAL,
  queue: 'assets',
  kind: 'measure',
  subject,
  ...change,
});

const claim = (jobs: Jobs) => jobs.claim('assets', KINDS, LEASE_MS);

async function mustClaim(jobs: Jobs) {
  const claimed = await claim(jobs);
  assert.ok(claimed, 'nothing to claim');
  return claimed;
}

async function claimAll(jobs: Jobs): Promise<string[]> {
  const subjects: string[] = [];
  for (let next = await claim(jobs); next; next = await claim(jobs)) subjects.push(next.subject);
  return subjects;
}

export function jobsConformance(make: MakeJobs): void {
  dueConformance(make);
  cancelConformance(make);

  test('a job is claimed by one, and done', async (t) => {
    const { jobs, others } = await make(t);
    await jobs.add([job('a')]);
    const claimed = await mustClaim(others);
    assert.deepEqual([claimed.subject, claimed.kind, claimed.attempt], ['a', 'measure', 1]);
    assert.equal(await claim(jobs), null);
    assert.deepEqual(await jobs.counts(LOCAL, 'assets'), { waiting: 0, running: 1, done: 0, failed: 0 });
    assert.equal(await others.done(claimed), true);
    assert.equal(await claim(jobs), null);
    const [shown] = await jobs.list(LOCAL, 'assets', 'a');
    assert.deepEqual([shown?.state, shown?.attempts, shown?.error], ['done', 1, null]);
  });

  test('of many claims at once in several processes each gets another job', async (t) => {
    const { jobs, others } = await make(t);
    const subjects = Array.from({ length: 20 }, (_, index) => `s${index}`).sort();
    await jobs.add(subjects.map((subject) => job(subject)));
    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, index) => claim(index % 2 ? jobs : others)),
    );
    const first = claims.flatMap((each) => (each ? [each.subject] : []));
    // A claim that loses the race for a job may return nothing; the caller asks again.
    assert.deepEqual([...first, ...(await claimAll(jobs))].sort(), subjects);
  });

  test('asking again while a job waits leaves one job; while it runs, it runs once more', async (t) => {
    const { jobs } = await make(t);
    await Promise.all([jobs.add([job('a'), job('a')]), jobs.add([job('a')])]);
    const first = await mustClaim(jobs);
    assert.equal(await claim(jobs), null);
    await jobs.add([job('a')]);
    assert.equal(await claim(jobs), null);
    await jobs.done(first);
    const second = await mustClaim(jobs);
    assert.equal(second.attempt, 1);
    await jobs.done(second);
    assert.equal(await claim(jobs), null);
    await jobs.add([job('a')]);
    assert.ok(await claim(jobs));
  });

  test('whose worker is silent loses the job when the lease ends, and changes it no more', async (t) => {
    const { jobs, others, pass } = await make(t);
    await jobs.add([job('a')]);
    const lost = await mustClaim(jobs);
    pass(LEASE_MS - 1_000);
    assert.equal(await jobs.extend(lost, LEASE_MS), true);
    pass(LEASE_MS - 1_000);
    assert.equal(await claim(others), null);
    pass(2_000);
    const taken = await mustClaim(others);
    assert.equal(taken.attempt, 2);
    assert.equal(await jobs.extend(lost, LEASE_MS), false);
    assert.equal(await jobs.fail(lost, 'too late', null), false);
    assert.equal(await jobs.release(lost), false);
    assert.equal(await jobs.done(lost), false);
    assert.equal(await others.done(taken), true);
  });

  test('a failed job waits before it is tried again, or stays failed', async (t) => {
    const { jobs, pass } = await make(t);
    await jobs.add([job('a')]);
    await jobs.fail(await mustClaim(jobs), 'no such luck', 5_000);
    const [waits] = await jobs.list(LOCAL, 'assets', 'a');
    assert.deepEqual([waits?.state, waits?.error], ['waiting', 'no such luck']);
    assert.equal(await claim(jobs), null);
    pass(5_000);
    const again = await mustClaim(jobs);
    assert.equal(again.attempt, 2);
    await jobs.fail(again, 'not a picture', null);
    pass(LEASE_MS * 1_000);
    assert.equal(await claim(jobs), null);
    assert.deepEqual(await jobs.counts(LOCAL, 'assets'), { waiting: 0, running: 0, done: 0, failed: 1 });
    await jobs.add([job('a')]);
    assert.equal((await mustClaim(jobs)).attempt, 1);
  });

  test('a job that is given back is as before', async (t) => {
    const { jobs } = await make(t);
    await jobs.add([job('a')]);
    await jobs.release(await mustClaim(jobs));
    assert.equal((await mustClaim(jobs)).attempt, 1);
  });

  test('a tenant’s jobs are claimed in their order, of the kinds and queue that were asked for', async (t) => {
    const { jobs, pass } = await make(t);
    for (const subject of ['c', 'a', 'b']) {
      await jobs.add([job(subject)]);
      pass(10);
    }
    await jobs.add([job('c')]);
    await jobs.add([job('x', { kind: 'unknown' }), job('y', { queue: 'other' })]);
    assert.deepEqual(await claimAll(jobs), ['c', 'a', 'b']);
    assert.equal(await jobs.claim('assets', [], LEASE_MS), null);
  });

  test('a tenant with many jobs does not keep another from its own', async (t) => {
    const { jobs } = await make(t);
    await jobs.add(Array.from({ length: 50 }, (_, index) => job(`many${index}`)));
    await jobs.done(await mustClaim(jobs));
    await jobs.add([job('x', { tenantId: 'late' }), job('y', { tenantId: 'late' })]);
    const order = await claimAll(jobs);
    assert.deepEqual(
      ['x', 'y'].map((subject) => order.indexOf(subject) < 5),
      [true, true],
      order.join(' '),
    );
  });

  test('a paused tenant waits until the pause ends or is taken back, and others do not', async (t) => {
    const { jobs, others, pass } = await make(t);
    await jobs.add([job('a'), job('b', { tenantId: 'other' })]);
    await jobs.hold('local', 'assets', { pausedUntilMs: Number.POSITIVE_INFINITY });
    assert.equal((await others.held('local', 'assets')).pausedUntilMs, Number.POSITIVE_INFINITY);
    assert.deepEqual(await claimAll(others), ['b']);
    await jobs.hold('local', 'assets', { pausedUntilMs: Date.now() + 1_000_000_000 });
    assert.equal(await claim(others), null);
    pass(1_000_000_001);
    assert.equal((await jobs.held('local', 'assets')).pausedUntilMs, null);
    assert.equal((await mustClaim(others)).subject, 'a');
    await jobs.add([job('c')]);
    await jobs.hold('local', 'assets', { pausedUntilMs: Number.POSITIVE_INFINITY });
    await jobs.hold('local', 'assets', { pausedUntilMs: null });
    assert.deepEqual((await claimAll(jobs)).includes('c'), true);
  });

  test('a slowed tenant has no more jobs at once than that', async (t) => {
    const { jobs } = await make(t);
    await jobs.add([job('a'), job('b')]);
    await jobs.hold('local', 'assets', { slowedUntilMs: Number.POSITIVE_INFINITY, atMost: 1 });
    const first = await mustClaim(jobs);
    assert.equal(await claim(jobs), null);
    await jobs.done(first);
    assert.ok(await claim(jobs));
    await jobs.hold('local', 'assets', { slowedUntilMs: null });
    await jobs.add([job('c')]);
    assert.ok(await claim(jobs));
  });

  test('a project sees its own jobs, and old ones are forgotten', async (t) => {
    const { jobs, pass } = await make(t);
    await jobs.add([job('a'), job('a', { kind: 'preview' }), job('a', { projectId: 'other' })]);
    assert.deepEqual(
      (await jobs.list(LOCAL, 'assets', 'a')).map(({ kind, state }) => [kind, state]),
      KINDS.map((kind) => [kind, 'waiting']),
    );
    assert.equal((await jobs.counts(LOCAL, 'assets')).waiting, 2);
    await jobs.done(await mustClaim(jobs));
    pass(10_000);
    await jobs.forget(20_000);
    assert.equal(
      (await jobs.counts(LOCAL, 'assets')).done +
        (await jobs.counts({ ...LOCAL, projectId: 'other' }, 'assets')).done,
      1,
    );
    await jobs.forget(5_000);
    assert.equal(
      (await jobs.counts(LOCAL, 'assets')).done +
        (await jobs.counts({ ...LOCAL, projectId: 'other' }, 'assets')).done,
      0,
    );
  });

  test('whoever listens is called for what is added and when a pause ends, until it listens no more', async (t) => {
    const { jobs } = await make(t);
    let heard = 0;
    const listener = async () => {
      heard += 1;
    };
    const stop = await jobs.listen('assets', listener, { atOnce: 2, leaseMs: LEASE_MS });
    const calledAfter = async (change: Promise<void>) => {
      const before = heard;
      await change;
      while (heard === before) await turn();
    };
    await calledAfter(jobs.add([job('a')]));
    await calledAfter(jobs.hold('local', 'assets', { pausedUntilMs: null }));
    await stop();
    const before = heard;
    await jobs.add([job('b')]);
    assert.equal(heard, before);
  });
}

function dueConformance(make: MakeJobs): void {
  const HOUR_MS = 3_600_000;

  test('a job with a due time is claimed when it has come and not before', async (t) => {
    const { jobs, others, now, pass } = await make(t);
    await jobs.add([job('later')], { dueAtMs: now() + HOUR_MS + 0.5 });
    await jobs.add([job('past')], { dueAtMs: now() - HOUR_MS });
    await jobs.add([job('now')]);
    assert.deepEqual(await claimAll(others), ['past', 'now']);
    assert.equal((await jobs.list(LOCAL, 'assets', 'later'))[0]?.state, 'waiting');
    pass(HOUR_MS - 30_000);
    assert.equal((await claimAll(jobs)).includes('later'), false);
    pass(60_000);
    assert.equal((await claimAll(others)).includes('later'), true);
  });

  test('a job that waits keeps the earlier of two due times', async (t) => {
    const { jobs, now, pass } = await make(t);
    await jobs.add([job('sooner')], { dueAtMs: now() + 2 * HOUR_MS });
    await jobs.add([job('sooner'), job('same')], { dueAtMs: now() + HOUR_MS });
    await jobs.add([job('same'), job('now')], { dueAtMs: now() + 2 * HOUR_MS });
    await jobs.add([job('now')]);
    await jobs.add([job('now')], { dueAtMs: now() + 2 * HOUR_MS });
    const first = await mustClaim(jobs);
    assert.equal(first.subject, 'now');
    await jobs.done(first);
    assert.equal(await claim(jobs), null);
    pass(HOUR_MS + 1_000);
    assert.deepEqual((await claimAll(jobs)).sort(), ['same', 'sooner']);
  });

  test('a job that runs will run once more at the earliest time that was asked for meanwhile', async (t) => {
    const { jobs, others, now, pass } = await make(t);
    for (const end of [
      (claimed: ClaimedJob) => jobs.done(claimed),
      (claimed: ClaimedJob) => jobs.fail(claimed, 'no such luck', 5_000),
      (claimed: ClaimedJob) => jobs.fail(claimed, 'no use', null),
    ]) {
      await jobs.add([job('a')]);
      const first = await mustClaim(jobs);
      await others.add([job('a')], { dueAtMs: now() + 2 * HOUR_MS });
      await others.add([job('a')], { dueAtMs: now() + HOUR_MS });
      await others.add([job('a')], { dueAtMs: now() + 3 * HOUR_MS });
      await end(first);
      pass(HOUR_MS - 30_000);
      assert.equal(await claim(jobs), null);
      pass(60_000);
      const second = await mustClaim(jobs);
      assert.equal(second.attempt, 1);
      await jobs.done(second);
      pass(3 * HOUR_MS);
      assert.equal(await claim(jobs), null);
    }
  });

  test('a job that ended begins anew at its due time', async (t) => {
    const { jobs, now, pass } = await make(t);
    await jobs.add([job('a')]);
    await jobs.done(await mustClaim(jobs));
    await jobs.add([job('a')], { dueAtMs: now() + HOUR_MS });
    assert.equal(await claim(jobs), null);
    pass(HOUR_MS + 1_000);
    assert.equal((await mustClaim(jobs)).attempt, 1);
  });

  test('jobs are claimed as they become due, and a tenant with many at one time keeps no other waiting', async (t) => {
    const { jobs, now, pass } = await make(t);
    const many = Array.from({ length: 50 }, (_, index) => job(`many${index}`));
    const dueAtMs = now() + HOUR_MS;
    await jobs.add(many, { dueAtMs });
    await jobs.add([job('first')], { dueAtMs: dueAtMs - 10 });
    const backlog = Array.from({ length: 80 }, (_, index) => job(`late${index}`, { tenantId: 'late' }));
    await jobs.add(backlog);
    for (let done = 0; done < 60; done += 1) await jobs.done(await mustClaim(jobs));
    pass(HOUR_MS + 1_000);
    const order = await claimAll(jobs);
    assert.equal(order.length, 71);
    assert.equal(
      order.find((subject) => !subject.startsWith('late')),
      'first',
    );
    const atOnce = order.slice(0, 20).filter((subject) => subject.startsWith('late')).length;
    assert.ok(atOnce > 5 && atOnce < 15, order.join(' '));
  });
}

function cancelConformance(make: MakeJobs): void {
  const jobOf = (index: number) => job(`s${String(index).padStart(2, '0')}`);
  const FIFTY = Array.from({ length: 50 }, (_, index) => jobOf(index));

  test('what waits and what runs is cancelled and comes back by itself in no way; what ended stays', async (t) => {
    const { jobs, others, now, pass } = await make(t);
    await jobs.add([job('ended')]);
    await jobs.done(await mustClaim(jobs));
    await jobs.add([job('runs')]);
    const claimed = await mustClaim(jobs);
    await jobs.add([job('runs'), job('waits'), job('other'), job('waits', { kind: 'preview' })]);
    await jobs.add([job('later')], { dueAtMs: now() + 1_000 });
    const keys = ['ended', 'runs', 'waits', 'later', 'unknown'].map((subject) => job(subject));
    assert.equal(await others.cancel([...keys, ...keys]), 3);
    assert.equal(await others.cancel(keys), 0);
    assert.equal(await jobs.extend(claimed, LEASE_MS), false);
    assert.equal(await jobs.release(claimed), false);
    assert.equal(await jobs.fail(claimed, 'too late', 1), false);
    assert.equal(await jobs.done(claimed), false);
    pass(LEASE_MS + 1_000);
    assert.deepEqual((await claimAll(jobs)).sort(), ['other', 'waits']);
    assert.equal((await jobs.list(LOCAL, 'assets', 'ended'))[0]?.state, 'done');
    assert.deepEqual(await jobs.list(LOCAL, 'assets', 'runs'), []);
  });

  test('a cancelled job that is added again begins anew, and its old claim stays void', async (t) => {
    const { jobs } = await make(t);
    await jobs.add([job('a')]);
    const old = await mustClaim(jobs);
    await jobs.cancel([job('a')]);
    await jobs.add([job('a')]);
    const fresh = await mustClaim(jobs);
    assert.equal(fresh.attempt, 1);
    assert.equal(await jobs.done(old), false);
    assert.equal(await jobs.done(fresh), true);
  });

  test('of adding and cancelling at once, one comes first for each job', async (t) => {
    const { jobs, others } = await make(t);
    const backwards = FIFTY.toReversed();
    await jobs.add(FIFTY.slice(0, 25));
    const [, count] = await Promise.all([jobs.add(FIFTY), others.cancel(backwards)]);
    const left = await claimAll(jobs);
    assert.ok(count >= 25 && left.length <= 50, `${count} cancelled, ${left.length} left`);
    assert.equal(new Set(left).size, left.length);
    // Each request was cancelled or is still there; the first 25 may have been requested once or twice by then.
    assert.ok(count + left.length >= 50 && count + left.length <= 75, `${count} + ${left.length}`);
  });

  test('of cancelling and claiming at once, no claim that is left is good', async (t) => {
    const { jobs, others } = await make(t);
    await jobs.add(FIFTY);
    const [count, ...claims] = await Promise.all([
      others.cancel(FIFTY),
      ...FIFTY.map((_, index) => claim(index % 2 ? jobs : others)),
    ]);
    assert.equal(count, 50);
    const good = await Promise.all(claims.map((claimed) => claimed && jobs.extend(claimed, LEASE_MS)));
    assert.deepEqual(
      good.filter((isGood) => isGood === true),
      [],
    );
    assert.equal(await claim(jobs), null);
  });
}
