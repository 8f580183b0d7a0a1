import { createPauses } from '../../kit/pauses.ts';
import { type Project, pages } from '../../world/records/index.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { itemsAfter, type SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';

const PAGE = 500;

/** Everything that is remembered, in pages. */
export async function* itemPages(project: Project): AsyncGenerator<SyncedItem[]> {
  const pause = createPauses();
  const read = (after: SyncKey, limit: number) =>
    project.database.read((db: CloudSyncDb) => itemsAfter(db, project, after, limit));
  for await (const items of pages<SyncedItem, SyncKey>('', read, ({ key }) => key, PAGE)) {
    yield items;
    await pause();
  }
}
