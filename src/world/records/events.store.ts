import { type ContentOf, type EventDefinition, eventJson } from '../../kit/event.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject } from '../../platform/database/scoped.ts';
import type { ProjectEventsTable, RecordsDb } from './records.tables.ts';
import { type Project, type Scope, scopeColumns } from './scope.ts';
import { takeSequence } from './sequence.store.ts';

const insertOne = prepared((db: RecordsDb, row: ProjectEventsTable) =>
  db.insertInto('project_events').values({
    tenant_id: row.tenant_id,
    project_id: row.project_id,
    seq: row.seq,
    body: row.body,
    at: row.at,
  }),
);

/** The log has its own clock: a change may have an old time, such as that of a file from last year. */
export const logTime = (): string => new Date().toISOString();

/** Must run in the transaction of the change. */
export async function insertEvent(db: RecordsDb, scope: Scope, event: LoggedEvent): Promise<void> {
  await insertOne(db, { ...scopeColumns(scope), ...event, at: logTime() });
}

/** Logs an event without a change of rows, and publishes it after the commit. */
export async function logEvent<Definition extends EventDefinition>(
  project: Project,
  definition: Definition,
  content: ContentOf<Definition>,
): Promise<void> {
  const body = eventJson(definition, content);
  await project.database.write(async (db: RecordsDb) => {
    const seq = await takeSequence(db, project, 1);
    await insertEvent(db, project, { seq, body });
  });
  project.bus.publish(project, definition, content);
}

export interface LoggedEvent {
  seq: number;
  /** The event's JSON; null if changes were too many to log, so that readers must reload everything. */
  body: string | null;
}

/** Numbers become visible in order, so a reader that continues after the last one misses none. */
export const eventsAfter = (db: RecordsDb, scope: Scope, after: number, limit: number) =>
  inProject(db, scope)
    .selectFrom('project_events')
    .select(['seq', 'body'])
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();

/** The end of the log, and the time from which the project has been counting. */
export async function logEnd(db: RecordsDb, scope: Scope): Promise<{ seq: number; since: string }> {
  const row = await inProject(db, scope)
    .selectFrom('projects')
    .select(['seq', 'created_at'])
    .executeTakeFirstOrThrow();
  return { seq: row.seq, since: row.created_at };
}

/** Removes events before a time and all but the newest `most`. The last removed one stays as a mark for readers behind it. */
export const forgetEvents = (project: Project, before: string, most: number): Promise<void> =>
  project.database.write(async (db: RecordsDb) => {
    const newestFirst = inProject(db, project)
      .selectFrom('project_events')
      .select('seq')
      .orderBy('seq', 'desc')
      .limit(1);
    const old = await newestFirst.where('at', '<', before).executeTakeFirst();
    const surplus = await newestFirst.offset(most).executeTakeFirst();
    const last = Math.max(old?.seq ?? 0, surplus?.seq ?? 0);
    if (last === 0) return;
    await inProject(db, project).deleteFrom('project_events').where('seq', '<', last).execute();
    await inProject(db, project)
      .updateTable('project_events')
      .set({ body: null })
      .where('seq', '=', last)
      .execute();
  });
