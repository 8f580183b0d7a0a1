import { type Clock, isoTime } from '../../kit/clock.ts';
import type { Log } from '../../kit/log.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { addLetter } from '../letters/index.ts';
import type { Users } from '../users/index.ts';
import type { ConnectionStore } from './connections.store.ts';
import type { ConnectionRow } from './oauth.tables.ts';

export interface ConnectionEndingOptions {
  store: ConnectionStore;
  users: Pick<Users, 'findById'>;
  clock: Clock;
  log: Log;
  publicUrl: string;
}

export type EndConnection = (row: ConnectionRow, label: string) => Promise<boolean>;

/** Ends a connection whose tokens the provider no longer accepts, with one mail to its user. False if it has changed since. */
export const createConnectionEnding =
  ({ store, users, clock, log, publicUrl }: ConnectionEndingOptions): EndConnection =>
  async (before, label) => {
    const { user_id, provider } = before;
    const user = await users.findById(user_id);
    const problem = `${label} no longer lets Canonry use your files there: the access was taken back or has expired. Connect ${label} again`;
    const hasEnded = await store.end(before, {
      row: { user_id, provider, ended_at: isoTime(clock.now()), problem },
      async also(db) {
        if (user !== null) await addLetter(db, endedMail(user.email, label, publicUrl), clock);
      },
    });
    if (hasEnded) log.info(`${provider} ended its connection with the user ${user_id}`);
    return hasEnded;
  };

const endedMail = (to: string, label: string, page: string): Mail => ({
  to,
  subject: `Canonry can no longer use your files at ${label}`,
  text: `${label} no longer lets Canonry use your files there: the access was taken back at ${label}, or it has expired. Until you connect ${label} again, nothing is synchronised with your drive.

Nothing was deleted, neither here nor on your drive. Your changes here are kept and go there once it is connected again.

To connect it again, sign in and open the storage settings:

${page}

If you took the access back yourself and want to leave it so, do nothing.
`,
});
