import { newId } from '../../kit/ids.ts';
import { createPauses } from '../../kit/pauses.ts';
import { CloudError } from './cloud-port.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { keepConflicts } from './conflicts.store.ts';
import { findInbox } from './inbox.store.ts';
import { entitiesSyncedAt, findItems, itemsAfter, retryRefused } from './items.store.ts';
import { fileKey, type SyncKey } from './keys.ts';
import { itemsOf, type PulledItem } from './pulled-item.ts';
import { patchState } from './state.store.ts';
import { type TakeParts, takeItems } from './take-items.ts';

const PAGE = 500;

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

/** Takes over what changed in the cloud since a cursor, page by page. Resolves to where to go on. */
export async function pullChanges(parts: TakeParts, from: string | null): Promise<string> {
  const { project, cloud } = parts;
  const pause = createPauses();
  /** The keys of a list of everything; null where only changes are listed. */
  let listed: Set<SyncKey> | null = null;
  /** Every key that was told of, and where entities lie. */
  const told = new Set<SyncKey>();
  const places: string[] = [];
  let cursor = from;
  const cursors = new Set<string>();
  for (;;) {
    const page = await cloud.pull(cursor);
    if (page.has_more && (page.cursor === from || cursors.has(page.cursor))) throw standsStill();
    cursors.add(page.cursor);
    parts.tally.counts.requests += 1;
    const items = itemsOf(page);
    for (const item of items) {
      told.add(item.key);
      if (item.kind !== 'entity') continue;
      places.push(item.path);
      told.delete(fileKey(item.path));
    }
    if (page.complete) {
      listed ??= new Set();
      for (const { key, kind } of items) if (kind !== 'gone') listed.add(key);
    }
    if (page.conflicts.length > 0) {
      await project.database.write((db: CloudSyncDb) =>
        keepConflicts(db, project.database.dialect, project, page.conflicts),
      );
    }
    // A list of everything counts once it was looked at what it does not name: until then it begins anew.
    if (items.length > 0) {
      await takeItems(parts, items, listed === null ? { cursor: page.cursor } : {});
      const keys = items.map(({ key }) => key);
      await project.database.write((db: CloudSyncDb) => retryRefused(db, project, keys));
    }
    cursor = page.cursor;
    if (!page.has_more) break;
    await pause();
  }
  if (listed) await takeUnlisted(parts, listed);
  else await takeReplaced(parts, places, told);
  if (cursor !== from) await project.database.write((db: CloudSyncDb) => patchState(db, project, { cursor }));
  return cursor;
}

/** A file that says another id, or became an entity's own, leaves no trace of what it was. */
async function takeReplaced(
  parts: TakeParts,
  places: readonly string[],
  told: ReadonlySet<SyncKey>,
): Promise<void> {
  const { project } = parts;
  const replaced = await project.database.read(async (db: CloudSyncDb) => {
    const before = (await entitiesSyncedAt(db, project, places)).filter((key) => !told.has(key));
    // What was told of earlier and waits here, such as to be moved, is known to be there.
    const waiting = await findInbox(db, project, before);
    const files = places.map(fileKey).filter((key) => !told.has(key));
    const known = await findItems(db, project, files);
    const arrived = await findInbox(db, project, files);
    return [
      ...before.filter((key) => !waiting.has(key)),
      ...files.filter((key) => known.has(key) || arrived.has(key)),
    ];
  });
  const gone = replaced.map((key): PulledItem => ({ key, kind: 'gone' }));
  if (gone.length > 0) await takeItems(parts, gone, {});
}

/** What was synced once and is not in a list of everything is gone. */
async function takeUnlisted(parts: TakeParts, listed: ReadonlySet<SyncKey>): Promise<void> {
  const { project } = parts;
  let after = '';
  for (;;) {
    const page = await project.database.read((db: CloudSyncDb) => itemsAfter(db, project, after, PAGE));
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.key;
    const gone = page
      .filter(({ key, sha256 }) => sha256 !== null && !listed.has(key))
      .map(({ key }): PulledItem => ({ key, kind: 'gone' }));
    if (gone.length > 0) await takeItems(parts, gone, {});
  }
}
