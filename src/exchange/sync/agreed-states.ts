import { findInbox } from './inbox.store.ts';
import { findItems } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncScope } from './synced-project.ts';

/** The agreed states of those keys for which nothing waits. */
export async function agreedStates(
  db: SyncDb,
  scope: SyncScope,
  keys: readonly SyncKey[],
): Promise<Map<SyncKey, { sha256: string; path: string }>> {
  const waiting = await findInbox(db, scope, keys);
  const agreed = new Map<SyncKey, { sha256: string; path: string }>();
  for (const [key, { sha256, path, sent }] of await findItems(db, scope, keys))
    if (sha256 !== null && path !== null && sent === null && !waiting.has(key))
      agreed.set(key, { sha256, path });
  return agreed;
}
