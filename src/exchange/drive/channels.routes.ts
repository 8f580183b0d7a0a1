import { isoTime } from '../../kit/clock.ts';
import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../../world/projects/index.ts';
import {
  getDriveChannel,
  receiveDriveNotification,
  registerDriveChannel,
  unregisterDriveChannel,
} from './channels.contract.ts';
import type { DriveChannels } from './channels.service.ts';
import type { DriveChannelRow } from './drive.tables.ts';
import type { Notifications } from './notifications.ts';
import { personOf } from './person-of.ts';

export interface ChannelRoutesOptions {
  projects: Projects;
  channels: DriveChannels;
  notifications: Notifications;
}

/** Notifications of the drive (spec 2 §4.4, §6.2). */
export function channelRoutes({ projects, channels, notifications }: ChannelRoutesOptions): Route[] {
  const shown = (channel: DriveChannelRow | null) => ({
    registered: channel !== null,
    channel_id: channel?.channel_id ?? null,
    resource_id: channel?.resource_id ?? null,
    expires_at: channel && isoTime(channel.ends_at),
    address: channel && channels.address(),
  });

  return [
    route(receiveDriveNotification, async ({ headers }) => {
      await notifications.receive(headers);
      return { received: true };
    }),
    route(registerDriveChannel, async (request) => {
      const { origin } = personOf(request);
      return shown(await channels.register(await requestProject(projects, request), origin));
    }),
    route(unregisterDriveChannel, async (request) => {
      personOf(request);
      await channels.unregister(await requestProject(projects, request));
      return shown(null);
    }),
    route(getDriveChannel, async (request) =>
      shown(await channels.current(await requestProject(projects, request))),
    ),
  ];
}
