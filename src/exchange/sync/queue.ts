import { countDirty, dirtyAfter, type SyncedItem } from './items.store.ts';
import { namedKey, shownKey } from './keys.ts';
import { type LocalItem, readLocal } from './local-tree.ts';
import { isUntouchedSample, SAMPLE_WAITS, sampleHashes } from './sample-world.ts';
import type { SyncDb } from './sync.tables.ts';
import type { QueuedChange } from './sync.ts';
import type { SyncedProject } from './synced-project.ts';

function queued(item: SyncedItem, local: LocalItem | undefined, isSample: boolean): QueuedChange {
  const change = local === undefined ? 'delete' : item.sha256 === null ? 'create' : 'update';
  return {
    key: shownKey(item.key),
    kind: namedKey(item.key).kind,
    change,
    path: local?.path ?? item.path,
    problem: item.problem ?? local?.problem ?? (isSample ? SAMPLE_WAITS : null),
  };
}

/** As of the last round, or of the last change noted since. */
export async function listQueue(
  project: SyncedProject,
  limit: number,
): Promise<{ total: number; changes: QueuedChange[] }> {
  const sample = await sampleHashes(project.whole);
  return project.database.read(async (db: SyncDb) => {
    const items = await dirtyAfter(db, project, { after: '', limit, refused: true });
    const local = await readLocal(
      db,
      project.whole,
      items.map(({ key }) => key),
    );
    const changes: QueuedChange[] = [];
    for (const item of items) {
      const here = local.get(item.key);
      changes.push(queued(item, here, await isUntouchedSample(db, project.whole, item, here, sample)));
    }
    return { total: await countDirty(db, project), changes };
  });
}
