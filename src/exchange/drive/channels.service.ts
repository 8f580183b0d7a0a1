import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Config } from '../../kit/config/index.ts';
import { randomToken, sha256Hex } from '../../kit/crypto.ts';
import { conflict, messageOf } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Scope } from '../../world/records/index.ts';
import { changeChannel, insertChannel, listChannels, removeChannel } from './channels.store.ts';
import { findConnection } from './connections.store.ts';
import type { DriveConnection } from './connections.ts';
import type { DriveChannelRow, DriveDb } from './drive.tables.ts';
import { noFolderConnected } from './drive-errors.ts';
import type { Drives } from './drives.ts';

export interface ChannelsOptions {
  database: Database;
  clock: Clock;
  log: Log;
  drives: Drives;
  config: Pick<Config, 'publicUrl'>;
}

/** The drive may end it earlier. */
const LIFETIME_MS = 7 * 86_400_000;
/** The share of its life after which a channel is replaced: a day before the end of a whole one. */
const GOOD_FOR = 6 / 7;

const WEBHOOK_PATH = '/api/drive/webhook';

/** Channels on which the drive tells that something may have changed. */
export function createDriveChannels({ database, clock, log, drives, config }: ChannelsOptions) {
  const handle = ({ tenantId }: Scope) => database.tenant(tenantId);
  const inTurn = <Result>(scope: Scope, work: () => Promise<Result>): Promise<Result> =>
    handle(scope).exclusive(`drive channel ${scope.projectId}`, work);
  const channelsOf = (scope: Scope) => handle(scope).read((db: DriveDb) => listChannels(db, scope));
  /** Only asked in turn. A connection is removed before its channels are closed, also in turn, so that none opens after that. */
  const connectionOf = (scope: Scope) => handle(scope).read((db: DriveDb) => findConnection(db, scope));

  /** Null where the drive cannot reach this service. */
  function address(): string | null {
    const { publicUrl } = config;
    return publicUrl?.startsWith('https://') ? `${publicUrl.replace(/\/+$/, '')}${WEBHOOK_PATH}` : null;
  }

  function reachableAddress(): string {
    const reachable = address();
    if (reachable !== null) return reachable;
    throw conflict('A drive sends notifications to public https addresses alone: set PUBLIC_URL to one', {
      code: 'not_configured',
    });
  }

  /** The channel that is heard, if there is one. */
  const living = (rows: readonly DriveChannelRow[]): DriveChannelRow | null =>
    rows.find((row) => row.resource_id !== null && row.ends_at > clock.now()) ?? null;

  function isLasting({ resource_id, created_at, ends_at }: DriveChannelRow): boolean {
    const openedAt = Date.parse(created_at);
    return resource_id !== null && clock.now() < openedAt + (ends_at - openedAt) * GOOD_FOR;
  }

  async function open(connection: DriveConnection, origin: string | undefined): Promise<DriveChannelRow> {
    const { tenantId, projectId, userId } = connection;
    const to = reachableAddress();
    const secret = randomToken();
    const row: DriveChannelRow = {
      channel_id: newId(),
      tenant_id: tenantId,
      project_id: projectId,
      user_id: userId,
      resource_id: null,
      secret_hash: sha256Hex(secret),
      ends_at: clock.now() + LIFETIME_MS,
      created_at: isoTime(clock.now()),
    };
    return drives.read({ userId, ...(origin !== undefined && { origin }) }, async (drive) => {
      const pageToken = await drive.startPageToken();
      // Stored before, so that no channel exists there which is unknown here.
      await handle(connection).write((db: DriveDb) => insertChannel(db, row));
      try {
        const channel = { channelId: row.channel_id, secret, address: to, endsAt: row.ends_at };
        const { resourceId, endsAt } = await drive.watch(pageToken, channel);
        const answered = { resource_id: resourceId, ends_at: endsAt };
        await handle(connection).write((db: DriveDb) => changeChannel(db, row, answered));
        return { ...row, ...answered };
      } catch (error) {
        await handle(connection).write((db: DriveDb) => removeChannel(db, row));
        throw error;
      }
    });
  }

  /** Whatever the drive answers, its notifications are ignored from then on. */
  async function close(row: DriveChannelRow): Promise<void> {
    const { channel_id: channelId, resource_id: resourceId, tenant_id: tenantId, user_id } = row;
    await database.tenant(tenantId).write((db: DriveDb) => removeChannel(db, row));
    if (resourceId === null) return;
    await drives
      .of(user_id)
      .stop({ channelId, resourceId })
      .catch((error: unknown) => log.info(`a channel is left to end by itself: ${messageOf(error)}`));
  }

  /** The new one is open before the old one ends, so that nothing goes unheard. */
  async function replace(connection: DriveConnection, origin?: string): Promise<DriveChannelRow> {
    const former = await channelsOf(connection);
    const opened = await open(connection, origin);
    for (const row of former) await close(row);
    return opened;
  }

  return {
    address,
    current: async (scope: Scope): Promise<DriveChannelRow | null> => living(await channelsOf(scope)),
    /** 409 `no_folder_connected` if the project has none. */
    register: (scope: Scope, origin: string): Promise<DriveChannelRow> =>
      inTurn(scope, async () => {
        const connection = await connectionOf(scope);
        if (connection === null) throw noFolderConnected();
        return replace(connection, origin);
      }),
    /** Also resolves if there is none. */
    unregister: (scope: Scope): Promise<void> =>
      inTurn(scope, async () => {
        for (const row of await channelsOf(scope)) await close(row);
      }),
    /**
     * Replaces a channel on the last day of its week, also one that has ended. Resolves to whether one is heard: without one, the drive has
     * to be asked regularly. A project for which none was registered gets none, nor does a user whose connection has ended meanwhile.
     */
    renew: (connection: DriveConnection): Promise<boolean> =>
      inTurn(connection, async () => {
        if ((await connectionOf(connection))?.userId !== connection.userId) return false;
        const [newest] = await channelsOf(connection);
        if (newest === undefined) return false;
        if (!isLasting(newest)) await replace(connection);
        return true;
      }),
  };
}

export type DriveChannels = ReturnType<typeof createDriveChannels>;
