import { createDriveReplica } from '../../../src/exchange/drive/replica/drive-replica.ts';
import type { Replica } from '../../../src/exchange/sync/index.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import { silentLog } from '../../../src/kit/log.ts';
import type { Drive } from '../../../src/platform/drive/drive.ts';
import { createConflictFiles } from '../../../src/world/conflict-records/conflict-files.ts';
import { createConflictRecords } from '../../../src/world/conflict-records/conflict-records.ts';
import type { Project } from '../../../src/world/records/index.ts';
import type { TestCore } from '../core.ts';

interface ReplicaParts {
  project: Project;
  drive: Drive;
  folderId: string;
  /** As in a round that the user forced. */
  force?: boolean;
}

/** A folder of a drive as the replica of a core's project, without the worker. */
export const replicaOf = (
  { templates }: Pick<TestCore, 'templates'>,
  { project, drive, folderId, force = false }: ReplicaParts,
): Replica =>
  createDriveReplica({
    project,
    drive,
    root: { folderId, name: 'World' },
    templates,
    conflicts: createConflictRecords({
      templates,
      files: createConflictFiles({ log: silentLog }),
      clock: systemClock,
    }),
    force,
    log: silentLog,
    link: { url: 'https://drive.example.com', by: 'signed_in' },
  });
