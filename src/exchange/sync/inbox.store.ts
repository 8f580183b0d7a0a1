import { inParts } from '../../platform/database/in-parts.ts';
import { inReplica } from '../../platform/database/scoped.ts';
import type { SyncKey } from './keys.ts';
import type { RemoteItem } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';
import { replicaColumns, type SyncedProject, type SyncScope } from './synced-project.ts';

/** A change of the replica that could not be written yet, and why. */
export interface InboxItem {
  item: RemoteItem;
  reason: string;
}

const KEY = ['tenant_id', 'project_id', 'replica', 'key'] as const;

export const putInbox = (
  db: SyncDb,
  { database, ...scope }: SyncedProject,
  waiting: readonly InboxItem[],
): Promise<void> =>
  database.dialect.upsert(
    db,
    'sync_inbox',
    waiting.map(({ item, reason }) => ({
      ...replicaColumns(scope),
      key: item.key,
      item: JSON.stringify(item),
      reason,
    })),
    { conflict: KEY, update: ['item', 'reason'] },
  );

const rowsOf = (db: SyncDb, scope: SyncScope) =>
  inReplica(db, scope).selectFrom('sync_inbox').select(['key', 'item']);

const itemIn = ({ item }: { item: string }): RemoteItem => JSON.parse(item) as RemoteItem;

export const inboxAfter = async (
  db: SyncDb,
  scope: SyncScope,
  key: SyncKey,
  limit: number,
): Promise<RemoteItem[]> =>
  (await rowsOf(db, scope).where('key', '>', key).orderBy('key').limit(limit).execute()).map(itemIn);

export async function findInbox(
  db: SyncDb,
  scope: SyncScope,
  keys: readonly SyncKey[],
): Promise<Map<SyncKey, RemoteItem>> {
  const rows = await inParts(keys, (part) => rowsOf(db, scope).where('key', 'in', part).execute());
  return new Map(rows.map((row) => [row.key, itemIn(row)]));
}

export async function countInbox(db: SyncDb, scope: SyncScope): Promise<number> {
  const { total } = await inReplica(db, scope)
    .selectFrom('sync_inbox')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function dropInbox(db: SyncDb, scope: SyncScope, keys: readonly SyncKey[]): Promise<void> {
  await inParts(keys, (part) =>
    inReplica(db, scope).deleteFrom('sync_inbox').where('key', 'in', part).execute(),
  );
}
