import { fileKey, type Replica, ReplicaError, type SyncLink } from '../../sync/index.ts';
import { changePage } from './change-pages.ts';
import { isDriveError, withReplicaErrors } from './drive-failures.ts';
import { forgetDriveItems, itemsOfKeys } from './drive-items.store.ts';
import type { DriveItemsDb } from './drive-items.tables.ts';
import { type DriveParts, read } from './drive-parts.ts';
import { putChanges } from './put-changes.ts';
import { streamOf } from './texts.ts';

/** A file that may not be fetched does not stop the others. */
function refusedAlone(error: unknown): never {
  if (isDriveError(error, 'forbidden')) throw new ReplicaError('refused', error.message, { cause: error });
  throw error;
}

/** A folder of a drive as the other copy of a project, for one round. */
export function createDriveReplica(parts: DriveParts & { link: SyncLink }): Replica {
  const { project, drive, root, link } = parts;
  return {
    link,
    takesSample: true,
    get requests() {
      return drive.requests;
    },
    account: async () => root.folderId,
    changes: (cursor) => withReplicaErrors(() => changePage(parts, cursor)),
    async put(changes, { cursor }) {
      const before = drive.requests;
      const outcomes = await withReplicaErrors(() => putChanges(parts, changes));
      // Own writes come among the changes, together with those of others.
      return { outcomes, cursor: drive.requests === before ? cursor : null };
    },
    bytes: ({ path, sha256 }) =>
      withReplicaErrors(async () => {
        const [row] = await read(parts, (db) => itemsOfKeys(db, project, [fileKey(path)]));
        if (row?.sha256 !== sha256)
          throw new ReplicaError('refused', `${path} was changed in the drive meanwhile`);
        return streamOf(parts, row).catch(refusedAlone);
      }),
    forget: (db) => forgetDriveItems(db as unknown as DriveItemsDb, project),
    conflicts: null,
  };
}
