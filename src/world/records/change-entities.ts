import { type ContentOf, eventJson } from '../../kit/event.ts';
import { entitiesChanged, entityUpdated } from './entity.events.ts';
import { insertEvent, logTime } from './events.store.ts';
import { type RecordsDb, TEMPLATE_ROW_TYPE } from './records.tables.ts';
import type { Project } from './scope.ts';
import { takeSequence } from './sequence.store.ts';

type EntityUpdated = ContentOf<typeof entityUpdated>;

/** What happened to one entity. */
export interface EntityChange extends Omit<EntityUpdated, 'timestamp' | 'updated_fields'> {
  /** The number of its row; null for one that is gone. */
  seq: number | null;
  updated_fields: readonly string[];
}

/** A transaction that may change entities of a project. */
export interface EntityTransaction {
  db: RecordsDb;
  project: Project;
  /** What it has changed so far; no more than it takes to know that too much has. */
  changes: EntityChange[];
}

/** A transaction that changes more than this tells clients to read anew instead of naming each entity. */
const MOST_NAMED = 50;

/**
 * Runs a transaction that changes entities. Its changes are logged at its end, and published after the commit as they
 * stand in the log. Like any write, `work` may run more than once.
 */
export async function changeEntities<Result>(
  project: Project,
  work: (transaction: EntityTransaction) => Promise<Result>,
  options?: { durable?: boolean },
): Promise<Result> {
  const { result, events } = await project.database.write(async (db: RecordsDb) => {
    const transaction: EntityTransaction = { db, project, changes: [] };
    const done = await work(transaction);
    return { result: done, events: await logChanges(transaction) };
  }, options);
  if (events === null) project.bus.publish(project, entitiesChanged, {});
  else for (const event of events) project.bus.publish(project, entityUpdated, event);
  return result;
}

/** Templates are no entities to clients. */
export function noteChanges({ changes }: EntityTransaction, more: readonly EntityChange[]): void {
  for (const change of more) {
    if (changes.length > MOST_NAMED) return;
    if (change.entity_type !== TEMPLATE_ROW_TYPE) changes.push(change);
  }
}

/** Resolves to the events as they were logged; null where only a mark says that much has changed. */
async function logChanges({ db, project, changes }: EntityTransaction): Promise<EntityUpdated[] | null> {
  const isTooMuch = changes.length > MOST_NAMED;
  const told = isTooMuch ? changes.slice(0, 1) : changes;
  const unnumbered = told.filter(({ seq }) => seq === null).length;
  let nextSeq = unnumbered === 0 ? 0 : await takeSequence(db, project, unnumbered);
  const timestamp = logTime();
  const events: EntityUpdated[] = [];
  for (const { seq, updated_fields, ...change } of told) {
    const event = { ...change, updated_fields: [...updated_fields], timestamp };
    const body = isTooMuch ? null : eventJson(entityUpdated, event);
    await insertEvent(db, project, { seq: seq ?? nextSeq++, body });
    events.push(event);
  }
  return isTooMuch ? null : events;
}
