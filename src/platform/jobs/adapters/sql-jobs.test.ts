import { forEachDatabase } from '../../../../test/support/databases.ts';
import { jobsConformance } from '../jobs.conformance.ts';
import { createSqlJobs } from './sql-jobs.ts';
import { jobMigrations } from './sql-jobs-tables.ts';

forEachDatabase((_name, open) =>
  jobsConformance(async (t) => {
    const opened = await open();
    t.after(() => opened.close());
    await opened.database.migrate(jobMigrations);
    let ahead = 0;
    const clock = { now: () => Date.now() + ahead };
    return {
      jobs: createSqlJobs({ database: opened.database, clock }),
      others: createSqlJobs({ database: opened.again(), clock }),
      pass: (milliseconds) => {
        ahead += milliseconds;
      },
    };
  }),
);
