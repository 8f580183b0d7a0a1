import type { Kysely } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
import type { RecordTables } from './records.tables.ts';
import { type Scope, scopeColumns } from './scope.ts';

const takeNumbers = prepared(
  (db: Kysely<RecordTables>, values: { tenant_id: string; project_id: string; count: number }) =>
    db
      .updateTable('projects')
      .set((eb) => ({ seq: eb('seq', '+', values.count) }))
      .where('tenant_id', '=', values.tenant_id)
      .where('project_id', '=', values.project_id)
      .returning('seq'),
);

/**
 * Takes the next `count` sequence numbers of a project and returns the first. The project's row stays locked until
 * the commit, so numbers become visible in their order: call it first in a transaction.
 */
export async function takeSequence(db: Kysely<RecordTables>, scope: Scope, count: number): Promise<number> {
  const [row] = await takeNumbers(db, { ...scopeColumns(scope), count });
  if (row === undefined) throw new Error(`the project ${scope.projectId} has no row`);
  return row.seq - count + 1;
}

const presentNumber = prepared(
  (db: Kysely<RecordTables>, values: { tenant_id: string; project_id: string }) =>
    db
      .selectFrom('projects')
      .select('seq')
      .where('tenant_id', '=', values.tenant_id)
      .where('project_id', '=', values.project_id),
);

/** The last sequence number that is visible. */
export async function lastSequence(db: Kysely<RecordTables>, scope: Scope): Promise<number> {
  const [row] = await presentNumber(db, scopeColumns(scope));
  return row?.seq ?? 0;
}
