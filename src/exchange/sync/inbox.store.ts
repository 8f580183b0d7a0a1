import { partsOf } from '../../kit/parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { type Project, type Scope, scopeColumns } from '../../world/records/index.ts';
import type { SyncKey } from './keys.ts';
import type { RemoteItem } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';

/** A change of the replica that could not be written yet, and why. */
export interface Waiting {
  item: RemoteItem;
  reason: string;
}

const KEY = ['tenant_id', 'project_id', 'key'] as const;
const CHUNK = 500;

export const putInbox = (
  db: SyncDb,
  { database, ...scope }: Project,
  waiting: readonly Waiting[],
): Promise<void> =>
  database.dialect.upsert(
    db,
    'cloud_sync_inbox',
    waiting.map(({ item, reason }) => ({
      ...scopeColumns(scope),
      key: item.key,
      item: JSON.stringify(item),
      reason,
    })),
    { conflict: KEY, update: ['item', 'reason'] },
  );

const rowsOf = (db: SyncDb, scope: Scope) =>
  inProject(db, scope).selectFrom('cloud_sync_inbox').select(['key', 'item']);

const itemIn = ({ item }: { item: string }): RemoteItem => JSON.parse(item) as RemoteItem;

export const inboxAfter = async (
  db: SyncDb,
  scope: Scope,
  key: SyncKey,
  limit: number,
): Promise<RemoteItem[]> =>
  (await rowsOf(db, scope).where('key', '>', key).orderBy('key').limit(limit).execute()).map(itemIn);

export async function findInbox(
  db: SyncDb,
  scope: Scope,
  keys: readonly SyncKey[],
): Promise<Map<SyncKey, RemoteItem>> {
  const found = new Map<SyncKey, RemoteItem>();
  for (const part of partsOf(keys, CHUNK)) {
    for (const row of await rowsOf(db, scope).where('key', 'in', part).execute())
      found.set(row.key, itemIn(row));
  }
  return found;
}

export async function countInbox(db: SyncDb, scope: Scope): Promise<number> {
  const { total } = await inProject(db, scope)
    .selectFrom('cloud_sync_inbox')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

export async function dropInbox(db: SyncDb, scope: Scope, keys: readonly SyncKey[]): Promise<void> {
  for (const part of partsOf(keys, CHUNK)) {
    await inProject(db, scope).deleteFrom('cloud_sync_inbox').where('key', 'in', part).execute();
  }
}
