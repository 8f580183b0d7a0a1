import { sql } from 'kysely';
import { inParts } from '../../platform/database/in-parts.ts';
import { inReplica } from '../../platform/database/scoped.ts';
import { fileKey, type SyncKey } from './keys.ts';
import type { SyncDb, SyncedItemRow } from './sync.tables.ts';
import { replicaColumns, type SyncedProject, type SyncScope } from './synced-project.ts';

export type SyncedItem = Omit<SyncedItemRow, 'tenant_id' | 'project_id' | 'replica'>;

export const newItem = (key: SyncKey): SyncedItem => ({
  key,
  sha256: null,
  version: 0,
  sent: null,
  path: null,
  dirty: 0,
  problem: null,
});

const KEY = ['tenant_id', 'project_id', 'replica', 'key'] as const;
const COLUMNS = ['sha256', 'version', 'sent', 'path', 'dirty', 'problem'] as const;

/** The range of entity keys. */
const [ENTITIES, AFTER_ENTITIES] = ['e:', 'e;'];

const itemsOf = (db: SyncDb, scope: SyncScope) =>
  inReplica(db, scope)
    .selectFrom('sync_items')
    .select(['key', ...COLUMNS]);

export async function findItems(
  db: SyncDb,
  scope: SyncScope,
  keys: readonly SyncKey[],
): Promise<Map<SyncKey, SyncedItem>> {
  const rows = await inParts(keys, (part) => itemsOf(db, scope).where('key', 'in', part).execute());
  return new Map(rows.map((row) => [row.key, row]));
}

/** Entities whose last agreed path is one of these. */
export async function entitiesSyncedAt(
  db: SyncDb,
  scope: SyncScope,
  paths: readonly string[],
): Promise<SyncKey[]> {
  const items = await inParts(paths, (part) =>
    itemsOf(db, scope)
      .where('path', 'in', part)
      .where('key', '>=', ENTITIES)
      .where('key', '<', AFTER_ENTITIES)
      .execute(),
  );
  return items.map(({ key }) => key);
}

/** Non-entity files last agreed to lie in this folder. */
export const filesSyncedIn = (db: SyncDb, scope: SyncScope, folder: string): Promise<SyncedItem[]> =>
  itemsOf(db, scope)
    .where('key', '>=', fileKey(`${folder}/`))
    .where('key', '<', fileKey(`${folder}0`))
    .where('sha256', 'is not', null)
    .execute();

export const itemsAfter = (
  db: SyncDb,
  scope: SyncScope,
  key: SyncKey,
  limit: number,
): Promise<SyncedItem[]> => itemsOf(db, scope).where('key', '>', key).orderBy('key').limit(limit).execute();

/** Items waiting to be sent; refused ones only if `refused`. */
export const dirtyAfter = (
  db: SyncDb,
  scope: SyncScope,
  { after, limit, refused }: { after: SyncKey; limit: number; refused: boolean },
): Promise<SyncedItem[]> => {
  const dirty = itemsOf(db, scope).where(sql<boolean>`dirty > 0`).where('key', '>', after);
  return (refused ? dirty : dirty.where('dirty', '=', 1)).orderBy('key').limit(limit).execute();
};

/** The replica's side changed, so what it refused may be accepted now. */
export async function retryRefused(db: SyncDb, scope: SyncScope, keys: readonly SyncKey[]): Promise<void> {
  await inParts(keys, (part) =>
    inReplica(db, scope)
      .updateTable('sync_items')
      .set({ dirty: 1 })
      .where('dirty', '=', 2)
      .where('key', 'in', part)
      .execute(),
  );
}

const countOf = (db: SyncDb, scope: SyncScope) =>
  inReplica(db, scope)
    .selectFrom('sync_items')
    .select((eb) => eb.fn.countAll<number>().as('total'));

export const countDirty = async (db: SyncDb, scope: SyncScope): Promise<number> =>
  Number((await countOf(db, scope).where(sql<boolean>`dirty > 0`).executeTakeFirstOrThrow()).total);

/** The number of changes that the replica refuses, and the first of them. */
export async function findRefused(
  db: SyncDb,
  scope: SyncScope,
): Promise<{ total: number; key: SyncKey; problem: string } | null> {
  const refused = sql<boolean>`dirty = 2`;
  const first = await itemsOf(db, scope).where(refused).orderBy('key').limit(1).executeTakeFirst();
  if (first === undefined) return null;
  const { total } = await countOf(db, scope).where(refused).executeTakeFirstOrThrow();
  return { total: Number(total), key: first.key, problem: first.problem ?? '' };
}

export async function countSynced(
  db: SyncDb,
  scope: SyncScope,
): Promise<{ entities: number; files: number }> {
  const synced = countOf(db, scope).where('sha256', 'is not', null);
  const all = Number((await synced.executeTakeFirstOrThrow()).total);
  const entities = synced.where('key', '>=', ENTITIES).where('key', '<', AFTER_ENTITIES);
  const some = Number((await entities.executeTakeFirstOrThrow()).total);
  return { entities: some, files: all - some };
}

export const putItems = (
  db: SyncDb,
  { database, ...scope }: SyncedProject,
  items: readonly SyncedItem[],
): Promise<void> =>
  database.dialect.upsert(
    db,
    'sync_items',
    items.map((item) => ({ ...replicaColumns(scope), ...item })),
    { conflict: KEY, update: COLUMNS },
  );

/** Such a row would say nothing that its absence does not. */
const isNothing = ({ sha256, sent, dirty }: SyncedItem): boolean =>
  sha256 === null && sent === null && dirty === 0;

export async function rememberItems(
  db: SyncDb,
  project: SyncedProject,
  items: readonly SyncedItem[],
): Promise<void> {
  await putItems(
    db,
    project,
    items.filter((item) => !isNothing(item)),
  );
  await dropItems(
    db,
    project,
    items.filter(isNothing).map(({ key }) => key),
  );
}

export async function dropItems(db: SyncDb, scope: SyncScope, keys: readonly SyncKey[]): Promise<void> {
  await inParts(keys, (part) =>
    inReplica(db, scope).deleteFrom('sync_items').where('key', 'in', part).execute(),
  );
}

/** True while the replica superseded what we sent but its version has not arrived yet. */
export async function isAwaiting(db: SyncDb, scope: SyncScope): Promise<boolean> {
  const row = await db
    .selectFrom('sync_items as item')
    .select('item.key')
    .where('item.tenant_id', '=', scope.tenantId)
    .where('item.project_id', '=', scope.projectId)
    .where('item.replica', '=', scope.replica)
    .where('item.sent', 'is not', null)
    .where(sql<boolean>`item.dirty = 0`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sync_inbox as arrived')
            .select('arrived.key')
            .whereRef('arrived.tenant_id', '=', 'item.tenant_id')
            .whereRef('arrived.project_id', '=', 'item.project_id')
            .whereRef('arrived.replica', '=', 'item.replica')
            .whereRef('arrived.key', '=', 'item.key'),
        ),
      ),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
