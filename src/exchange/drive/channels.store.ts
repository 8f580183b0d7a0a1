import { inProject, inTenant } from '../../platform/database/scoped.ts';
import type { Scope } from '../../world/records/index.ts';
import type { DriveChannelRow, DriveDb } from './drive.tables.ts';

/** The newest first. */
export const listChannels = (db: DriveDb, scope: Scope): Promise<DriveChannelRow[]> =>
  inProject(db, scope).selectFrom('drive_channels').selectAll().orderBy('ends_at', 'desc').execute();

/** Of any tenant: a notification does not say whose it is. */
export const findChannel = (db: DriveDb, channelId: string): Promise<DriveChannelRow | undefined> =>
  db.selectFrom('drive_channels').selectAll().where('channel_id', '=', channelId).executeTakeFirst();

export async function insertChannel(db: DriveDb, row: DriveChannelRow): Promise<void> {
  await db.insertInto('drive_channels').values(row).execute();
}

export async function changeChannel(
  db: DriveDb,
  { tenant_id, channel_id }: DriveChannelRow,
  change: Pick<DriveChannelRow, 'resource_id' | 'ends_at'>,
): Promise<void> {
  await inTenant(db, tenant_id)
    .updateTable('drive_channels')
    .set(change)
    .where('channel_id', '=', channel_id)
    .execute();
}

export async function removeChannel(
  db: DriveDb,
  { tenant_id, channel_id }: Pick<DriveChannelRow, 'tenant_id' | 'channel_id'>,
): Promise<void> {
  await inTenant(db, tenant_id).deleteFrom('drive_channels').where('channel_id', '=', channel_id).execute();
}
