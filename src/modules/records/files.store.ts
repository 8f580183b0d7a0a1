import type { Kysely, Selectable } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { FilesTable, RecordTables } from './records.tables.ts';
import { type Scope, scopeColumns } from './scope.ts';

export type FileRow = Selectable<FilesTable>;

/** What is known of one file after it was read. */
export interface FileRecord extends FileStat {
  entry_type: FilesTable['entry_type'];
  entity_type: string | null;
  entity_id: string | null;
  sha256: string;
  problem: string | null;
}

const UPDATED = [
  'entry_type',
  'entity_type',
  'entity_id',
  'size',
  'mtime_ms',
  'ctime_ms',
  'ino',
  'sha256',
  'seq',
  'added_at',
  'changed_at',
  'deleted_at',
  'problem',
] as const;

const sameContent = (before: FileRow | undefined, record: FileRecord): before is FileRow =>
  before !== undefined && before.deleted_at === null && before.sha256 === record.sha256;

/** The manifest's version grows with every transaction that changes what the manifest says (spec 1 §9). */
const growManifest = (db: Kysely<RecordTables>, scope: Scope) =>
  db
    .updateTable('projects')
    .set((eb) => ({ manifest_version: eb('manifest_version', '+', 1) }))
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .execute();

/** Records files under the next sequence numbers from `firstSeq`; `before` holds the rows they had, by path. */
export async function putFiles(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  scope: Scope,
  records: readonly FileRecord[],
  before: ReadonlyMap<string, FileRow>,
  options: { firstSeq: number; at: string },
): Promise<void> {
  const rows = records.map((record, index): FileRow => {
    const known = before.get(record.path);
    const same = sameContent(known, record);
    const live = known !== undefined && known.deleted_at === null;
    return {
      ...scopeColumns(scope),
      path: record.path,
      entry_type: record.entry_type,
      entity_type: record.entity_type,
      entity_id: record.entity_id,
      size: record.size,
      mtime_ms: record.mtimeMs,
      ctime_ms: record.ctimeMs,
      ino: record.ino,
      sha256: record.sha256,
      seq: options.firstSeq + index,
      added_at: live ? known.added_at : options.at,
      changed_at: same ? known.changed_at : options.at,
      deleted_at: null,
      problem: record.problem,
    };
  });
  await dialect.upsert(db, 'files', rows, { conflict: ['tenant_id', 'project_id', 'path'], update: UPDATED });
  if (rows.some((row) => row.changed_at === options.at)) await growManifest(db, scope);
}

/** Turns rows into tombstones, each under the next sequence number from `firstSeq`. */
export async function buryFiles(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  rows: readonly FileRow[],
  options: { firstSeq: number; at: string },
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const buried = rows.map((row, index) => ({
    ...row,
    seq: options.firstSeq + index,
    deleted_at: options.at,
  }));
  await dialect.upsert(db, 'files', buried, {
    conflict: ['tenant_id', 'project_id', 'path'],
    update: UPDATED,
  });
  await growManifest(db, { tenantId: first.tenant_id, projectId: first.project_id });
}

/** Rows by path, tombstones included. */
export async function findFiles(
  db: Kysely<RecordTables>,
  scope: Scope,
  paths: readonly string[],
): Promise<Map<string, FileRow>> {
  if (paths.length === 0) return new Map();
  const rows = await db
    .selectFrom('files')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('path', 'in', paths)
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
}

/** Live rows below a folder (`folder` without a trailing slash). */
export const findFilesBelow = (db: Kysely<RecordTables>, scope: Scope, folder: string): Promise<FileRow[]> =>
  db
    .selectFrom('files')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('path', '>=', `${folder}/`)
    .where('path', '<', `${folder}0`)
    .where('deleted_at', 'is', null)
    .execute();

interface ChangesSince {
  tenant_id: string;
  project_id: string;
  seq: number;
  limit: number;
}

/** A changed file as a replica of the file index keeps it. */
export type FileChange = Pick<
  FileRow,
  | 'path'
  | 'size'
  | 'mtime_ms'
  | 'ctime_ms'
  | 'ino'
  | 'seq'
  | 'deleted_at'
  | 'entry_type'
  | 'entity_id'
  | 'problem'
>;

/** What a replica of the file index needs to catch up: changes after `seq`, in order. */
export const fileChangesSince = prepared((db: Kysely<RecordTables>, values: ChangesSince) =>
  db
    .selectFrom('files')
    .select([
      'path',
      'size',
      'mtime_ms',
      'ctime_ms',
      'ino',
      'seq',
      'deleted_at',
      'entry_type',
      'entity_id',
      'problem',
    ])
    .where('tenant_id', '=', values.tenant_id)
    .where('project_id', '=', values.project_id)
    .where('seq', '>', values.seq)
    .orderBy('seq')
    .limit(values.limit),
);
