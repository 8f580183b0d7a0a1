import { SIDECAR_NAME } from '../../content/assets/index.ts';
import type { Dialect } from '../../platform/database/dialect.ts';
import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { changedFiles, type Scope, scopeColumns } from '../records/index.ts';
import type { AssetDb, AssetRelationshipRow, AssetRow, AssetVersionRow } from './assets.tables.ts';

const KEY = ['tenant_id', 'project_id', 'path'] as const;

/** Changed assets and sidecars after a number, in order, with tombstones and files that have similar names to sidecars. */
export const assetFileChanges = (db: AssetDb, scope: Scope, after: number, upTo: number, limit: number) =>
  changedFiles(db, scope, after)
    .selectAll()
    .where('seq', '<=', upTo)
    .where((eb) =>
      eb.or([
        eb('entry_type', '=', 'asset'),
        eb('path', '=', SIDECAR_NAME),
        eb('path', 'like', `%/${SIDECAR_NAME}`).and('entry_type', '=', 'other'),
      ]),
    )
    .limit(limit)
    .execute();

const selectAssets = (db: AssetDb, scope: Scope) => inProject(db, scope).selectFrom('assets').selectAll();

type Column = 'path' | 'asset_id' | 'sha256' | 'home';

export async function findAssetsBy(
  db: AssetDb,
  scope: Scope,
  column: Column,
  values: readonly string[],
): Promise<AssetRow[]> {
  const rows = await inParts(values, (part) => selectAssets(db, scope).where(column, 'in', part).execute());
  // Sorted here: with an ORDER BY, SQLite would walk all assets by path instead of looking up a few.
  return rows.sort((one, other) => (one.path < other.path ? -1 : 1));
}

export const findLiveAsset = (db: AssetDb, scope: Scope, assetId: string): Promise<AssetRow | undefined> =>
  selectAssets(db, scope).where('asset_id', '=', assetId).where('gone_at', 'is', null).executeTakeFirst();

export async function putAssets(db: AssetDb, dialect: Dialect, rows: readonly AssetRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const update = Object.keys(first).filter((column) => !KEY.some((key) => key === column));
  await dialect.upsert(db, 'assets', rows, { conflict: KEY, update });
}

export async function deleteAssets(db: AssetDb, scope: Scope, paths: readonly string[]): Promise<void> {
  await inParts(paths, (part) =>
    inProject(db, scope).deleteFrom('assets').where('path', 'in', part).execute(),
  );
}

/** Removes the rows of assets whose files have been gone since before a time. */
export async function deleteLongGone(db: AssetDb, scope: Scope, before: string): Promise<void> {
  const { numDeletedRows } = await inProject(db, scope)
    .deleteFrom('assets')
    .where('gone_at', '<', before)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await forgetOrphans(db, scope);
}

/** Removes versions and relationships of assets that are neither present nor in the recycle bin. */
export async function forgetOrphans(db: AssetDb, scope: Scope): Promise<void> {
  for (const table of ['asset_versions', 'asset_relationships'] as const)
    await inProject(db, scope)
      .deleteFrom(table)
      .where('asset_id', 'not in', idsOf(db, scope, 'assets'))
      .where('asset_id', 'not in', idsOf(db, scope, 'asset_recycle_items'))
      .execute();
}

const idsOf = (db: AssetDb, scope: Scope, table: 'assets' | 'asset_recycle_items') =>
  inProject(db, scope).selectFrom(table).select('asset_id');

export const putVersions = (
  db: AssetDb,
  dialect: Dialect,
  rows: readonly AssetVersionRow[],
): Promise<void> =>
  rows.length === 0
    ? Promise.resolve()
    : dialect.upsert(db, 'asset_versions', rows, {
        conflict: ['tenant_id', 'project_id', 'asset_id', 'version'],
        update: [],
      });

/** Stores the author of the present bytes. */
export async function putVersionAuthor(
  db: AssetDb,
  scope: Scope,
  { path, sha256 }: Pick<AssetRow, 'path' | 'sha256'>,
  author: string | null,
): Promise<void> {
  await inProject(db, scope)
    .updateTable('assets')
    .set({ version_by: author })
    .where('path', '=', path)
    .where('sha256', '=', sha256)
    .execute();
}

/** Moves an asset's history to its new id. */
export async function renameAsset(db: AssetDb, scope: Scope, from: string, to: string): Promise<void> {
  await inProject(db, scope)
    .updateTable('asset_versions')
    .set({ asset_id: to })
    .where('asset_id', '=', from)
    .execute();
}

export const listVersions = (db: AssetDb, scope: Scope, assetIds: readonly string[]) =>
  assetIds.length === 0
    ? Promise.resolve([])
    : inProject(db, scope)
        .selectFrom('asset_versions')
        .selectAll()
        .where('asset_id', 'in', assetIds)
        .orderBy('version', 'desc')
        .execute();

export async function putRelationships(
  db: AssetDb,
  dialect: Dialect,
  scope: Scope,
  assetIds: readonly string[],
  rows: readonly AssetRelationshipRow[],
): Promise<void> {
  await inParts(assetIds, (part) =>
    inProject(db, scope).deleteFrom('asset_relationships').where('asset_id', 'in', part).execute(),
  );
  if (rows.length > 0)
    await dialect.upsert(db, 'asset_relationships', rows, {
      conflict: ['tenant_id', 'project_id', 'asset_id', 'position'],
      update: ['target_type', 'target_id', 'relationship_type'],
    });
}

export const listRelationships = (db: AssetDb, scope: Scope, assetIds: readonly string[]) =>
  assetIds.length === 0
    ? Promise.resolve([])
    : inProject(db, scope)
        .selectFrom('asset_relationships')
        .selectAll()
        .where('asset_id', 'in', assetIds)
        .orderBy('asset_id')
        .orderBy('position')
        .execute();

/** Relationships to a target; assets whose files are gone have none. */
export const listRelationshipsTo = (
  db: AssetDb,
  scope: Scope,
  target: Pick<AssetRelationshipRow, 'target_type' | 'target_id'>,
  limit: number,
): Promise<AssetRelationshipRow[]> =>
  inProject(db, scope)
    .selectFrom('asset_relationships')
    .selectAll()
    .where('target_type', '=', target.target_type)
    .where('target_id', '=', target.target_id)
    .where(
      'asset_id',
      'in',
      inProject(db, scope).selectFrom('assets').select('asset_id').where('gone_at', 'is', null),
    )
    .orderBy('asset_id')
    .limit(limit)
    .execute();

export interface FileProblem {
  line: number;
  reason: string;
}

/** Stores the problems of a sidecar; an empty list removes them. */
export async function putProblems(
  db: AssetDb,
  dialect: Dialect,
  scope: Scope,
  path: string,
  problems: readonly FileProblem[],
): Promise<void> {
  if (problems.length > 0) {
    const row = { ...scopeColumns(scope), path, problems: JSON.stringify(problems) };
    return dialect.upsert(db, 'asset_problems', [row], { conflict: KEY, update: ['problems'] });
  }
  await inProject(db, scope).deleteFrom('asset_problems').where('path', '=', path).execute();
}

export const listProblems = (db: AssetDb, scope: Scope, limit: number) =>
  inProject(db, scope)
    .selectFrom('asset_problems')
    .select(['path', 'problems'])
    .orderBy('path')
    .limit(limit)
    .execute();

export async function listSidecarPaths(db: AssetDb, scope: Scope): Promise<string[]> {
  const rows = await inProject(db, scope)
    .selectFrom('files')
    .select('path')
    .where('entry_type', '=', 'other')
    .where('deleted_at', 'is', null)
    .where('path', 'like', `%${SIDECAR_NAME}`)
    .orderBy('path')
    .execute();
  return rows.map((row) => row.path);
}
