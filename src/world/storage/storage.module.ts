import type { Module } from '../../frame/module.ts';
import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import { BLOB_LIMITS, type BlobLimits, type BlobPlace, type BlobStore } from '../../platform/blobs/blobs.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ContentPlaces } from './content-places.ts';
import { moveRoutes } from './move.routes.ts';
import { createMoves, type Moves } from './move.service.ts';
import type { MovesOptions } from './moves.ts';
import type { SealedPlaces } from './sealed-place.ts';
import { createStorageSettings, type LocalStorage, type SettingsService } from './settings.service.ts';
import { storageRoutes } from './storage.routes.ts';
import { createStores, type Stores } from './stores.service.ts';

const PROBE_LIMITS: BlobLimits = { answerMs: 8_000, attempts: 1 };
const PROBE_DEADLINE_MS = 25_000;

export interface StorageModuleOptions {
  database: Database;
  clock: Clock;
  log: Log;
  places: ContentPlaces;
  sealed: SealedPlaces;
  contentAt: MovesOptions['contentAt'];
  local: LocalStorage | null;
  openBlobs: (place: BlobPlace, limits: BlobLimits) => Promise<BlobStore>;
  /** Tests wait less for a storage that does not answer. */
  probeTimes?: { answerMs: number; deadlineMs: number };
}

export interface StorageModule extends Module {
  stores: Stores;
  settings: SettingsService;
  moves: Moves;
  isConfigured(tenantId: string): Promise<boolean>;
}

/** Where files are stored: settings, their trial, and the stores themselves (spec 2 §2.5, §8.1). */
export function createStorageModule(options: StorageModuleOptions): StorageModule {
  const { database, clock, log, places, sealed, contentAt, local, openBlobs, probeTimes } = options;
  const limits = { ...PROBE_LIMITS, ...(probeTimes && { answerMs: probeTimes.answerMs }) };
  const settings = createStorageSettings({
    database,
    sealed,
    places,
    contentAt,
    clock,
    local,
    probe: {
      open: (place) => openBlobs(place, limits),
      deadlineMs: probeTimes?.deadlineMs ?? PROBE_DEADLINE_MS,
    },
  });
  const stores = createStores({ settings, local, open: (place) => openBlobs(place, BLOB_LIMITS) });
  const moves = createMoves({ database, settings, places, sealed, contentAt, clock, log });
  return {
    name: 'storage',
    routes: [...storageRoutes({ settings, stores, places, local }), ...moveRoutes(moves)],
    start: moves.begin,
    async stop() {
      await moves.stop();
      await stores.close();
    },
    stores,
    settings,
    moves,
    isConfigured: settings.isConfigured,
  };
}
