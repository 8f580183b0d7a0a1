import { type Kysely, type Selectable, sql } from 'kysely';
import type { Migration } from '../../database/migration.ts';
import type { JobState } from '../jobs.ts';

export interface JobsTable {
  job_id: string;
  tenant_id: string;
  project_id: string;
  queue: string;
  kind: string;
  subject: string;
  state: JobState;
  /** End of the wait, or of the lease. Null once the job has ended. */
  due_at: number | null;
  /** The lowest comes first. Null until it is due, and once it has ended. */
  turn: number | null;
  /** Of the current claim. */
  token: string | null;
  attempts: number;
  /** 1 if it was requested again while it ran. */
  asked_again: number;
  /** Null: immediately. */
  again_at: number | null;
  error: string | null;
  requested_at: number;
  finished_at: number | null;
}

export interface JobHoldsTable {
  tenant_id: string;
  queue: string;
  paused_until: number | null;
  slowed_until: number | null;
  at_most: number;
}

export type JobRow = Selectable<JobsTable>;
export type JobHoldRow = Selectable<JobHoldsTable>;
export type JobsDb = Kysely<{ jobs: JobsTable; job_holds: JobHoldsTable }>;

export const JOB_KEY = ['tenant_id', 'project_id', 'queue', 'subject', 'kind'] as const;
export const HOLD_KEY = ['tenant_id', 'queue'] as const;

export const jobMigrations: readonly Migration[] = [
  {
    name: 'jobs-1',
    async up({ schema }, { text, bigint }) {
      await schema
        .createTable('jobs')
        .addColumn('job_id', text, (column) => column.primaryKey())
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('project_id', text, (column) => column.notNull())
        .addColumn('queue', text, (column) => column.notNull())
        .addColumn('kind', text, (column) => column.notNull())
        .addColumn('subject', text, (column) => column.notNull())
        .addColumn('state', text, (column) => column.notNull())
        .addColumn('due_at', bigint)
        .addColumn('token', text)
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('asked_again', 'integer', (column) => column.notNull())
        .addColumn('error', text)
        .addColumn('requested_at', bigint, (column) => column.notNull())
        .addColumn('finished_at', bigint)
        .execute();
      await schema
        .createIndex('jobs_by_key')
        .unique()
        .on('jobs')
        .columns([...JOB_KEY])
        .execute();
      await schema.createIndex('jobs_by_due').on('jobs').columns(['queue', 'due_at']).execute();
      await schema.createIndex('jobs_by_end').on('jobs').column('finished_at').execute();
      await schema
        .createTable('job_holds')
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('queue', text, (column) => column.notNull())
        .addColumn('paused_until', bigint)
        .addColumn('slowed_until', bigint)
        .addColumn('at_most', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('job_holds_key', [...HOLD_KEY])
        .execute();
    },
  },
  {
    name: 'jobs-2',
    async up(db, { bigint }) {
      await db.schema.alterTable('jobs').addColumn('turn', bigint).execute();
      await sql`update jobs set turn = requested_at where due_at is not null`.execute(db);
      for (const [name, columns] of [
        ['jobs_by_turn', ['queue', 'turn']],
        ['jobs_by_tenant', ['queue', 'tenant_id', 'turn']],
      ] as const)
        await db.schema
          .createIndex(name)
          .on('jobs')
          .columns([...columns])
          .where('turn', 'is not', null)
          .execute();
    },
  },
  {
    name: 'jobs-3',
    async up({ schema }, { bigint }) {
      await schema.alterTable('jobs').addColumn('again_at', bigint).execute();
      await schema
        .createIndex('jobs_by_wait')
        .on('jobs')
        .columns(['queue', 'due_at'])
        .where(sql<boolean>`turn is null and due_at is not null`)
        .execute();
    },
  },
];
