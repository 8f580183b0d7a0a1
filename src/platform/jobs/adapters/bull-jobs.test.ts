import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { openTestSqlite } from '../../../../test/support/databases.ts';
import { REDIS_URL, startRedisRelay } from '../../../../test/support/redis-relay.ts';
import { hasRedisServer, startForgetfulRedis } from '../../../../test/support/redis-server.ts';
import { until } from '../../../../test/support/until.ts';
import { type Clock, systemClock } from '../../../kit/clock.ts';
import { silentLog } from '../../../kit/log.ts';
import { type JobHandlers, JobRefused } from '../handlers.ts';
import { jobsConformance } from '../jobs.conformance.ts';
import type { JobKey, Jobs } from '../jobs.ts';
import { createWorker, type WorkerTimings } from '../worker.ts';
import { createBullJobs } from './bull-jobs.ts';
import { createSqlJobs } from './sql-jobs.ts';
import { jobMigrations } from './sql-jobs-tables.ts';

const LOCAL = { tenantId: 'local', projectId: 'default' };
const WORKER_PROCESS = fileURLToPath(new URL('../../../../test/support/job-worker.ts', import.meta.url));
const NEVER_MS = 3_600_000;
/** After this, a client without its server waits for its next attempt for most of the time. */
const BETWEEN_ATTEMPTS_MS = 3_000;
/** It looks for jobs only when it is called. */
const CALLED: WorkerTimings = { leaseMs: 1_500, pollMs: NEVER_MS, retryMs: 20, stopMs: 50 };

const job = (subject: string): JobKey => ({ ...LOCAL, queue: 'assets', kind: 'measure', subject });

async function openQueue(
  t: TestContext,
  { url = REDIS_URL, clock = systemClock }: { url?: string; clock?: Clock } = {},
) {
  const opened = await openTestSqlite();
  t.after(() => opened.close());
  await opened.database.migrate(jobMigrations);
  const prefix = `canonry-test-${randomUUID()}`;
  t.after(() => forget(url, prefix));
  /** As another process sees the queue. */
  const open = async (): Promise<Jobs> => {
    const kept = createSqlJobs({ database: opened.again(), clock });
    const jobs = await createBullJobs({ jobs: kept, url, prefix, clock });
    t.after(() => jobs.close());
    return jobs;
  };
  return { open, prefix, databaseUrl: opened.url };
}

async function forget(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url, { retryStrategy: () => null });
  redis.on('error', () => {});
  const keys = await redis.keys(`${prefix}:*`).catch(() => []);
  if (keys.length > 0) await redis.del(keys);
  redis.disconnect();
}

async function startWorker(t: TestContext, jobs: Jobs, handlers: JobHandlers, timings = CALLED) {
  const heard: string[] = [];
  const worker = createWorker({
    ...{ jobs, queue: 'assets', handlers, atOnce: 2, log: silentLog, timings },
    onEnded: async ({ subject }, outcome) => void heard.push(`${subject} ${outcome}`),
  });
  await worker.start?.();
  t.after(async () => worker.stop?.());
  return { heard, ended: (count: number) => until(async () => heard.length >= count) };
}

describe('calls by Redis', { skip: process.env.CANONRY_TEST_REDIS === 'off' }, () => {
  jobsConformance(async (t) => {
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    const { open } = await openQueue(t, { clock });
    return {
      jobs: await open(),
      others: await open(),
      now: clock.now,
      pass: (milliseconds) => {
        ahead += milliseconds;
      },
    };
  });

  test('a worker that never looks is called for what another process adds, and for what is tried again', async (t) => {
    const { open } = await openQueue(t);
    let tries = 0;
    const { heard, ended } = await startWorker(t, await open(), {
      measure: async ({ subject }) => {
        if (subject === 'hopeless') throw new JobRefused('no picture at all');
        if (subject === 'shaky' && ++tries < 3) throw new Error('not yet');
      },
    });
    await (await open()).add(['fine', 'shaky', 'hopeless'].map(job));
    await ended(3);
    assert.deepEqual(heard.sort(), ['fine done', 'hopeless failed', 'shaky done']);
    assert.equal(tries, 3);
  });

  test('while nobody works, calls do not pile up, and one worker does all of it', async (t) => {
    const { open, prefix } = await openQueue(t);
    const jobs = await open();
    const subjects = Array.from({ length: 60 }, (_, index) => `s${index}`);
    for (const subject of subjects) await jobs.add([job(subject)]);
    const redis = new Redis(REDIS_URL);
    t.after(() => redis.disconnect());
    await until(async () => (await redis.llen(`${prefix}:assets:wait`)) > 0);
    assert.ok((await redis.llen(`${prefix}:assets:wait`)) <= 16);
    const { heard, ended } = await startWorker(t, jobs, { measure: async () => {} });
    await ended(subjects.length);
    assert.equal(new Set(heard).size, subjects.length);
  });

  test('a worker that never looks is called when what another process added becomes due', async (t) => {
    const { open, prefix } = await openQueue(t);
    const jobs = await open();
    const { heard, ended } = await startWorker(t, await open(), { measure: async () => {} });
    const dueAtMs = Date.now() + 1_000;
    for (let index = 0; index < 40; index += 1) await jobs.add([job('a')], { dueAtMs });
    await jobs.add([job('b')], { dueAtMs: dueAtMs + 300 });
    const redis = new Redis(REDIS_URL);
    t.after(() => redis.disconnect());
    assert.ok((await redis.zcard(`${prefix}:assets:delayed`)) <= 17);
    await ended(2);
    assert.ok(Date.now() >= dueAtMs + 300);
    assert.deepEqual(heard, ['a done', 'b done']);
  });

  test('what a pause held back is begun when it ends or is taken back, without a look', async (t) => {
    const { open } = await openQueue(t);
    const jobs = await open();
    await jobs.hold('local', 'assets', { pausedUntilMs: Number.POSITIVE_INFINITY });
    const { heard, ended } = await startWorker(t, await open(), { measure: async () => {} });
    await jobs.add([job('a')]);
    await jobs.hold('local', 'assets', { pausedUntilMs: Date.now() + 200 });
    await ended(1);
    await jobs.hold('local', 'assets', { pausedUntilMs: Number.POSITIVE_INFINITY });
    await jobs.add([job('b')]);
    await jobs.hold('local', 'assets', { pausedUntilMs: null });
    await ended(2);
    assert.deepEqual(heard, ['a done', 'b done']);
  });

  test('the calls of a process that is killed in the middle go to another, and each job is done once', async (t) => {
    const { open, prefix, databaseUrl } = await openQueue(t);
    const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const jobs = await open();
    const subjects = ['a', 'b', 'c', 'd'];
    await jobs.add(subjects.map(job));
    const child = spawn(
      process.execPath,
      [WORKER_PROCESS, databaseUrl, join(folder, 'begun'), REDIS_URL, prefix],
      {
        stdio: 'inherit',
      },
    );
    t.after(() => child.kill('SIGKILL'));
    const redis = new Redis(REDIS_URL);
    t.after(() => redis.disconnect());
    await until(async () => (await jobs.counts(LOCAL, 'assets')).running === 2);
    // It looks for jobs before it is called: a call that it had not accepted would be answered before they are free.
    await until(async () => (await redis.llen(`${prefix}:assets:active`)) === 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const { heard, ended } = await startWorker(t, jobs, { measure: async () => {} });
    await ended(4);
    assert.deepEqual(
      heard.sort(),
      subjects.map((subject) => `${subject} done`),
    );
  });

  test('a listener that is stopped while its Redis is gone leaves no timer that keeps the process alive', async (t) => {
    const relay = await startRedisRelay(t);
    const { open } = await openQueue(t, { url: relay.url });
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const jobs = await open();
    const stop = await jobs.listen('assets', async () => {}, { atOnce: 2, leaseMs: 1_500 });
    await until(async () => timers() > before);
    await relay.down();
    await delay(BETWEEN_ATTEMPTS_MS);
    await stop();
    await jobs.close();
    await until(async () => timers() <= before);
  });

  test('a Redis that is killed and comes back empty takes no job with it, and calls again', {
    skip: !hasRedisServer,
  }, async (t) => {
    const redis = await startForgetfulRedis(t);
    const { open } = await openQueue(t, { url: redis.url });
    const jobs = await open();
    await jobs.add(['before', 'early'].map(job));
    await redis.kill();
    await jobs.add([job('meanwhile')]);
    const { heard, ended } = await startWorker(
      t,
      await open(),
      { measure: async () => {} },
      { ...CALLED, pollMs: 100 },
    );
    await ended(3);
    await redis.start();
    await jobs.add([job('after')]);
    await ended(4);
    assert.deepEqual(heard.sort(), ['after done', 'before done', 'early done', 'meanwhile done']);
    let called = 0;
    const stop = await jobs.listen(
      'other',
      async () => {
        called += 1;
      },
      { atOnce: 1, leaseMs: 1_500 },
    );
    await until(async () => {
      await jobs.add([{ ...job('x'), queue: 'other' }]);
      return called > 0;
    });
    await stop();
  });
});
