import { createPauses } from '../../kit/pauses.ts';
import type { Project } from '../records/scope.ts';
import type { CloudSyncDb } from './cloud-sync.tables.ts';
import { inboxAfter } from './inbox.store.ts';
import type { PulledItem } from './pulled-item.ts';

const PAGE = 100;

/** What came from the cloud and could not be written yet, in pages. */
export async function* inboxPages(project: Project): AsyncGenerator<PulledItem[]> {
  const pause = createPauses();
  let after = '';
  for (;;) {
    const rows = await project.database.read((db: CloudSyncDb) => inboxAfter(db, project, after, PAGE));
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.key;
    yield rows.map(({ item }) => JSON.parse(item) as PulledItem);
    await pause();
  }
}
