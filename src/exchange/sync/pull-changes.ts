import { oneAhead } from '../../kit/one-ahead.ts';
import { createPauses } from '../../kit/pauses.ts';
import { retryRefused } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import type { RunningParts } from './parts.ts';
import { type ChangePage, type Replica, ReplicaError } from './replica.ts';
import { keepNewer } from './restored-replica.ts';
import { patchState } from './state.store.ts';
import type { SyncDb } from './sync.tables.ts';
import { addChanged, nothingChanged, replacedBy, takeGone, takeUnlisted } from './take-gone.ts';
import { takeItems } from './take-items.ts';

const standsStill = () =>
  new ReplicaError('not_understood', 'There are said to be more changes, and the same ones come again');

async function* pagesFrom(replica: Replica, from: string | null): AsyncGenerator<ChangePage> {
  const cursors = new Set([from]);
  for (let cursor = from; ; ) {
    const page = await replica.changes(cursor);
    if (page.hasMore && cursors.has(page.cursor)) throw standsStill();
    cursors.add(page.cursor);
    yield page;
    if (!page.hasMore) return;
    cursor = page.cursor;
  }
}

/** Applies the replica's changes page by page; resolves to the cursor to continue from. */
export async function pullChanges(parts: RunningParts, from: string | null): Promise<string> {
  const { project, replica, tally } = parts;
  const pause = createPauses();
  /** Keys seen in a full listing; null for a delta. */
  let listed: Set<SyncKey> | null = null;
  const changed = nothingChanged();
  let isRestored = false;
  let cursor = from ?? '';
  for await (const page of oneAhead(pagesFrom(replica, from))) {
    const { items } = page;
    isRestored ||= page.isRestored;
    if (page.isListing) {
      listed ??= new Set();
      for (const { key, kind } of items) if (kind !== 'gone') listed.add(key);
      for (const { key } of page.left) listed.add(key);
    } else addChanged(changed, page);
    if (items.length > 0) {
      if (isRestored) await keepNewer(project, items);
      // The cursor may only advance if nothing can have vanished silently, which is known for certain only after the last
      // page.
      const isDone = listed === null && page.hasMore && (await replacedBy(project, changed)).length === 0;
      await takeItems(parts, items, isDone ? { cursor: page.cursor } : {});
      const keys = items.map(({ key }) => key);
      await project.database.write((db: SyncDb) => retryRefused(db, project, keys));
    }
    for (const { key, reason } of page.left) tally.leave(key, reason);
    cursor = page.cursor;
    await pause();
  }
  if (listed) await takeUnlisted(parts, listed, isRestored);
  else await takeGone(parts, await replacedBy(project, changed));
  if (cursor !== from) await project.database.write((db: SyncDb) => patchState(db, project, { cursor }));
  return cursor;
}
