import type { Clock } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { BlobPlace } from '../../platform/blobs/blobs.ts';
import type { Database } from '../../platform/database/database.ts';
import type { ContentPlaces } from './content-places.ts';
import type { SealedPlaces } from './sealed-place.ts';
import type { SettingsService } from './settings.service.ts';
import type { StorageMoveRow } from './storage.tables.ts';
import type { StoredContent } from './stored-content.ts';

export interface MovesOptions {
  database: Database;
  settings: Pick<SettingsService, 'current'>;
  places: ContentPlaces;
  sealed: SealedPlaces;
  /** A project's files at a place, in force or not. Creates a missing folder. */
  contentAt(tenantId: string, projectId: string, place: BlobPlace | null): Promise<StoredContent>;
  clock: Clock;
  log: Log;
  firstPauseMs?: number;
}

export interface Move extends Omit<StorageMoveRow, 'tenant_id' | 'from_place' | 'to_place'> {
  from: BlobPlace | null;
  to: BlobPlace | null;
}
