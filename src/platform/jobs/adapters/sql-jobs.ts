import type { Clock } from '../../../kit/clock.ts';
import { newId } from '../../../kit/ids.ts';
import type { Database } from '../../database/database.ts';
import type { ClaimedJob, Job, JobHold, Jobs } from '../jobs.ts';
import { addJobs } from './sql-jobs-add.ts';
import { cancelJob } from './sql-jobs-cancel.ts';
import { readHold, tenantsHeld, toStored } from './sql-jobs-holds.ts';
import { HOLD_KEY, type JobRow, type JobsDb } from './sql-jobs-tables.ts';
import { placeDue } from './sql-jobs-turns.ts';

/** Keys per statement, below the databases' limits on parameters. */
const ADDED_AT_ONCE = 500;

/** Work that a power cut undoes is repeated, so nobody waits for the disk. */
const BRIEFLY = { durable: false };

const jobOf = (row: JobRow): Job => ({
  tenantId: row.tenant_id,
  projectId: row.project_id,
  queue: row.queue,
  kind: row.kind,
  subject: row.subject,
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  requestedAtMs: row.requested_at,
  finishedAtMs: row.finished_at,
});

const claimOf = (row: JobRow, token: string): ClaimedJob => ({
  tenantId: row.tenant_id,
  projectId: row.project_id,
  queue: row.queue,
  kind: row.kind,
  subject: row.subject,
  token,
  attempt: row.attempts,
});

/** As durable as the data that the jobs are about. */
export function createSqlJobs({ database, clock }: { database: Database; clock: Clock }): Jobs {
  const { system } = database;
  const listeners = new Set<() => Promise<void>>();
  const notifyListeners = () => {
    for (const listener of listeners) void listener();
  };

  const isDue = (queue: string, kinds: readonly string[]): Promise<boolean> =>
    system.read(async (db: JobsDb) => {
      const due = await db
        .selectFrom('jobs')
        .select('job_id')
        .where('queue', '=', queue)
        .where('due_at', '<=', clock.now())
        .where('kind', 'in', kinds)
        .limit(1)
        .executeTakeFirst();
      return due !== undefined;
    });

  /** Only if the claim is still valid. */
  const change = (job: ClaimedJob, values: (row: JobRow) => Partial<JobRow>): Promise<boolean> =>
    system.write(async (db: JobsDb) => {
      const row = await db
        .selectFrom('jobs')
        .selectAll()
        .where('token', '=', job.token)
        .where('job_id', '=', jobIdOf(job.token))
        .modifyEnd(database.dialect.forUpdate)
        .executeTakeFirst();
      if (!row) return false;
      await db.updateTable('jobs').set(values(row)).where('job_id', '=', row.job_id).execute();
      return true;
    }, BRIEFLY);

  const waiting = (dueAt: number) => ({ state: 'waiting' as const, due_at: dueAt, token: null });
  const ended = (state: 'done' | 'failed', error: string | null) => ({
    state,
    error,
    due_at: null,
    turn: null,
    token: null,
    finished_at: clock.now(),
  });
  const anew = ({ again_at, turn }: JobRow) => {
    const now = clock.now();
    const isLater = again_at !== null && again_at > now;
    return { ...waiting(isLater ? again_at : now), turn: isLater ? null : turn, attempts: 0, error: null };
  };

  return {
    async add(keys, { dueAtMs = 0 } = {}) {
      for (let from = 0; from < keys.length; from += ADDED_AT_ONCE) {
        const some = keys.slice(from, from + ADDED_AT_ONCE);
        await system.write((db: JobsDb) => {
          const now = clock.now();
          return addJobs(db, some, { now, dueAt: Math.max(now, Math.ceil(dueAtMs)) });
        });
      }
      notifyListeners();
    },
    cancel: (keys) =>
      system.write(async (db: JobsDb) => {
        let count = 0;
        for (const key of keys) count += await cancelJob(db, key);
        return count;
      }),
    list: ({ tenantId, projectId }, queue, subject) =>
      system.read(async (db: JobsDb) => {
        const rows = await db
          .selectFrom('jobs')
          .selectAll()
          .where('tenant_id', '=', tenantId)
          .where('project_id', '=', projectId)
          .where('queue', '=', queue)
          .where('subject', '=', subject)
          .orderBy('kind')
          .execute();
        return rows.map(jobOf);
      }),
    counts: ({ tenantId, projectId }, queue) =>
      system.read(async (db: JobsDb) => {
        const rows = await db
          .selectFrom('jobs')
          .select(['state', (eb) => eb.fn.countAll<number>().as('count')])
          .where('tenant_id', '=', tenantId)
          .where('project_id', '=', projectId)
          .where('queue', '=', queue)
          .groupBy('state')
          .execute();
        const counts = new Map(rows.map(({ state, count }) => [state, count]));
        return {
          waiting: counts.get('waiting') ?? 0,
          running: counts.get('running') ?? 0,
          done: counts.get('done') ?? 0,
          failed: counts.get('failed') ?? 0,
        };
      }),
    async claim(queue, kinds, leaseMs) {
      // A read comes first: usually nothing is due, and then no transaction is needed.
      if (kinds.length === 0 || !(await isDue(queue, kinds))) return null;
      return system.write(async (db: JobsDb) => {
        const now = clock.now();
        await placeDue(db, database.dialect, queue, now);
        const held = await tenantsHeld(db, queue, now);
        const next = await db
          .selectFrom('jobs')
          .select('job_id')
          .where('queue', '=', queue)
          .where('due_at', '<=', now)
          .where('turn', 'is not', null)
          .where('kind', 'in', kinds)
          .$if(held.length > 0, (query) => query.where('tenant_id', 'not in', held))
          .orderBy('turn')
          .limit(1)
          .modifyEnd(database.dialect.forUpdateSkipLocked)
          .executeTakeFirst();
        if (!next) return null;
        const token = `${next.job_id}/${newId()}`;
        const row = await db
          .updateTable('jobs')
          .set((eb) => ({
            state: 'running',
            due_at: now + leaseMs,
            token,
            attempts: eb('attempts', '+', 1),
            asked_again: 0,
            again_at: null,
          }))
          .where('job_id', '=', next.job_id)
          .returningAll()
          .executeTakeFirstOrThrow();
        return claimOf(row, token);
      }, BRIEFLY);
    },
    extend: (job, leaseMs) => change(job, () => ({ due_at: clock.now() + leaseMs })),
    done: (job) => change(job, (row) => (row.asked_again ? anew(row) : ended('done', null))),
    fail: (job, error, retryInMs) =>
      change(job, (row) => {
        if (row.asked_again) return anew(row);
        return retryInMs === null ? ended('failed', error) : { ...waiting(clock.now() + retryInMs), error };
      }),
    release: (job) =>
      change(job, (row) => ({ ...waiting(clock.now()), attempts: Math.max(0, row.attempts - 1) })),
    async hold(tenantId, queue, changes) {
      await system.write(async (db: JobsDb) => {
        const hold: JobHold = { ...(await readHold(db, tenantId, queue, clock.now())), ...changes };
        await database.dialect.upsert(db, 'job_holds', [toStored(tenantId, queue, hold)], {
          conflict: HOLD_KEY,
          update: ['paused_until', 'slowed_until', 'at_most'],
        });
      });
      notifyListeners();
    },
    held: (tenantId, queue) => system.read((db: JobsDb) => readHold(db, tenantId, queue, clock.now())),
    forget: async (olderThanMs) => {
      await system.write((db: JobsDb) =>
        db
          .deleteFrom('jobs')
          .where('finished_at', '<', clock.now() - olderThanMs)
          .execute(),
      );
    },
    async listen(_queue, listener) {
      listeners.add(listener);
      return async () => void listeners.delete(listener);
    },
    close: async () => {},
  };
}

const jobIdOf = (token: string): string => token.slice(0, token.indexOf('/'));
