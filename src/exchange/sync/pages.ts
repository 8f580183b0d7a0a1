import { createPauses } from '../../kit/pauses.ts';
import { pages } from '../../world/records/index.ts';
import { inboxAfter } from './inbox.store.ts';
import { itemsAfter, type SyncedItem } from './items.store.ts';
import type { SyncKey } from './keys.ts';
import type { RemoteItem } from './replica.ts';
import type { SyncDb } from './sync.tables.ts';
import type { SyncedProject } from './synced-project.ts';

async function* pagesOf<Item extends { key: SyncKey }>(
  project: SyncedProject,
  itemsOf: (db: SyncDb, project: SyncedProject, after: SyncKey, limit: number) => Promise<Item[]>,
  size: number,
): AsyncGenerator<Item[]> {
  const pause = createPauses();
  const read = (after: SyncKey, limit: number) =>
    project.database.read((db: SyncDb) => itemsOf(db, project, after, limit));
  for await (const page of pages<Item, SyncKey>('', read, ({ key }) => key, size)) {
    yield page;
    await pause();
  }
}

export const itemPages = (project: SyncedProject): AsyncGenerator<SyncedItem[]> =>
  pagesOf(project, itemsAfter, 500);

export const inboxPages = (project: SyncedProject): AsyncGenerator<RemoteItem[]> =>
  pagesOf(project, inboxAfter, 100);
