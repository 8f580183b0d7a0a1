import type { Kysely } from 'kysely';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import type { RecordTables } from './records.tables.ts';
import { type Scope, scopeColumns } from './scope.ts';

const takeNumbers = prepared(
  (db: Kysely<RecordTables>, values: { tenant_id: string; project_id: string; count: number }) =>
    inProject(db, scopeOf(values))
      .updateTable('projects')
      .set((eb) => ({ seq: eb('seq', '+', values.count) }))
      .returning('seq'),
);

/** Must come first in a transaction: the project's row stays locked until the commit, so that numbers become visible in order. */
export async function takeSequence(db: Kysely<RecordTables>, scope: Scope, count: number): Promise<number> {
  const [row] = await takeNumbers(db, { ...scopeColumns(scope), count });
  if (row === undefined) throw new Error(`the project ${scope.projectId} has no row`);
  return row.seq - count + 1;
}

const presentNumber = prepared(
  (db: Kysely<RecordTables>, values: { tenant_id: string; project_id: string }) =>
    inProject(db, scopeOf(values)).selectFrom('projects').select('seq'),
);

export async function lastSequence(db: Kysely<RecordTables>, scope: Scope): Promise<number> {
  const [row] = await presentNumber(db, scopeColumns(scope));
  return row?.seq ?? 0;
}
