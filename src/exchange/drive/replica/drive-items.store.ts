import { sql } from 'kysely';
import { inParts } from '../../../platform/database/in-parts.ts';
import { inProject } from '../../../platform/database/scoped.ts';
import { type Project, type Scope, scopeColumns } from '../../../world/records/index.ts';
import { isEntityKey, type SyncKey } from '../../sync/index.ts';
import type { DriveItemRow, DriveItemsDb } from './drive-items.tables.ts';

export type DriveItem = Omit<DriveItemRow, 'tenant_id' | 'project_id'>;

/** True for an entity's own file. */
export const isEntitys = ({ key }: DriveItem): boolean => key !== null && isEntityKey(key);

const KEY = ['tenant_id', 'project_id', 'file_id'] as const;
const COLUMNS = [
  'parent_id',
  'name',
  'kind',
  'created_at',
  'sha256',
  'size',
  'head_revision',
  'version',
  'trashed',
  'unseen',
  'own',
  'path',
  'key',
  'writing',
  'session',
  'unwanted',
  'pending',
  'problem',
] as const;

const itemsOf = (db: DriveItemsDb, scope: Scope) =>
  inProject(db, scope)
    .selectFrom('drive_items')
    .select(['file_id', ...COLUMNS]);

type Found = Promise<DriveItem[]>;

export const findDriveItems = (db: DriveItemsDb, scope: Scope, fileIds: readonly string[]): Found =>
  inParts(fileIds, (part) => itemsOf(db, scope).where('file_id', 'in', part).execute());

export const childrenOf = (db: DriveItemsDb, scope: Scope, parentIds: readonly string[]): Found =>
  inParts(parentIds, (part) => itemsOf(db, scope).where('parent_id', 'in', part).execute());

export const itemsAt = (db: DriveItemsDb, scope: Scope, paths: readonly string[]): Found =>
  inParts(paths, (part) => itemsOf(db, scope).where('path', 'in', part).execute());

/** The rows that stand for these keys. */
export const itemsOfKeys = (db: DriveItemsDb, scope: Scope, keys: readonly SyncKey[]): Found =>
  inParts(keys, (part) =>
    itemsOf(db, scope).where('key', 'in', part).where('path', 'is not', null).execute(),
  );

/** Everything that was visible when it was last looked for, in the order of ids. */
export const seenAfter = (db: DriveItemsDb, scope: Scope, fileId: string, limit: number): Found =>
  itemsOf(db, scope)
    .where('file_id', '>', fileId)
    .where('path', 'is not', null)
    .where('unseen', '=', 0)
    .where('version', '>', 0)
    .orderBy('file_id')
    .limit(limit)
    .execute();

export const unseenItems = (db: DriveItemsDb, scope: Scope): Found =>
  itemsOf(db, scope).where('unseen', '=', 1).execute();

/** Markdown that is nothing here yet, such as a second file of an entity. */
export const unclaimedMarkdown = (db: DriveItemsDb, scope: Scope): Found =>
  itemsOf(db, scope)
    .where('problem', 'is not', null)
    .where('key', 'is', null)
    .where('path', 'is not', null)
    .where('kind', '=', 'file')
    .where('name', 'like', '%.md')
    .execute();

const MOST_SHOWN = 500;

export const itemsWithProblem = (db: DriveItemsDb, scope: Scope): Found =>
  itemsOf(db, scope)
    .where('problem', 'is not', null)
    .where('path', 'is not', null)
    .orderBy('path')
    .limit(MOST_SHOWN)
    .execute();

export const putDriveItems = (
  db: DriveItemsDb,
  { database, ...scope }: Project,
  items: readonly DriveItem[],
): Promise<void> =>
  database.dialect.upsert(
    db,
    'drive_items',
    items.map((item) => ({ ...scopeColumns(scope), ...item })),
    { conflict: KEY, update: COLUMNS },
  );

export async function changeDriveItems(
  db: DriveItemsDb,
  scope: Scope,
  fileIds: readonly string[],
  change: Partial<DriveItem>,
): Promise<void> {
  await inParts(fileIds, (part) =>
    inProject(db, scope).updateTable('drive_items').set(change).where('file_id', 'in', part).execute(),
  );
}

export async function dropDriveItems(
  db: DriveItemsDb,
  scope: Scope,
  fileIds: readonly string[],
): Promise<void> {
  await inParts(fileIds, (part) =>
    inProject(db, scope).deleteFrom('drive_items').where('file_id', 'in', part).execute(),
  );
}

export async function forgetDriveItems(db: DriveItemsDb, scope: Scope): Promise<void> {
  await inProject(db, scope).deleteFrom('drive_items').execute();
}

const DEFINITIONS = ['_', '`'] as const;

/** Pending items after `fileId`; with `definitions` those alone, by which all others are read. */
export const pendingAfter = (
  db: DriveItemsDb,
  scope: Scope,
  { fileId, limit, definitions }: { fileId: string; limit: number; definitions: boolean },
): Found => {
  const items = itemsOf(db, scope)
    .where('pending', 'is not', null)
    .where('file_id', '>', fileId)
    .orderBy('file_id')
    .limit(limit);
  return (
    definitions ? items.where('path', '>=', DEFINITIONS[0]).where('path', '<', DEFINITIONS[1]) : items
  ).execute();
};

/** The markdown directly in these folders. */
export async function markMarkdownPending(
  db: DriveItemsDb,
  scope: Scope,
  folderIds: readonly string[],
  token: string,
): Promise<void> {
  await inParts([...new Set(folderIds)], (part) =>
    inProject(db, scope)
      .updateTable('drive_items')
      .set({ pending: token })
      .where('parent_id', 'in', part)
      .where('name', 'like', '%.md')
      .execute(),
  );
}

export const hasSettledPending = async (db: DriveItemsDb, scope: Scope, token: string): Promise<boolean> =>
  (await itemsOf(db, scope)
    .where('pending', 'is not', null)
    .where('pending', '!=', token)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Rows of earlier pages than the one of this token have been taken over. Those marked `own` are handed out with it. */
export async function settlePending(
  db: DriveItemsDb,
  scope: Scope,
  { token, own }: { token: string; own: string },
): Promise<void> {
  const pending = () => inProject(db, scope).updateTable('drive_items').where('pending', 'is not', null);
  await pending().set({ pending: null }).where('pending', 'not in', [token, own]).execute();
  await pending().set({ pending: token }).where('pending', '=', own).execute();
}

/** Synced or waiting keys that nothing in the drive stands for any more. */
export async function goneKeys(db: DriveItemsDb, scope: Scope): Promise<SyncKey[]> {
  const { tenantId, projectId } = scope;
  const { rows } = await sql<{ key: SyncKey }>`
    select known.key from (
      select tenant_id, project_id, key from sync_items
      where tenant_id = ${tenantId} and project_id = ${projectId} and replica = 'drive'
        and (sha256 is not null or sent is not null)
      union
      select tenant_id, project_id, key from sync_inbox
      where tenant_id = ${tenantId} and project_id = ${projectId} and replica = 'drive'
    ) as known
    where not exists (
      select 1 from drive_items as item
      where item.tenant_id = known.tenant_id and item.project_id = known.project_id
        and item.key = known.key and item.path is not null
    )`.execute(db);
  return rows.map(({ key }) => key);
}
