import { prepared } from '../../platform/database/prepared.ts';
import type { EntityRow, ProjectEventsTable, RecordsDb } from './records.tables.ts';
import { TEMPLATE_ROW_TYPE } from './records.tables.ts';
import { type Project, type Scope, scopeColumns } from './scope.ts';
import { takeSequence } from './sequence.store.ts';

/** What happened to one entity, in the names of the wire (spec 2 §6.3). */
export interface EntityChange {
  seq: number;
  entity_type: string;
  entity_id: string;
  action: 'create' | 'update' | 'delete' | 'restore';
  updated_fields: readonly string[];
  updated_by: string | null;
}

/** A transaction that changes more than this tells clients to read anew instead of naming each entity. */
const MOST_NAMED = 50;

const insertOne = prepared((db: RecordsDb, row: ProjectEventsTable) =>
  db.insertInto('project_events').values({
    tenant_id: row.tenant_id,
    project_id: row.project_id,
    seq: row.seq,
    body: row.body,
    at: row.at,
  }),
);

// The clock of the log, which need not be that of the change: a file may come with a date of last year.
const present = (): string => new Date().toISOString();

/** Logs what a transaction does to entities, in it. Templates are no entities to clients. */
export async function logEntityChanges(
  db: RecordsDb,
  scope: Scope,
  changes: readonly EntityChange[],
): Promise<void> {
  const told = changes.filter(({ entity_type }) => entity_type !== TEMPLATE_ROW_TYPE);
  const [first] = told;
  if (first === undefined) return;
  const at = present();
  if (told.length > MOST_NAMED) {
    await insertOne(db, { ...scopeColumns(scope), seq: first.seq, body: null, at });
    return;
  }
  for (const { seq, ...change } of told) {
    const body = JSON.stringify({ type: 'entity_updated', ...change, timestamp: at });
    await insertOne(db, { ...scopeColumns(scope), seq, body, at });
  }
}

/** Logs the end of entities, under sequence numbers of their own. */
export async function logDeletions(
  db: RecordsDb,
  scope: Scope,
  rows: readonly Pick<EntityRow, 'entity_type' | 'entity_id'>[],
  actor: string | null,
): Promise<void> {
  const told = rows.filter(({ entity_type }) => entity_type !== TEMPLATE_ROW_TYPE);
  if (told.length === 0) return;
  const firstSeq = await takeSequence(db, scope, told.length);
  const changes = told.map(({ entity_type, entity_id }, index) => ({
    seq: firstSeq + index,
    entity_type,
    entity_id,
    action: 'delete' as const,
    updated_fields: [],
    updated_by: actor,
  }));
  await logEntityChanges(db, scope, changes);
}

/** Logs an event that no change of rows stands for. */
export const logEvent = (project: Project, event: { type: string; timestamp: string }): Promise<void> =>
  project.database.write(async (db: RecordsDb) => {
    const seq = await takeSequence(db, project, 1);
    await insertOne(db, {
      ...scopeColumns(project),
      seq,
      body: JSON.stringify(event),
      at: present(),
    });
  });

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
