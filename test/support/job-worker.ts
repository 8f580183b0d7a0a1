import { appendFileSync } from 'node:fs';
import { systemClock } from '../../src/kit/clock.ts';
import { silentLog } from '../../src/kit/log.ts';
import { openPostgres } from '../../src/platform/database/adapters/postgres-database.ts';
import { openSqlite } from '../../src/platform/database/adapters/sqlite-database.ts';
import { createBullJobs } from '../../src/platform/jobs/adapters/bull-jobs.ts';
import { createSqlJobs } from '../../src/platform/jobs/adapters/sql-jobs.ts';
import { createWorker } from '../../src/platform/jobs/worker.ts';

/** A worker process, called by Redis if one is named: notes in a file what it begins, and never ends a job. */
const [url = '', path = '', redisUrl, prefix = ''] = process.argv.slice(2);
const database = url.startsWith('sqlite:') ? openSqlite(url.slice('sqlite:'.length)) : openPostgres(url);
const kept = createSqlJobs({ database, clock: systemClock });
const worker = createWorker({
  jobs: redisUrl ? await createBullJobs({ jobs: kept, url: redisUrl, prefix, clock: systemClock }) : kept,
  queue: 'assets',
  handlers: {
    measure: async ({ subject }) => {
      appendFileSync(path, `${subject}\n`);
      await new Promise(() => {});
    },
  },
  atOnce: 2,
  log: silentLog,
  timings: { leaseMs: 1_500, pollMs: 20 },
});
await worker.start?.();
