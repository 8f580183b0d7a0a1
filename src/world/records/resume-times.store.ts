import { isoTime } from '../../kit/clock.ts';
import { inProject } from '../../platform/database/scoped.ts';
import type { RecordsDb } from './records.tables.ts';
import { type Project, scopeColumns } from './scope.ts';

/**
 * Times that replicas continue from. Changes get their times before they commit, in several processes, so no clock can say
 * which ones a replica has seen: each issued time stands for a sequence number.
 */

/** The progress of a replica that sends a time back. */
export interface ReplicaPosition {
  seq: number;
  /** True if the replica was in the middle of a full listing. */
  listing: boolean;
}

/** Tolerance for other times: clocks may differ, and a change may commit after the time that it bears. */
export const CLOCK_SLACK_MS = 5 * 60_000;

const DAY_MS = 86_400_000;
/** Longer than tombstones of files are kept. */
const KEPT_MS = 31 * DAY_MS;

/** Gives out a unique time (ISO) for a position, or the one that it already has. Never before `nowMs`, except within the day. */
export async function issueTime(project: Project, position: ReplicaPosition, nowMs: number): Promise<string> {
  const listing = position.listing ? 1 : 0;
  const last = await project.database.read((db: RecordsDb) => latest(db, project));
  const isSame = last?.seq === position.seq && last.listing === listing;
  if (last && isSame && last.told_at >= isoTime(nowMs - DAY_MS)) return last.told_at;
  return project.database.write(async (db: RecordsDb) => {
    await forget(db, project, isoTime(nowMs - KEPT_MS));
    const after = (await latest(db, project))?.told_at;
    let at = Math.max(nowMs, after === undefined ? 0 : Date.parse(after) + 1);
    while (!(await insert(db, project, { told_at: isoTime(at), seq: position.seq, listing }))) at += 1;
    return isoTime(at);
  });
}

/** Undefined for a time that was not issued here. */
export async function issuedPosition(project: Project, time: string): Promise<ReplicaPosition | undefined> {
  const row = await project.database.read((db: RecordsDb) =>
    inProject(db, project)
      .selectFrom('told_times')
      .select(['seq', 'listing'])
      .where('told_at', '=', time)
      .executeTakeFirst(),
  );
  return row && { seq: row.seq, listing: row.listing === 1 };
}

const latest = (db: RecordsDb, project: Project) =>
  inProject(db, project)
    .selectFrom('told_times')
    .select(['told_at', 'seq', 'listing'])
    .orderBy('told_at', 'desc')
    .limit(1)
    .executeTakeFirst();

const forget = (db: RecordsDb, project: Project, before: string) =>
  inProject(db, project).deleteFrom('told_times').where('told_at', '<', before).execute();

async function insert(
  db: RecordsDb,
  project: Project,
  row: { told_at: string; seq: number; listing: number },
): Promise<boolean> {
  const inserted = await db
    .insertInto('told_times')
    .values({ ...scopeColumns(project), ...row })
    .onConflict((conflict) => conflict.doNothing())
    .returning('seq')
    .executeTakeFirst();
  return inserted !== undefined;
}
