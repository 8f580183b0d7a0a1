import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forEachDatabase, type OpenDatabase } from '../../../test/support/databases.ts';
import { startRelay } from '../../../test/support/relay.ts';
import { until } from '../../../test/support/until.ts';
import { systemClock } from '../../kit/clock.ts';
import { silentLog } from '../../kit/log.ts';
import { openPostgres } from '../database/adapters/postgres-database.ts';
import { createSqlJobs } from './adapters/sql-jobs.ts';
import { jobMigrations } from './adapters/sql-jobs-tables.ts';
import { type JobHandlers, JobRefused } from './handlers.ts';
import type { JobKey, Jobs } from './jobs.ts';
import { createWorker, type WorkerTimings } from './worker.ts';

const LOCAL = { tenantId: 'local', projectId: 'default' };
const QUICK: WorkerTimings = { leaseMs: 3_000, pollMs: 20, retryMs: 10, stopMs: 50 };
const HANGING_WORKER = fileURLToPath(new URL('../../../test/support/job-worker.ts', import.meta.url));

const job = (subject: string): JobKey => ({ ...LOCAL, queue: 'assets', kind: 'measure', subject });

const ended = (jobs: Jobs, count: number) =>
  until(async () => {
    const { done, failed } = await jobs.counts(LOCAL, 'assets');
    return done + failed === count;
  });

forEachDatabase((name, open) => {
  async function openJobs(t: TestContext, openDatabase: OpenDatabase = open) {
    const opened = await openDatabase();
    t.after(() => opened.close());
    await opened.database.migrate(jobMigrations);
    return { opened, jobs: createSqlJobs({ database: opened.database, clock: systemClock }) };
  }

  async function startWorker(t: TestContext, jobs: Jobs, handlers: JobHandlers, atOnce = 2) {
    const heard: string[] = [];
    const warned: string[] = [];
    const worker = createWorker({
      jobs,
      queue: 'assets',
      handlers,
      atOnce,
      log: { ...silentLog, warn: (message) => void warned.push(message) },
      onEnded: async ({ subject }, outcome) => void heard.push(`${subject} ${outcome}`),
      timings: QUICK,
    });
    await worker.start?.();
    const stop = async () => worker.stop?.();
    t.after(stop);
    return { heard, warned, stop };
  }

  test('jobs of a process that is killed in the middle are done by another, and each once', async (t) => {
    const { jobs, opened } = await openJobs(t);
    const folder = mkdtempSync(join(tmpdir(), 'jobs-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'begun');
    const subjects = ['a', 'b', 'c', 'd'];
    await jobs.add(subjects.map(job));
    const child = spawn(process.execPath, [HANGING_WORKER, opened.url, path], { stdio: 'inherit' });
    t.after(() => child.kill('SIGKILL'));
    const begunThere = () => readFileSync(path, 'utf8').trim().split('\n').length;
    await until(() => begunThere() === 2);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const begun: string[] = [];
    await startWorker(t, jobs, { measure: async ({ subject }) => void begun.push(subject) });
    await ended(jobs, 4);
    assert.deepEqual(begun.sort(), subjects);
    assert.equal(begunThere(), 2);
  });

  test('a failing job is tried again, one that cannot succeed is not, and others go on', async (t) => {
    const { jobs } = await openJobs(t);
    let tries = 0;
    await jobs.add(['shaky', 'hopeless', 'broken', 'fine'].map(job));
    const { heard } = await startWorker(t, jobs, {
      measure: async ({ subject }) => {
        if (subject === 'hopeless') throw new JobRefused('no picture at all');
        if (subject === 'broken') throw new Error('never works');
        if (subject === 'shaky' && ++tries < 3) throw new Error('not yet');
      },
    });
    await ended(jobs, 4);
    await until(async () => heard.length === 4);
    assert.deepEqual(heard.sort(), ['broken failed', 'fine done', 'hopeless failed', 'shaky done']);
    const attempts = async (subject: string) => (await jobs.list(LOCAL, 'assets', subject))[0]?.attempts;
    assert.deepEqual(await Promise.all(['shaky', 'hopeless', 'broken'].map(attempts)), [3, 1, 5]);
  });

  test('a job that takes longer than the lease stays its worker’s', async (t) => {
    const { jobs } = await openJobs(t);
    await jobs.add([job('a')]);
    let begun = 0;
    const slow: JobHandlers = {
      measure: async () => {
        begun += 1;
        await sleep(2 * QUICK.leaseMs);
      },
    };
    await startWorker(t, jobs, slow);
    await startWorker(t, jobs, slow);
    await ended(jobs, 1);
    assert.equal(begun, 1);
  });

  test('who stops lets a short job end, and gives a long one back at once', async (t) => {
    const { jobs } = await openJobs(t);
    await jobs.add([job('long'), job('short')]);
    const { stop } = await startWorker(t, jobs, {
      measure: async ({ subject }, signal) => {
        if (subject === 'long') await sleep(60_000, undefined, { signal });
      },
    });
    await ended(jobs, 1);
    await stop();
    const [long] = await jobs.list(LOCAL, 'assets', 'long');
    assert.deepEqual([long?.state, long?.attempts], ['waiting', 0]);
    assert.equal((await jobs.list(LOCAL, 'assets', 'short'))[0]?.state, 'done');
  });

  test('the handler of a cancelled job is told, and nothing is said or tried again', async (t) => {
    const { jobs } = await openJobs(t);
    const [begun, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await jobs.add([job('unwanted')]);
    const { heard, warned } = await startWorker(t, jobs, {
      measure: async ({ subject }, signal) => {
        if (subject !== 'unwanted') return;
        begun.resolve();
        await sleep(60_000, undefined, { signal }).finally(told.resolve);
      },
    });
    await begun.promise;
    assert.equal(await jobs.cancel([job('unwanted')]), 1);
    await told.promise;
    await jobs.add([job('next')]);
    await ended(jobs, 1);
    await until(async () => heard.length === 1);
    assert.deepEqual([heard, warned], [['next done'], []]);
    assert.deepEqual(await jobs.list(LOCAL, 'assets', 'unwanted'), []);
  });

  if (name === 'postgres')
    test('a job that ends while the database is away is done once it is back, and so are the others', async (t) => {
      const { jobs, opened } = await openJobs(t);
      const relay = await startRelay(t, opened.url);
      const database = openPostgres(relay.url);
      t.after(() => database.close());
      const [begun, away] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      await jobs.add([job('a'), job('b')]);
      const { heard, warned } = await startWorker(
        t,
        createSqlJobs({ database, clock: systemClock }),
        {
          measure: async () => {
            begun.resolve();
            await away.promise;
          },
        },
        1,
      );
      await begun.promise;
      await relay.down();
      away.resolve();
      await until(async () => warned.some((line) => line.includes('cannot be reached')));
      assert.equal((await jobs.counts(LOCAL, 'assets')).done, 0);
      await relay.up();
      await until(async () => heard.length === 2);
      assert.deepEqual(heard.sort(), ['a done', 'b done']);
    });

  test('a worker waits for a queue that does not answer, and goes on when it does', async (t) => {
    const { jobs } = await openJobs(t);
    let isAway = true;
    let refused = 0;
    const shaky: Jobs = {
      ...jobs,
      claim: async (...given) => {
        if (!isAway) return jobs.claim(...given);
        refused += 1;
        throw new Error('connection refused');
      },
    };
    await jobs.add([job('a')]);
    const { heard } = await startWorker(t, shaky, { measure: async () => {} });
    await until(async () => refused > 3);
    isAway = false;
    await until(async () => heard.includes('a done'));
  });
});
