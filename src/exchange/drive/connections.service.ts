import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict } from '../../kit/errors.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Drive } from '../../platform/drive/drive.ts';
import type { Project, Scope } from '../../world/records/index.ts';
import type { DriveChannels } from './channels.service.ts';
import { connectionsAround, findConnection, putConnection, removeConnection } from './connections.store.ts';
import type { DriveConnection } from './connections.ts';
import type { ConnectionSource, DriveDb } from './drive.tables.ts';
import { noFolderConnected } from './drive-errors.ts';
import type { DriveSync } from './drive-sync.ts';
import type { Drives, DriveUser } from './drives.ts';
import { countFolder, foldersAbove, writableFolder } from './folders.ts';

export interface ConnectionsOptions {
  database: Database;
  clock: Clock;
  drives: Drives;
  channels: DriveChannels;
  sync: DriveSync;
}

export interface ChosenFolder {
  folderId: string;
  /** The drive's own name for it by default. */
  folderName: string | undefined;
  source: ConnectionSource;
}

type Place = Pick<DriveConnection, 'tenantId' | 'projectId' | 'rootFolderId' | 'rootFolderName'>;

/** A folder that can be used, and those above it as far as they can be seen. */
async function lookAt(drive: Drive, folderId: string) {
  const folder = await writableFolder(drive, folderId);
  return { folder, above: await foldersAbove(drive, folder) };
}

/** Which folder of a drive each project has. */
export function createDriveConnections({ database, clock, drives, channels, sync }: ConnectionsOptions) {
  const find = ({ tenantId, projectId }: Scope): Promise<DriveConnection | null> =>
    database.tenant(tenantId).read((db: DriveDb) => findConnection(db, { tenantId, projectId }));

  async function required(scope: Scope): Promise<DriveConnection> {
    const connection = await find(scope);
    if (connection) return connection;
    throw noFolderConnected();
  }

  const inTurn = <Result>({ tenantId, projectId }: Scope, work: () => Promise<Result>): Promise<Result> =>
    database.tenant(tenantId).exclusive(`drive connection ${projectId}`, work);

  async function refuseTaken(
    { tenantId, projectId, rootFolderId, rootFolderName }: Place,
    above: readonly string[],
  ): Promise<void> {
    const found = await database.system.read((db: DriveDb) =>
      connectionsAround(db, [rootFolderId, ...above]),
    );
    const isOwn = (other: DriveConnection) => other.tenantId === tenantId && other.projectId === projectId;
    const other = found.find((each) => !isOwn(each));
    if (other === undefined) return;
    const place =
      other.rootFolderId === rootFolderId
        ? 'is the folder'
        : above.includes(other.rootFolderId)
          ? 'lies in the folder'
          : 'contains the folder';
    const whose = other.tenantId === tenantId ? `the project '${other.projectId}'` : 'another world';
    throw conflict(`'${rootFolderName}' ${place} of ${whose}: choose another one`, { code: 'folder_in_use' });
  }

  /** One at a time in the installation, so that no folder is given to two projects. */
  const keep = (connection: DriveConnection, above: readonly string[]): Promise<void> =>
    database.system.exclusive('drive folders', async () => {
      await refuseTaken(connection, above);
      await database.tenant(connection.tenantId).write((db: DriveDb) => putConnection(db, connection, above));
    });

  return {
    find,
    /** 409 `no_folder_connected` if there is none. */
    required,

    /** Rejects if `connect` would because of the folder. */
    async check({ tenantId, projectId }: Scope, drive: Drive, folderId: string): Promise<void> {
      const { folder, above } = await lookAt(drive, folderId);
      const place = { tenantId, projectId, rootFolderId: folder.fileId, rootFolderName: folder.name };
      await refuseTaken(place, above);
    },

    async connect(
      project: Project,
      user: DriveUser,
      { folderId, folderName, source }: ChosenFolder,
    ): Promise<DriveConnection> {
      const { folder, above } = await drives.write(user, (drive) => lookAt(drive, folderId));
      const { tenantId, projectId } = project;
      const connection: DriveConnection = {
        tenantId,
        projectId,
        rootFolderId: folder.fileId,
        rootFolderName: folderName ?? folder.name,
        userId: user.userId,
        source,
        connectedAt: isoTime(clock.now()),
      };
      return inTurn(project, async () => {
        const former = await find(project);
        await keep(connection, above);
        // A channel tells of an account's changes, in whatever folder they are.
        if (former && former.userId !== user.userId) await channels.unregister(project);
        if (former && former.rootFolderId !== folder.fileId) await sync.disconnected(project);
        await sync.connected(project, connection);
        return connection;
      });
    },

    /** Everything stays as it is, here and in the drive, and so does the user's consent. Also resolves if there is none. */
    disconnect: (project: Project): Promise<void> =>
      inTurn(project, async () => {
        if ((await find(project)) === null) return;
        await project.database.write((db: DriveDb) => removeConnection(db, project));
        await channels.unregister(project);
        await sync.disconnected(project);
      }),

    /** Looks into the folder. 409 `root_folder_missing` if it is gone. */
    async test(connection: DriveConnection, origin: string) {
      const { userId, rootFolderId, rootFolderName } = connection;
      return drives.read({ userId, origin }, async (drive) => {
        const folder = await drive.file(rootFolderId);
        if (folder === null || folder.isTrashed)
          throw conflict(
            `The folder '${rootFolderName}' is ${folder ? "in the drive's trash" : 'gone, or Canonry may not see it any more'}`,
            { code: 'root_folder_missing' },
          );
        return countFolder(drive, rootFolderId);
      });
    },
  };
}

export type DriveConnections = ReturnType<typeof createDriveConnections>;
