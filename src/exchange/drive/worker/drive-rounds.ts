import type { Config } from '../../../kit/config/index.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ConflictRecords } from '../../../world/conflict-records/index.ts';
import type { Project, Scope } from '../../../world/records/index.ts';
import {
  aloneInRound,
  createSync,
  type Replica,
  ReplicaError,
  type SyncLink,
  type SyncOptions,
  type SyncResult,
  syncedProject,
} from '../../sync/index.ts';
import { findConnection } from '../connections.store.ts';
import type { DriveConnection } from '../connections.ts';
import type { DriveDb } from '../drive.tables.ts';
import { noFolderConnected } from '../drive-errors.ts';
import type { Drives } from '../drives.ts';
import { createDriveReplica } from '../replica/drive-replica.ts';
import { createEnds } from './ends.ts';
import { sendUnseenAgain } from './unseen.ts';

export interface DriveRoundsOptions extends Omit<SyncOptions, 'replica' | 'replicas' | 'storesEachResult'> {
  database: Database;
  drives: Pick<Drives, 'of'>;
  conflicts: ConflictRecords;
  config: Pick<Config, 'driveApiBase'>;
}

/** Rounds of the sync engine between projects and their folders. None comes by itself. */
export function createDriveRounds(options: DriveRoundsOptions) {
  const { database, drives, conflicts, templates, log, config } = options;
  const link: SyncLink = { url: config.driveApiBase, by: 'signed_in' };
  const ends = createEnds();

  const connectionOf = ({ tenantId, projectId }: Scope): Promise<DriveConnection | null> =>
    database.tenant(tenantId).read((db: DriveDb) => findConnection(db, { tenantId, projectId }));

  async function required(scope: Scope): Promise<DriveConnection> {
    const connection = await connectionOf(scope);
    if (connection) return connection;
    throw noFolderConnected();
  }

  async function requireStill({ rootFolderId, ...scope }: DriveConnection): Promise<void> {
    const now = await connectionOf(scope);
    if (now?.rootFolderId !== rootFolderId)
      throw new ReplicaError('busy', 'The project was given another folder meanwhile, or none');
  }

  async function open(project: Project, { force }: { force: boolean }): Promise<Replica> {
    const connection = await required(project);
    const { userId, rootFolderId, rootFolderName } = connection;
    const replica = createDriveReplica({
      project,
      drive: drives.of(userId, ends.of(project)),
      root: { folderId: rootFolderId, name: rootFolderName },
      templates,
      conflicts,
      force,
      log,
      link,
    });
    return {
      ...replica,
      get requests() {
        return replica.requests;
      },
      // The first call of a round, which then runs alone: who gives the project another folder waits until none does.
      async account() {
        await requireStill(connection);
        return replica.account();
      },
    };
  }

  const sync = createSync({
    ...options,
    replica: 'drive',
    storesEachResult: true,
    replicas: {
      current: async (scope) => ((await connectionOf(scope)) === null ? null : link),
      require: async (scope) => {
        await required(scope);
        return link;
      },
      open,
    },
  });
  const { part } = sync;

  return {
    connectionOf,
    status: sync.status,
    syncNow: sync.syncNow,

    /** As the user asked for: everything is compared, and nothing is held back. */
    async force(project: Project): Promise<SyncResult[]> {
      await sendUnseenAgain(project);
      const pushed = await sync.pushAll(project, { force: true });
      // A forced push keeps what the drive has deleted too much of at once.
      if (pushed.error !== null || pushed.held?.where !== 'here') return [pushed];
      return [pushed, await sync.pullAll(project, { force: true })];
    },

    /** Breaks off the round that this process runs. */
    breakOff: (scope: Scope): void => ends.end(scope),

    /** Afterwards no round runs with what was connected before, in whatever process. */
    async end(project: Project): Promise<void> {
      ends.end(project);
      await aloneInRound(syncedProject(project, 'drive'), async () => {});
    },

    part: {
      ...part,
      async close(project: Project) {
        await part.close?.(project);
        ends.forget(project);
      },
    },

    async stop(): Promise<void> {
      ends.endAll();
      await sync.idle();
    },
  };
}

export type DriveRounds = ReturnType<typeof createDriveRounds>;
