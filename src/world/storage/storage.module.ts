import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { BLOB_LIMITS, type BlobLimits, type BlobPlace, type BlobStore } from '../../platform/blobs/blobs.ts';
import type { ContentPlaces } from './content-places.ts';
import { moveRoutes } from './move.routes.ts';
import { createMoves } from './move.service.ts';
import type { MovesOptions } from './moves.ts';
import type { SealedPlaces } from './sealed-place.ts';
import { createStorageSettings, type LocalStorage } from './settings.service.ts';
import { storageRoutes } from './storage.routes.ts';
import { storageMigrations } from './storage.tables.ts';
import { createStores } from './stores.service.ts';

const PROBE_LIMITS: BlobLimits = { answerMs: 8_000, attempts: 1 };
const PROBE_DEADLINE_MS = 25_000;

export interface StorageContext extends Pick<CoreContext, 'database' | 'clock' | 'log'> {
  contentStorage: { places: ContentPlaces; sealed: SealedPlaces; contentAt: MovesOptions['contentAt'] };
  localStorage: LocalStorage | null;
  openBlobs: (place: BlobPlace, limits: BlobLimits) => Promise<BlobStore>;
  /** Shorter timeouts for tests. */
  probeTimes?: { answerMs: number; deadlineMs: number };
}

/** Storage of files: settings, their probe, and the stores themselves (spec 2 §2.5, §8.1). */
export const storageModule = defineModule({
  name: 'storage',
  tags: {
    Storage:
      'Where files lie: a folder, S3 or Azure, tried out before it counts, and how much room there is.',
  },
  tables: storageMigrations,
  create({ database, clock, log, contentStorage, localStorage, openBlobs, probeTimes }: StorageContext) {
    const limits = { ...PROBE_LIMITS, ...(probeTimes && { answerMs: probeTimes.answerMs }) };
    const { places } = contentStorage;
    const settings = createStorageSettings({
      ...contentStorage,
      database,
      clock,
      local: localStorage,
      probe: {
        open: (place) => openBlobs(place, limits),
        deadlineMs: probeTimes?.deadlineMs ?? PROBE_DEADLINE_MS,
      },
    });
    const stores = createStores({
      settings,
      local: localStorage,
      open: (place) => openBlobs(place, BLOB_LIMITS),
    });
    const moves = createMoves({ ...contentStorage, database, settings, clock, log: log.child('storage') });
    return {
      service: { stores, settings, moves },
      routes: [...storageRoutes({ settings, stores, places, local: localStorage }), ...moveRoutes(moves)],
      start: moves.begin,
      async stop() {
        await moves.stop();
        await stores.close();
      },
    };
  },
});
