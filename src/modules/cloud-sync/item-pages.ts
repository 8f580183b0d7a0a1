import { createPauses } from '../../kit/pauses.ts';
import type { Project } from '../records/scope.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { itemsAfter, type SyncedItem } from './items.store.ts';

const PAGE = 500;

/** Everything that is remembered, in pages. */
export async function* itemPages(project: Project): AsyncGenerator<SyncedItem[]> {
  const pause = createPauses();
  let after = '';
  for (;;) {
    const items = await project.database.read((db: CloudSyncDb) => itemsAfter(db, project, after, PAGE));
    const last = items.at(-1);
    if (last === undefined) return;
    after = last.key;
    yield items;
    await pause();
  }
}
