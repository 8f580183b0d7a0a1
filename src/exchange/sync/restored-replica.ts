import { hasRevisionWith, type RecordsDb } from '../../world/records/index.ts';
import { formerText } from '../replication/index.ts';
import { checksumText } from './checksums.ts';
import { localState, remoteState, stateOf } from './item-state.ts';
import { findItems, newItem, putItems, type SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { type LocalItem, readLocal } from './local-tree.ts';
import { type RemoteItem, versionOf } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';

/**
 * After the replica was restored from a backup: where it has a state that ours was made from, ours is sent again. Of any
 * other state nobody knows which is newer, so ours is not replaced unseen.
 */
export async function keepNewer(project: SyncedProject, items: readonly RemoteItem[]): Promise<void> {
  const keys = items.map(({ key }) => key);
  const { known, local } = await project.database.read(async (db: SyncDb) => ({
    known: await findItems(db, project, keys),
    local: await readLocal(db, project.whole, keys),
  }));
  const kept: SyncedItem[] = [];
  for (const item of items) {
    const there = local.get(item.key);
    const synced = known.get(item.key);
    const remote = remoteState(item);
    if (item.kind === 'gone' || there === undefined || synced === undefined) continue;
    const state = stateOf(synced);
    const ours = localState(item.key, there);
    if (remote === ours) continue;
    const { sha256, path } = item;
    const base = { sha256, path, version: versionOf(item) };
    const isKnown = remote === state.synced;
    if (!isKnown && (await wasHere(project, there, sha256)))
      kept.push({ ...newItem(item.key), ...base, dirty: 1 });
    else if (!isKnown && ours === state.synced) kept.push({ ...newItem(item.key), dirty: 1 });
    // The text that was sent may be lost with the rest, so it is sent again.
    else if (synced.sent !== null) kept.push({ ...synced, sent: null, dirty: 1 });
  }
  await project.database.write((db: SyncDb) => putItems(db, project, kept));
}

/** True if the local version derives from these bytes. */
async function wasHere(
  project: SyncedProject,
  { row, path, sha256: own }: LocalItem,
  sha256: string,
): Promise<boolean> {
  // Only the place differs, and that is ours to decide.
  if (own === sha256) return true;
  if (row === null) return (await formerText(project.whole, path, sha256)) !== undefined;
  return project.database.read((db: RecordsDb) =>
    hasRevisionWith(db, project.tenantId, row.row_id, checksumText(sha256)),
  );
}

/** Gone from a restored cloud, so it is sent again. */
export const keepUnlisted = (project: SyncedProject, keys: readonly SyncKey[]): Promise<void> =>
  project.database.write((db: SyncDb) =>
    putItems(
      db,
      project,
      keys.map((key) => ({ ...newItem(key), dirty: 1 })),
    ),
  );
