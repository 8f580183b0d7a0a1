import { createPauses } from '../../kit/pauses.ts';
import { type Project, pages } from '../../world/records/index.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { type InboxRow, inboxAfter } from './inbox.store.ts';
import type { SyncKey } from './keys.ts';
import type { PulledItem } from './pulled-item.ts';

const PAGE = 100;

/** What came from the cloud and could not be written yet, in pages. */
export async function* inboxPages(project: Project): AsyncGenerator<PulledItem[]> {
  const pause = createPauses();
  const read = (after: SyncKey, limit: number) =>
    project.database.read((db: CloudSyncDb) => inboxAfter(db, project, after, limit));
  for await (const rows of pages<InboxRow, SyncKey>('', read, ({ key }) => key, PAGE)) {
    yield rows.map(({ item }) => JSON.parse(item) as PulledItem);
    await pause();
  }
}
