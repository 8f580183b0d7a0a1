import { createPauses } from '../../kit/pauses.ts';
import { putFeedCursor, readFeed } from '../../world/records/index.ts';
import { RECYCLE_ROOT } from '../../world/texts/index.ts';
import { localState, stateOf } from './item-state.ts';
import { entitiesSyncedAt, findItems, newItem, putItems, type SyncedItem } from './items.store.ts';
import { entityKey, fileKey, type SyncKey } from './keys.ts';
import { type ChangedFile, filesChangedAfter, findEntitiesAt } from './local.store.ts';
import { isDamaged, readLocal } from './local-tree.ts';
import { itemPages } from './pages.ts';
import type { SyncDb } from './sync.tables.ts';
import { feedReader, type SyncedProject, type SyncScope } from './synced-project.ts';

const PAGE = 500;

/** Every key a changed file may concern: what it is now and what it was before. */
async function keysOf(db: SyncDb, project: SyncedProject, files: readonly ChangedFile[]): Promise<SyncKey[]> {
  const entities = await findEntitiesAt(db, project.whole, files);
  const paths = files.map(({ path }) => path);
  const before = await entitiesSyncedAt(db, project, paths);
  const keys = files.flatMap(({ path, entry_type, entity_type, entity_id, deleted_at }) => {
    if (path.startsWith(`${RECYCLE_ROOT}/`)) return [];
    const row = deleted_at === null ? entities.get(path) : undefined;
    if (row) return [entityKey(row.entity_type, row.entity_id)];
    const wasEntity = entry_type === 'markdown' && entity_type !== null && entity_id !== null;
    return [fileKey(path), ...(wasEntity ? [entityKey(entity_type, entity_id)] : [])];
  });
  return [...new Set([...keys, ...before])];
}

async function differing(
  db: SyncDb,
  project: SyncedProject,
  keys: readonly SyncKey[],
): Promise<SyncedItem[]> {
  const known = await findItems(db, project, keys);
  const local = await readLocal(db, project.whole, keys);
  return keys.flatMap((key) => {
    const item = known.get(key) ?? newItem(key);
    const there = local.get(key);
    const isSame = localState(key, there) === stateOf(item).synced;
    return isSame && !isDamaged(there) ? [] : [{ ...item, dirty: 1, problem: null }];
  });
}

/** True if something changed here since the last look. */
export async function hasUnnoted(db: SyncDb, scope: SyncScope): Promise<boolean> {
  const { cursor, last } = await readFeed(db, scope, feedReader(scope));
  return cursor !== last;
}

/** Marks what changed here since the last look as waiting to be sent; `compareAll` looks at everything. */
export async function noteLocal(project: SyncedProject, compareAll: boolean): Promise<void> {
  const { cursor, last } = await project.database.read((db: SyncDb) =>
    readFeed(db, project, feedReader(project)),
  );
  // A restored database counts from an earlier number.
  const isRestored = cursor > last;
  if (compareAll || isRestored) await noteMissing(project);
  if (cursor === last) return;
  const seen = await noteChanges(project, isRestored ? 0 : cursor);
  // The newest change may not be a file's.
  if (seen < last) await project.database.write((db: SyncDb) => moveTo(db, project, last));
}

/** Resolves to the last number read. */
async function noteChanges(project: SyncedProject, after: number): Promise<number> {
  let seq = after;
  const pause = createPauses();
  for (;;) {
    const { files, items } = await project.database.read(async (db: SyncDb) => {
      const changed = await filesChangedAfter(db, project, seq, PAGE);
      return { files: changed, items: await differing(db, project, await keysOf(db, project, changed)) };
    });
    const last = files.at(-1);
    if (last === undefined) return seq;
    seq = last.seq;
    await project.database.write(async (db: SyncDb) => {
      await putItems(db, project, items);
      await moveTo(db, project, last.seq);
    });
    await pause();
  }
}

const moveTo = (db: SyncDb, project: SyncedProject, seq: number): Promise<void> =>
  putFeedCursor(db, project.database.dialect, project, { reader: feedReader(project), seq });

/** Compares everything that was ever synced with what lies here, independent of change numbers. */
async function noteMissing(project: SyncedProject): Promise<void> {
  for await (const page of itemPages(project)) {
    const keys = page.map(({ key }) => key);
    const items = await project.database.read((db: SyncDb) => differing(db, project, keys));
    if (items.length === 0) continue;
    await project.database.write((db: SyncDb) => putItems(db, project, items));
  }
}
