import type { Kysely, Selectable } from 'kysely';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import type { FileStat } from '../../platform/files/files.ts';
import type { FileRecord } from '../texts/index.ts';
import { changedFiles } from './change-feed.store.ts';
import type { FilesTable, RecordTables } from './records.tables.ts';
import { type Scope, scopeColumns } from './scope.ts';
import { takeSequence } from './sequence.store.ts';

export type FileRow = Selectable<FilesTable>;

const KEY = ['tenant_id', 'project_id', 'path'] as const;
const UPDATED = [
  'entry_type',
  'entity_type',
  'entity_id',
  'size',
  'mtime_ms',
  'ctime_ms',
  'ino',
  'sha256',
  'media_type',
  'seq',
  'added_at',
  'changed_at',
  'deleted_at',
  'problem',
] as const;

export const recordOf = (row: FileRow): FileRecord => ({
  path: row.path,
  size: row.size,
  mtimeMs: row.mtime_ms,
  ctimeMs: row.ctime_ms,
  ino: row.ino,
  entry_type: row.entry_type,
  entity_type: row.entity_type,
  entity_id: row.entity_id,
  sha256: row.sha256,
  media_type: row.media_type,
  problem: row.problem,
});

/** True if the file is still the one that the row was made of. */
export const isAsKnown = (row: FileChange, stat: FileStat): boolean =>
  row.deleted_at === null &&
  row.size === stat.size &&
  row.mtime_ms === stat.mtimeMs &&
  row.ctime_ms === stat.ctimeMs &&
  row.ino === stat.ino;

const sameContent = (before: FileRow | undefined, record: FileRecord): before is FileRow =>
  before !== undefined && before.deleted_at === null && before.sha256 === record.sha256;

type ScopeValues = ReturnType<typeof scopeColumns>;

const nextManifest = prepared((db: Kysely<RecordTables>, values: ScopeValues) =>
  inProject(db, scopeOf(values))
    .updateTable('projects')
    .set((eb) => ({ manifest_version: eb('manifest_version', '+', 1) })),
);

/** The manifest's version grows with every transaction that changes the manifest (spec 1 §9). */
const growManifest = (db: Kysely<RecordTables>, scope: Scope) => nextManifest(db, scopeColumns(scope));

/** `firstSeq` begins the sequence numbers; `before` holds the former rows by path. */
export async function putFiles(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  scope: Scope,
  records: readonly FileRecord[],
  options: { before: ReadonlyMap<string, FileRow>; firstSeq: number; at: string },
): Promise<void> {
  const rows = records.map((record, index): FileRow => {
    const known = options.before.get(record.path);
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
      media_type: record.media_type,
      seq: options.firstSeq + index,
      added_at: live ? known.added_at : options.at,
      changed_at: same ? known.changed_at : options.at,
      deleted_at: null,
      problem: record.problem,
    };
  });
  await dialect.upsert(db, 'files', rows, { conflict: KEY, update: UPDATED });
  if (rows.some((row) => row.changed_at === options.at)) await growManifest(db, scope);
}

/** Turns rows into tombstones. */
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
    conflict: KEY,
    update: UPDATED,
  });
  await growManifest(db, { tenantId: first.tenant_id, projectId: first.project_id });
}

const fileByPath = prepared((db: Kysely<RecordTables>, values: ScopeValues & { path: string }) =>
  inProject(db, scopeOf(values))
    .selectFrom('files')
    .select([...KEY, ...UPDATED])
    .where('path', '=', values.path),
);

const filesByPaths = (db: Kysely<RecordTables>, scope: Scope, paths: readonly string[]) =>
  inProject(db, scope).selectFrom('files').selectAll().where('path', 'in', paths).execute();

export async function findFiles(
  db: Kysely<RecordTables>,
  scope: Scope,
  paths: readonly string[],
): Promise<Map<string, FileRow>> {
  const [path] = paths;
  if (path === undefined) return new Map();
  const rows =
    paths.length === 1
      ? await fileByPath(db, { ...scopeColumns(scope), path })
      : await filesByPaths(db, scope, paths);
  return new Map(rows.map((row) => [row.path, row]));
}

/** Live rows below a folder (`folder` without a trailing slash). */
export const findFilesBelow = (db: Kysely<RecordTables>, scope: Scope, folder: string): Promise<FileRow[]> =>
  inProject(db, scope)
    .selectFrom('files')
    .selectAll()
    .where('path', '>=', `${folder}/`)
    .where('path', '<', `${folder}0`)
    .where('deleted_at', 'is', null)
    .execute();

const markdownBelow = prepared(
  (db: Kysely<RecordTables>, values: ScopeValues & { from: string; to: string }) =>
    inProject(db, scopeOf(values))
      .selectFrom('files')
      .select(['path', 'entity_id'])
      .where('path', '>=', values.from)
      .where('path', '<', values.to)
      .where('entry_type', '=', 'markdown')
      .where('entity_id', 'is not', null)
      .where('deleted_at', 'is', null),
);

export async function entityFilesIn(
  db: Kysely<RecordTables>,
  scope: Scope,
  folder: string,
): Promise<{ path: string; entity_id: string }[]> {
  const from = `${folder}/`;
  const rows = await markdownBelow(db, { ...scopeColumns(scope), from, to: `${folder}0` });
  return rows.flatMap(({ path, entity_id }) =>
    entity_id === null || path.includes('/', from.length) ? [] : [{ path, entity_id }],
  );
}

/** Makes feed readers look again at assets in folders, since their owners have changed. */
export async function touchAssetsIn(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  scope: Scope,
  folders: readonly string[],
): Promise<void> {
  for (const folder of folders) {
    const below = await findFilesBelow(db, scope, folder);
    const assets = below.filter((row) => row.entry_type === 'asset');
    if (assets.length === 0) continue;
    const firstSeq = await takeSequence(db, scope, assets.length);
    const rows = assets.map((row, index) => ({ ...row, seq: firstSeq + index }));
    await dialect.upsert(db, 'files', rows, { conflict: KEY, update: ['seq'] });
  }
}

interface ChangesSince {
  tenant_id: string;
  project_id: string;
  seq: number;
  limit: number;
}

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

const CHANGE = [
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
] as const;

/** Changes after `seq`, in order, for a replica of the file index. */
export const fileChangesSince = prepared((db: Kysely<RecordTables>, values: ChangesSince) =>
  changedFiles(db, scopeOf(values), values.seq).select(CHANGE).limit(values.limit),
);

const changesAt = prepared(
  (db: Kysely<RecordTables>, values: ScopeValues & { root: string; from: string; to: string }) =>
    inProject(db, scopeOf(values))
      .selectFrom('files')
      .select(CHANGE)
      .where((eb) =>
        eb.or([
          eb('path', '=', values.root),
          eb.and([eb('path', '>=', values.from), eb('path', '<', values.to)]),
        ]),
      ),
);

/** The same for one path and all below it, including tombstones. */
export const fileChangesAt = (db: Kysely<RecordTables>, scope: Scope, path: string): Promise<FileChange[]> =>
  changesAt(db, { ...scopeColumns(scope), root: path, from: `${path}/`, to: `${path}0` });

const withProblems = prepared((db: Kysely<RecordTables>, values: ScopeValues & { limit: number }) =>
  inProject(db, scopeOf(values))
    .selectFrom('files')
    .select(CHANGE)
    .where('problem', 'is not', null)
    .limit(values.limit),
);

/** The same for files that could not be imported when last read, up to a limit. */
export const problemFileChanges = (
  db: Kysely<RecordTables>,
  scope: Scope,
  limit: number,
): Promise<FileChange[]> => withProblems(db, { ...scopeColumns(scope), limit });

const anyFile = prepared((db: Kysely<RecordTables>, values: ScopeValues) =>
  inProject(db, scopeOf(values)).selectFrom('files').select('path').limit(1),
);

export const hasFiles = async (db: Kysely<RecordTables>, scope: Scope): Promise<boolean> =>
  (await anyFile(db, scopeColumns(scope))).length > 0;
