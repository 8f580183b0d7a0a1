import { type Kysely, type Selectable, sql } from 'kysely';
import type { Migration } from '../../database/migration.ts';
import { createIndex, createTable, key, keyOf, notNull, nullable } from '../../database/tables.ts';
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
      await createTable(schema, 'jobs', [
        key(text, 'job_id'),
        notNull(text, 'tenant_id', 'project_id', 'queue', 'kind', 'subject', 'state'),
        nullable(bigint, 'due_at'),
        nullable(text, 'token'),
        notNull('integer', 'attempts', 'asked_again'),
        nullable(text, 'error'),
        notNull(bigint, 'requested_at'),
        nullable(bigint, 'finished_at'),
      ]);
      await schema
        .createIndex('jobs_by_key')
        .unique()
        .on('jobs')
        .columns([...JOB_KEY])
        .execute();
      await createIndex(schema, 'jobs_by_due', 'jobs', ['queue', 'due_at']);
      await createIndex(schema, 'jobs_by_end', 'jobs', ['finished_at']);
      await createTable(schema, 'job_holds', [
        notNull(text, 'tenant_id', 'queue'),
        nullable(bigint, 'paused_until', 'slowed_until'),
        notNull('integer', 'at_most'),
        keyOf(...HOLD_KEY),
      ]);
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
