import type { Dialect } from '../../platform/database/dialect.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { type EntityTransaction, noteChanges } from './change-entities.ts';
import { faultyReply } from './file-faults.ts';
import type { EntityRow, RecordsDb } from './records.tables.ts';
import type { Project } from './scope.ts';

/** A live entity whose file has a problem; its row keeps the last readable state. */
export interface FaultyRow {
  row: EntityRow;
  problem: string;
  /** True if the entity did not have this problem before. */
  isNew: boolean;
}

const VALIDITY_FIELDS = ['is_valid', 'validation_errors'];

/** Records the problems of files in rows and replies. Versions and texts stay. */
export async function storeFaults(
  db: RecordsDb,
  dialect: Dialect,
  faults: readonly FaultyRow[],
): Promise<void> {
  if (faults.length === 0) return;
  const problems = new Map(faults.map(({ row, problem }) => [row.row_id, problem]));
  const documents = await db
    .selectFrom('entity_documents')
    .selectAll()
    .where('row_id', 'in', [...problems.keys()])
    .execute();
  const faulty = documents.map(({ row_id, json, head }) => ({
    row_id,
    json: faultyReply(json, problems.get(row_id) ?? ''),
    head,
  }));
  await dialect.upsert(db, 'entity_documents', faulty, { conflict: ['row_id'], update: ['json'] });
  const rows = faults.map(({ row }) => ({ ...row, is_valid: 0 }));
  await dialect.upsert(db, 'entities', rows, { conflict: ['row_id'], update: ['is_valid'] });
}

/** Notes changes of validity for clients, under sequence numbers from `firstSeq`. */
export const noteValidity = (
  transaction: EntityTransaction,
  rows: readonly EntityRow[],
  firstSeq: number,
): void =>
  noteChanges(
    transaction,
    rows.map(({ entity_type, entity_id, version, checksum }, index) => ({
      seq: firstSeq + index,
      entity_type,
      entity_id,
      action: 'update',
      updated_fields: VALIDITY_FIELDS,
      updated_by: null,
      version,
      checksum,
    })),
  );

const faultyFiles = (db: RecordsDb, project: Project) =>
  inProject(db, project)
    .selectFrom('files')
    .where('files.problem', 'is not', null)
    .where('files.entry_type', '=', 'markdown')
    .where('files.deleted_at', 'is', null);

export interface FaultyFile {
  path: string;
  problem: string;
}

/** Files that could not be imported when last read: the first `limit` by path, and the total. */
export async function listFaultyFiles(
  db: RecordsDb,
  project: Project,
  limit: number,
): Promise<{ files: FaultyFile[]; total: number }> {
  const files = await faultyFiles(db, project)
    .select(['path', 'problem'])
    .$narrowType<{ problem: string }>()
    .orderBy('path')
    .limit(limit)
    .execute();
  if (files.length < limit) return { files, total: files.length };
  const { total } = await faultyFiles(db, project)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { files, total: Number(total) };
}

export interface RowlessFile extends FaultyFile {
  entity_type: string;
  entity_id: string | null;
}

/** Faulty files after a path that have no entity: no version of them was ever readable. */
export const rowlessFaultyFiles = (db: RecordsDb, project: Project, after: string, limit: number) =>
  faultyFiles(db, project)
    .select(['path', 'problem', 'entity_type', 'entity_id'])
    .$narrowType<{ problem: string; entity_type: string }>()
    .where('files.entity_type', 'is not', null)
    .where('files.path', '>', after)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('entities')
            .select('entities.row_id')
            .whereRef('entities.tenant_id', '=', 'files.tenant_id')
            .whereRef('entities.project_id', '=', 'files.project_id')
            .whereRef('entities.entity_type', '=', 'files.entity_type')
            .whereRef('entities.entity_id', '=', 'files.entity_id')
            .whereRef('entities.path', '=', 'files.path'),
        ),
      ),
    )
    .orderBy('files.path')
    .limit(limit)
    .execute();
