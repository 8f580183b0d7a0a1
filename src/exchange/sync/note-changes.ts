import { createPauses } from '../../kit/pauses.ts';
import type { Project } from '../../world/records/index.ts';
import { RECYCLE_ROOT } from '../../world/texts/index.ts';
import { localState, stateOf } from './item-state.ts';
import { entitiesSyncedAt, findItems, newItem, putItems, type SyncedItem } from './items.store.ts';
import { entityKey, fileKey, type SyncKey } from './keys.ts';
import { type ChangedFile, filesChangedAfter, findEntitiesAt } from './local.store.ts';
import { isDamaged, readLocal } from './local-tree.ts';
import { itemPages } from './pages.ts';
import { patchState } from './state.store.ts';
import type { SyncDb } from './sync.tables.ts';

const PAGE = 500;

/** Every key a changed file may concern: what it is now and what it was before. */
async function keysOf(db: SyncDb, project: Project, files: readonly ChangedFile[]): Promise<SyncKey[]> {
  const entities = await findEntitiesAt(db, project, files);
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

async function differing(db: SyncDb, project: Project, keys: readonly SyncKey[]): Promise<SyncedItem[]> {
  const known = await findItems(db, project, keys);
  const local = await readLocal(db, project, keys);
  return keys.flatMap((key) => {
    const item = known.get(key) ?? newItem(key);
    const there = local.get(key);
    const isSame = localState(key, there) === stateOf(item).synced;
    return isSame && !isDamaged(there) ? [] : [{ ...item, dirty: 1, problem: null }];
  });
}

/** Marks files changed after `localSeq` as waiting to be sent; resolves to the new `localSeq`. */
export async function noteChanges(project: Project, localSeq: number): Promise<number> {
  let seq = localSeq;
  const pause = createPauses();
  for (;;) {
    const files = await project.database.read((db: SyncDb) => filesChangedAfter(db, project, seq, PAGE));
    const last = files.at(-1);
    if (last === undefined) return seq;
    const items = await project.database.read(async (db: SyncDb) =>
      differing(db, project, await keysOf(db, project, files)),
    );
    seq = last.seq;
    await project.database.write(async (db: SyncDb) => {
      await putItems(db, project, items);
      await patchState(db, project, { local_seq: last.seq });
    });
    await pause();
  }
}

/** Compares everything that was ever synced with what lies here, independent of change numbers. */
export async function noteMissing(project: Project): Promise<void> {
  for await (const page of itemPages(project)) {
    const keys = page.map(({ key }) => key);
    const items = await project.database.read((db: SyncDb) => differing(db, project, keys));
    if (items.length === 0) continue;
    await project.database.write((db: SyncDb) => putItems(db, project, items));
  }
}
