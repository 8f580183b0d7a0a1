import { type ContentOf, type EventDefinition, eventJson } from '../../kit/event.ts';
import { prepared } from '../../platform/database/prepared.ts';
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

/** The clock of the log, which need not be that of the change: a file may come with a date of last year. */
export const logTime = (): string => new Date().toISOString();

/** Adds an event to the log, in the transaction that it tells of. */
export async function insertEvent(db: RecordsDb, scope: Scope, event: LoggedEvent): Promise<void> {
  await insertOne(db, { ...scopeColumns(scope), ...event, at: logTime() });
}

/** Logs an event that no change of rows stands for, and publishes it after the commit. */
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
  /** The event's JSON; null: more happened than was logged, so everything is to be read anew. */
  body: string | null;
}

/** Up to `limit` events after a number. Numbers become visible in their order, so none is missed by going on from the last. */
export const eventsAfter = (
  db: RecordsDb,
  scope: Scope,
  after: number,
  limit: number,
): Promise<LoggedEvent[]> =>
  db
    .selectFrom('project_events')
    .select(['seq', 'body'])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();

/** The log's end, and since when the project has been counting. */
export async function logEnd(db: RecordsDb, scope: Scope): Promise<{ seq: number; since: string }> {
  const row = await db
    .selectFrom('projects')
    .select(['seq', 'created_at'])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .executeTakeFirstOrThrow();
  return { seq: row.seq, since: row.created_at };
}

/**
 * Forgets what is older than a time or more than so many events. The last that is forgotten stays as the mark that
 * something was: who has read less of the log than that has to read everything anew.
 */
export const forgetEvents = (project: Project, before: string, most: number): Promise<void> =>
  project.database.write(async (db: RecordsDb) => {
    const newestFirst = db
      .selectFrom('project_events')
      .select('seq')
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .orderBy('seq', 'desc')
      .limit(1);
    const old = await newestFirst.where('at', '<', before).executeTakeFirst();
    const surplus = await newestFirst.offset(most).executeTakeFirst();
    const last = Math.max(old?.seq ?? 0, surplus?.seq ?? 0);
    if (last === 0) return;
    await db
      .deleteFrom('project_events')
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('seq', '<', last)
      .execute();
    await db
      .updateTable('project_events')
      .set({ body: null })
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('seq', '=', last)
      .execute();
  });
