import { type ContentOf, eventJson } from '../../kit/event.ts';
import { entitiesChanged, entityUpdated } from './entity.events.ts';
import { insertEvent, logTime } from './events.store.ts';
import { type RecordsDb, TEMPLATE_ROW_TYPE } from './records.tables.ts';
import type { Project } from './scope.ts';
import { takeSequence } from './sequence.store.ts';

type EntityUpdated = ContentOf<typeof entityUpdated>;

export interface EntityChange extends Omit<EntityUpdated, 'timestamp' | 'updated_fields'> {
  /** Null for a removed entity. */
  seq: number | null;
  updated_fields: readonly string[];
}

export interface EntityTransaction {
  db: RecordsDb;
  project: Project;
  /** The changes so far, up to the number at which the log stops naming them. */
  changes: EntityChange[];
}

/** After a transaction with more changes than this, clients must reload everything. */
const MOST_NAMED = 50;

/** Logs the changes at the end of the transaction and publishes them after the commit. Like any write, `work` may run more than once. */
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

/** Leaves out templates, which are not entities to clients. */
export function noteChanges({ changes }: EntityTransaction, more: readonly EntityChange[]): void {
  for (const change of more) {
    if (changes.length > MOST_NAMED) return;
    if (change.entity_type !== TEMPLATE_ROW_TYPE) changes.push(change);
  }
}

/** Resolves to the logged events; null if the log only has a mark that too much has changed. */
async function logChanges({ db, project, changes }: EntityTransaction): Promise<EntityUpdated[] | null> {
  const isTooMuch = changes.length > MOST_NAMED;
  const named = isTooMuch ? changes.slice(0, 1) : changes;
  const unnumbered = named.filter(({ seq }) => seq === null).length;
  let nextSeq = unnumbered === 0 ? 0 : await takeSequence(db, project, unnumbered);
  const timestamp = logTime();
  const events: EntityUpdated[] = [];
  for (const { seq, updated_fields, ...change } of named) {
    const event = { ...change, updated_fields: [...updated_fields], timestamp };
    const body = isTooMuch ? null : eventJson(entityUpdated, event);
    await insertEvent(db, project, { seq: seq ?? nextSeq++, body });
    events.push(event);
  }
  return isTooMuch ? null : events;
}
