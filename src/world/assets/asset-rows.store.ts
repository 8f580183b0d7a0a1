import { SIDECAR_NAME } from '../../content/assets/index.ts';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type FileRow, lastSequence, type Scope, scopeColumns } from '../records/index.ts';
import type { AssetDb, AssetRelationshipRow, AssetRow, AssetVersionRow } from './assets.tables.ts';

/** Databases bound the number of parameters of one query. */
const PART = 1_000;

async function inParts<Row>(
  values: readonly string[],
  query: (part: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let at = 0; at < values.length; at += PART) found.push(...(await query(values.slice(at, at + PART))));
  return found;
}

const KEY = ['tenant_id', 'project_id', 'path'] as const;

const cursorOf = prepared((db: AssetDb, values: ReturnType<typeof scopeColumns>) =>
  db
    .selectFrom('asset_cursors')
    .select('seq')
    .where('tenant_id', '=', values.tenant_id)
    .where('project_id', '=', values.project_id),
);

/** Up to which change the assets are brought, and the project's last one. */
export async function readProgress(db: AssetDb, scope: Scope): Promise<{ cursor: number; last: number }> {
  const [row] = await cursorOf(db, scopeColumns(scope));
  return { cursor: row?.seq ?? 0, last: await lastSequence(db, scope) };
}

export const putCursor = (db: AssetDb, dialect: Dialect, scope: Scope, seq: number): Promise<void> =>
  dialect.upsert(db, 'asset_cursors', [{ ...scopeColumns(scope), seq }], {
    conflict: ['tenant_id', 'project_id'],
    update: ['seq'],
  });

/** Changed assets and sidecars after a change, in their order; tombstones are among them, and files called almost as sidecars are. */
export const assetFileChanges = (
  db: AssetDb,
  scope: Scope,
  after: number,
  upTo: number,
  limit: number,
): Promise<FileRow[]> =>
  db
    .selectFrom('files')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('seq', '>', after)
    .where('seq', '<=', upTo)
    .where((eb) =>
      eb.or([
        eb('entry_type', '=', 'asset'),
        eb('path', '=', SIDECAR_NAME),
        eb('path', 'like', `%/${SIDECAR_NAME}`).and('entry_type', '=', 'other'),
      ]),
    )
    .orderBy('seq')
    .limit(limit)
    .execute();

const selectAssets = (db: AssetDb, scope: Scope) =>
  db
    .selectFrom('assets')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId);

type Column = 'path' | 'asset_id' | 'sha256' | 'home';

/** Rows by any of the values of a column, in the order of their paths, those of vanished files included. */
export async function findAssetsBy(
  db: AssetDb,
  scope: Scope,
  column: Column,
  values: readonly string[],
): Promise<AssetRow[]> {
  const rows = await inParts(values, (part) => selectAssets(db, scope).where(column, 'in', part).execute());
  // Sorted here: asked for an order, SQLite walks all assets by path instead of looking up a few.
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

/** Forgets rows by path. */
export async function deleteAssets(db: AssetDb, scope: Scope, paths: readonly string[]): Promise<void> {
  await inParts(paths, (part) =>
    db
      .deleteFrom('assets')
      .where('tenant_id', '=', scope.tenantId)
      .where('project_id', '=', scope.projectId)
      .where('path', 'in', part)
      .execute(),
  );
}

/** Forgets those whose files are not there since before a time, with all that was known of them. */
export async function deleteLongGone(db: AssetDb, scope: Scope, before: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('assets')
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('gone_at', '<', before)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await forgetOrphans(db, scope);
}

/** Forgets versions and relationships of assets that are neither here nor in the recycle bin. */
export async function forgetOrphans(db: AssetDb, scope: Scope): Promise<void> {
  for (const table of ['asset_versions', 'asset_relationships'] as const)
    await db
      .deleteFrom(table)
      .where('tenant_id', '=', scope.tenantId)
      .where('project_id', '=', scope.projectId)
      .where('asset_id', 'not in', idsOf(db, scope, 'assets'))
      .where('asset_id', 'not in', idsOf(db, scope, 'asset_recycle_items'))
      .execute();
}

const idsOf = (db: AssetDb, { tenantId, projectId }: Scope, table: 'assets' | 'asset_recycle_items') =>
  db
    .selectFrom(table)
    .select('asset_id')
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId);

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

/** Notes who brought the present bytes. */
export async function putVersionAuthor(
  db: AssetDb,
  scope: Scope,
  { path, sha256 }: Pick<AssetRow, 'path' | 'sha256'>,
  author: string | null,
): Promise<void> {
  await db
    .updateTable('assets')
    .set({ version_by: author })
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('path', '=', path)
    .where('sha256', '=', sha256)
    .execute();
}

/** An asset that is called otherwise takes its history along. */
export async function renameAsset(db: AssetDb, scope: Scope, from: string, to: string): Promise<void> {
  await db
    .updateTable('asset_versions')
    .set({ asset_id: to })
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('asset_id', '=', from)
    .execute();
}

export const listVersions = (
  db: AssetDb,
  scope: Scope,
  assetIds: readonly string[],
): Promise<AssetVersionRow[]> =>
  assetIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('asset_versions')
        .selectAll()
        .where('tenant_id', '=', scope.tenantId)
        .where('project_id', '=', scope.projectId)
        .where('asset_id', 'in', assetIds)
        .orderBy('version', 'desc')
        .execute();

/** Replaces all relationships of the named assets. */
export async function putRelationships(
  db: AssetDb,
  dialect: Dialect,
  scope: Scope,
  assetIds: readonly string[],
  rows: readonly AssetRelationshipRow[],
): Promise<void> {
  await inParts(assetIds, (part) =>
    db
      .deleteFrom('asset_relationships')
      .where('tenant_id', '=', scope.tenantId)
      .where('project_id', '=', scope.projectId)
      .where('asset_id', 'in', part)
      .execute(),
  );
  if (rows.length > 0)
    await dialect.upsert(db, 'asset_relationships', rows, {
      conflict: ['tenant_id', 'project_id', 'asset_id', 'position'],
      update: ['target_type', 'target_id', 'relationship_type'],
    });
}

export const listRelationships = (
  db: AssetDb,
  scope: Scope,
  assetIds: readonly string[],
): Promise<AssetRelationshipRow[]> =>
  assetIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('asset_relationships')
        .selectAll()
        .where('tenant_id', '=', scope.tenantId)
        .where('project_id', '=', scope.projectId)
        .where('asset_id', 'in', assetIds)
        .orderBy('asset_id')
        .orderBy('position')
        .execute();

/** Who has a relationship to a target; assets whose files are gone have none. */
export const listRelationshipsTo = (
  db: AssetDb,
  scope: Scope,
  target: Pick<AssetRelationshipRow, 'target_type' | 'target_id'>,
  limit: number,
): Promise<AssetRelationshipRow[]> =>
  db
    .selectFrom('asset_relationships')
    .selectAll()
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('target_type', '=', target.target_type)
    .where('target_id', '=', target.target_id)
    .where('asset_id', 'in', (eb) =>
      eb
        .selectFrom('assets')
        .select('asset_id')
        .where('tenant_id', '=', scope.tenantId)
        .where('project_id', '=', scope.projectId)
        .where('gone_at', 'is', null),
    )
    .orderBy('asset_id')
    .limit(limit)
    .execute();

export interface FileProblem {
  line: number;
  reason: string;
}

/** Notes what is wrong with a sidecar; an empty list forgets it. */
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
  await db
    .deleteFrom('asset_problems')
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('path', '=', path)
    .execute();
}

export const listProblems = (
  db: AssetDb,
  scope: Scope,
  limit: number,
): Promise<{ path: string; problems: string }[]> =>
  db
    .selectFrom('asset_problems')
    .select(['path', 'problems'])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .orderBy('path')
    .limit(limit)
    .execute();

/** Paths of all sidecars; files called almost so are among them. */
export async function listSidecarPaths(db: AssetDb, scope: Scope): Promise<string[]> {
  const rows = await db
    .selectFrom('files')
    .select('path')
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('entry_type', '=', 'other')
    .where('deleted_at', 'is', null)
    .where('path', 'like', `%${SIDECAR_NAME}`)
    .orderBy('path')
    .execute();
  return rows.map((row) => row.path);
}
