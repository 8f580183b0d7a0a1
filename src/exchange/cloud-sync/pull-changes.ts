import { newId } from '../../kit/ids.ts';
import { oneAhead } from '../../kit/one-ahead.ts';
import { createPauses } from '../../kit/pauses.ts';
import type { PullReply } from '../replication/pull.contract.ts';
import { type Cloud, CloudError } from './cloud-port.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { keepConflicts } from './conflicts.store.ts';
import { retryRefused } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import { itemsOf } from './pulled-item.ts';
import { keepNewer } from './restored-cloud.ts';
import { patchState } from './state.store.ts';
import { addTold, nothingTold, replacedBy, takeGone, takeUnlisted } from './take-gone.ts';
import { type TakeParts, takeItems } from './take-items.ts';

/** The same for a project that was never synced. One that the cloud does not have is made there, with nothing in it. */
export async function pullFirst(parts: TakeParts): Promise<string> {
  return pullChanges(parts, null).catch(async (error: unknown) => {
    if (!(error instanceof CloudError) || error.reason !== 'no_such_project') throw error;
    await parts.cloud.push({ entities: [], files: [], cursor: null, force: false }, newId());
    parts.tally.counts.requests += 2;
    return pullChanges(parts, null);
  });
}

const standsStill = () =>
  new CloudError('not_understood', 'The cloud says that it has more changes, and sends the same ones again');

/** What changed since a cursor; the last page has no more. */
async function* pagesFrom(cloud: Cloud, from: string | null): AsyncGenerator<PullReply> {
  const cursors = new Set([from]);
  for (let cursor = from; ; ) {
    const page = await cloud.pull(cursor);
    if (page.has_more && cursors.has(page.cursor)) throw standsStill();
    cursors.add(page.cursor);
    yield page;
    if (!page.has_more) return;
    cursor = page.cursor;
  }
}

/** Takes over what changed in the cloud since a cursor, page by page. Resolves to where to go on. */
export async function pullChanges(parts: TakeParts, from: string | null): Promise<string> {
  const { project, cloud } = parts;
  const pause = createPauses();
  /** The keys of a list of everything; null where only changes are listed. */
  let listed: Set<SyncKey> | null = null;
  const told = nothingTold();
  let isRestored = false;
  let cursor = from ?? '';
  for await (const page of oneAhead(pagesFrom(cloud, from))) {
    parts.tally.counts.requests += 1;
    const items = itemsOf(page);
    isRestored ||= page.restored === true;
    if (page.listing) {
      listed ??= new Set();
      for (const { key, kind } of items) if (kind !== 'gone') listed.add(key);
    } else addTold(told, page, items);
    if (page.conflicts.length > 0) {
      await project.database.write((db: CloudSyncDb) =>
        keepConflicts(db, project.database.dialect, project, page.conflicts),
      );
    }
    if (items.length > 0) {
      if (isRestored) await keepNewer(project, items);
      // What went without a trace is known once all was told, and so is what a list of everything leaves out: until then a page may be asked for again.
      const isDone = listed === null && page.has_more && (await replacedBy(project, told)).length === 0;
      await takeItems(parts, items, isDone ? { cursor: page.cursor } : {});
      const keys = items.map(({ key }) => key);
      await project.database.write((db: CloudSyncDb) => retryRefused(db, project, keys));
    }
    cursor = page.cursor;
    await pause();
  }
  if (listed) await takeUnlisted(parts, listed, isRestored);
  else await takeGone(parts, await replacedBy(project, told));
  if (cursor !== from) await project.database.write((db: CloudSyncDb) => patchState(db, project, { cursor }));
  return cursor;
}
