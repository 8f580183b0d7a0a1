import type { TestContext } from 'node:test';
import { type Cloud, startCloud } from '../cloud.ts';
import { type DriveServer, startDriveServer } from './drive-server.ts';

export const PUBLIC_URL = 'https://canonry.example.com';

/** A cloud whose drive is a server of ours. Its tokens come from desktops, since there is no provider. */
export async function startDriveCloud(t: TestContext): Promise<{ cloud: Cloud; drive: DriveServer }> {
  const drive = await startDriveServer();
  const cloud = await startCloud({
    env: {
      PUBLIC_URL,
      DRIVE_API_BASE: drive.url,
      OAUTH_GOOGLE_CLIENT_ID: 'canonry',
      OAUTH_GOOGLE_CLIENT_SECRET: 'the secret of the client',
    },
  });
  t.after(async () => {
    await cloud.close();
    await drive.close();
  });
  return { cloud, drive };
}
