import type { Dialect } from '../../platform/database/dialect.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { type Scope, scopeColumns } from '../../world/records/index.ts';
import type { CloudConflictRow, CloudDb } from './cloud.tables.ts';

export type KeptConflict = Omit<CloudConflictRow, 'tenant_id' | 'project_id'>;

const KEY = ['tenant_id', 'project_id', 'conflict_id'] as const;

/** Upserts what the cloud reports; an answer given here stays until it is delivered. */
export const keepConflicts = (
  db: CloudDb,
  dialect: Dialect,
  scope: Scope,
  records: readonly Pick<
    KeptConflict,
    'conflict_id' | 'entity_type' | 'entity_id' | 'status' | 'detected_at'
  >[],
): Promise<void> =>
  dialect.upsert(
    db,
    'cloud_sync_conflicts',
    records.map((record) => ({
      ...scopeColumns(scope),
      conflict_id: record.conflict_id,
      entity_type: record.entity_type,
      entity_id: record.entity_id,
      status: record.status,
      record: JSON.stringify(record),
      answer: null,
      detected_at: record.detected_at,
    })),
    { conflict: KEY, update: ['status', 'record'] },
  );

const ofProject = (db: CloudDb, scope: Scope) =>
  inProject(db, scope)
    .selectFrom('cloud_sync_conflicts')
    .select(['conflict_id', 'entity_type', 'entity_id', 'status', 'record', 'answer', 'detected_at']);

const MOST_LISTED = 200;

export const openConflicts = (db: CloudDb, scope: Scope): Promise<KeptConflict[]> =>
  ofProject(db, scope)
    .where('status', '=', 'unresolved')
    .where('answer', 'is', null)
    .orderBy('detected_at', 'desc')
    .orderBy('conflict_id')
    .limit(MOST_LISTED)
    .execute();

export const findConflict = (db: CloudDb, scope: Scope, conflictId: string) =>
  ofProject(db, scope).where('conflict_id', '=', conflictId).executeTakeFirst();

/** Resolved here, not yet delivered to the cloud. */
export const answeredConflicts = (db: CloudDb, scope: Scope): Promise<KeptConflict[]> =>
  ofProject(db, scope)
    .where('answer', 'is not', null)
    .where('status', '=', 'unresolved')
    .limit(MOST_LISTED)
    .execute();

export async function patchConflict(
  db: CloudDb,
  scope: Scope,
  conflictId: string,
  patch: Partial<Pick<KeptConflict, 'status' | 'answer'>>,
): Promise<void> {
  await inProject(db, scope)
    .updateTable('cloud_sync_conflicts')
    .set(patch)
    .where('conflict_id', '=', conflictId)
    .execute();
}

export async function countOpenConflicts(db: CloudDb, scope: Scope): Promise<number> {
  const { total } = await inProject(db, scope)
    .selectFrom('cloud_sync_conflicts')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('status', '=', 'unresolved')
    .where('answer', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function forgetConflicts(db: CloudDb, scope: Scope): Promise<void> {
  await inProject(db, scope).deleteFrom('cloud_sync_conflicts').execute();
}
