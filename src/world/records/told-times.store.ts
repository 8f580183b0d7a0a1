import { isoTime } from '../../kit/clock.ts';
import type { RecordsDb } from './records.tables.ts';
import { type Project, scopeColumns } from './scope.ts';

/**
 * Times that replicas were told to go on from. A clock cannot say what somebody has seen: changes get their times before
 * they commit, in several processes. So each time that is given out stands for a number in the order of changes.
 */

/** What a replica has seen that sends a time back. */
export interface ToldPlace {
  seq: number;
  /** Whether everything was being listed, and more of it was to come. */
  listing: boolean;
}

/** By so much clocks may differ, and a change may commit after the time that it bears, where a time is none that was told. */
export const CLOCK_SLACK_MS = 5 * 60_000;

const DAY_MS = 86_400_000;
/** Longer than traces of deleted files are kept. */
const KEPT_MS = 31 * DAY_MS;

/** Gives out a time (ISO) for a place: the one that it has, or one that no other place has. Never before `nowMs`, except for one given within the day. */
export async function tellTime(project: Project, place: ToldPlace, nowMs: number): Promise<string> {
  const listing = place.listing ? 1 : 0;
  const last = await project.database.read((db: RecordsDb) => latest(db, project));
  const isSame = last?.seq === place.seq && last.listing === listing;
  if (last && isSame && last.told_at >= isoTime(nowMs - DAY_MS)) return last.told_at;
  return project.database.write(async (db: RecordsDb) => {
    await forget(db, project, isoTime(nowMs - KEPT_MS));
    const after = (await latest(db, project))?.told_at;
    let at = Math.max(nowMs, after === undefined ? 0 : Date.parse(after) + 1);
    while (!(await insert(db, project, { told_at: isoTime(at), seq: place.seq, listing }))) at += 1;
    return isoTime(at);
  });
}

/** What a time stands for that was given out; undefined for any other time. */
export async function placeToldAt(project: Project, time: string): Promise<ToldPlace | undefined> {
  const row = await project.database.read((db: RecordsDb) =>
    db
      .selectFrom('told_times')
      .select(['seq', 'listing'])
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('told_at', '=', time)
      .executeTakeFirst(),
  );
  return row && { seq: row.seq, listing: row.listing === 1 };
}

const latest = (db: RecordsDb, project: Project) =>
  db
    .selectFrom('told_times')
    .select(['told_at', 'seq', 'listing'])
    .where('tenant_id', '=', project.tenantId)
    .where('project_id', '=', project.projectId)
    .orderBy('told_at', 'desc')
    .limit(1)
    .executeTakeFirst();

const forget = (db: RecordsDb, project: Project, before: string) =>
  db
    .deleteFrom('told_times')
    .where('tenant_id', '=', project.tenantId)
    .where('project_id', '=', project.projectId)
    .where('told_at', '<', before)
    .execute();

/** False when the time is taken. */
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
