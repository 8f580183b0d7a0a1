import { unavailable } from '../../../kit/errors.ts';
import { DriveError, type DriveErrorCode } from '../../../platform/drive/drive.ts';
import type { SyncError, SyncResult } from '../../sync/index.ts';
import type { DriveSyncResults } from '../drive-sync.ts';

const CODES: Readonly<Record<string, DriveErrorCode>> = {
  signed_out: 'revoked',
  forbidden: 'forbidden',
  refused: 'refused',
  busy: 'limited',
  unreachable: 'unavailable',
  not_understood: 'unavailable',
};

function errorOf({ code, message, retry_after }: SyncError): Error {
  const known = CODES[code];
  // The words of an unforeseen failure are for the log alone, where the engine has written them.
  if (known === undefined) return unavailable('The sync failed for a reason of its own: try again later');
  return new DriveError(known, message, retry_after === undefined ? {} : { retryAfter: retry_after });
}

/** Of a sync in one or more rounds. Throws what ended it. */
export function forcedResults(rounds: readonly SyncResult[]): DriveSyncResults {
  const results = { entities_created: 0, entities_updated: 0, entities_deleted: 0, assets_synced: 0 };
  for (const { error, changed } of rounds) {
    if (error !== null) throw errorOf(error);
    results.entities_created += changed?.entities_created ?? 0;
    results.entities_updated += changed?.entities_updated ?? 0;
    results.entities_deleted += changed?.entities_deleted ?? 0;
    results.assets_synced += changed?.files ?? 0;
  }
  return results;
}
