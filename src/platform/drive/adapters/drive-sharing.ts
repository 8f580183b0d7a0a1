import type { JsonMap } from '../../../text/json.ts';
import type { Drive } from '../drive.ts';
import { readJson, readText } from './answers.ts';
import type { DriveClient } from './drive-client.ts';
import { ALL_DRIVES, FROM_ALL_DRIVES, filePath, jsonOf, numberIn, queryOf, textIn } from './values.ts';

/** The drive's answer to a channel that it does not know. */
const UNKNOWN = 404;

export function sharingOf(client: DriveClient): Pick<Drive, 'share' | 'watch' | 'stop'> {
  const post = (path: string, body: object): Promise<JsonMap> =>
    client.call({ method: 'POST', path, send: () => jsonOf(body), read: readJson });

  return {
    async share(fileId, { email, role }) {
      // A mail could be sent twice.
      const query = queryOf({
        ...ALL_DRIVES,
        sendNotificationEmail: false,
        fields: 'id,emailAddress',
      });
      const permission = { type: 'user', emailAddress: email, role };
      const made = await post(`${filePath(fileId)}/permissions${query}`, permission);
      return { permissionId: textIn(made.id) ?? '', email: textIn(made.emailAddress) ?? email, role };
    },
    async watch(pageToken, { channelId, secret, address, endsAt }) {
      const query = queryOf({ ...FROM_ALL_DRIVES, includeRemoved: true, pageToken });
      const channel = { id: channelId, type: 'web_hook', address, token: secret, expiration: String(endsAt) };
      const made = await post(`/drive/v3/changes/watch${query}`, channel);
      return {
        channelId,
        resourceId: textIn(made.resourceId) ?? '',
        endsAt: numberIn(made.expiration) ?? endsAt,
      };
    },
    async stop({ channelId, resourceId }) {
      await client.call({
        method: 'POST',
        path: '/drive/v3/channels/stop',
        send: () => jsonOf({ id: channelId, resourceId }),
        accepts: [UNKNOWN],
        read: readText,
      });
    },
  };
}
