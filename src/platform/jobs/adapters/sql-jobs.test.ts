import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { forEachDatabase } from '../../../../test/support/databases.ts';
import { jobsConformance } from '../jobs.conformance.ts';
import { createSqlJobs } from './sql-jobs.ts';
import { type JobsTable, jobMigrations } from './sql-jobs-tables.ts';

type FormerJobs = Kysely<{ jobs: Omit<JobsTable, 'again_at'> }>;

forEachDatabase((_name, open) => {
  jobsConformance(async (t) => {
    const opened = await open();
    t.after(() => opened.close());
    await opened.database.migrate(jobMigrations);
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    return {
      jobs: createSqlJobs({ database: opened.database, clock }),
      others: createSqlJobs({ database: opened.again(), clock }),
      now: clock.now,
      pass: (milliseconds) => {
        ahead += milliseconds;
      },
    };
  });

  test('jobs from before there were due times go on', async (t) => {
    const opened = await open();
    t.after(() => opened.close());
    await opened.database.migrate(jobMigrations.slice(0, 2));
    const key = { tenantId: 'local', projectId: 'default', queue: 'assets', kind: 'measure' };
    const row = (jobId: string, change: Partial<JobsTable>) => ({
      ...{ job_id: jobId, tenant_id: 'local', project_id: 'default', queue: 'assets', kind: 'measure' },
      ...{ subject: jobId, state: 'waiting' as const, due_at: 1_000, turn: 1, token: null, attempts: 0 },
      ...{ asked_again: 0, error: null, requested_at: 1_000, finished_at: null },
      ...change,
    });
    const runs = { state: 'running' as const, due_at: 90_000, token: 'runs/1', attempts: 1, asked_again: 1 };
    await opened.database.system.write((db: FormerJobs) =>
      db
        .insertInto('jobs')
        .values([row('waits', { turn: 2 }), row('runs', runs)])
        .execute(),
    );
    await opened.database.migrate(jobMigrations);
    const jobs = createSqlJobs({ database: opened.database, clock: { now: () => 60_000 } });
    assert.equal(await jobs.done({ ...key, subject: 'runs', token: 'runs/1', attempt: 1 }), true);
    for (const subject of ['runs', 'waits'])
      assert.equal((await jobs.claim('assets', ['measure'], 1_000))?.subject, subject);
  });
});
