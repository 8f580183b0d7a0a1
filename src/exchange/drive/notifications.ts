import { equalSecrets, sha256Hex } from '../../kit/crypto.ts';
import type { Database } from '../../platform/database/database.ts';
import { scopeOf } from '../../platform/database/scoped.ts';
import { keyOfProject, type Scope } from '../../world/records/index.ts';
import { findChannel } from './channels.store.ts';
import type { DriveDb } from './drive.tables.ts';
import type { DriveSync } from './drive-sync.ts';

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface NotificationsOptions {
  database: Database;
  sync: Pick<DriveSync, 'hint'>;
}

/** The specification's prefix, and the one that Google sends. */
const PREFIXES = ['x-drive-', 'x-goog-'];
/** Longer values are forged: the drive sends back what it was given. */
const LONGEST = 256;
/** A channel's first message, which tells of no change. */
const OPENED = 'sync';

function headerOf(headers: Headers, name: string): string {
  for (const prefix of PREFIXES) {
    const value = headers[`${prefix}${name}`];
    if (typeof value === 'string' && value.length <= LONGEST) return value;
  }
  return '';
}

/** Takes notifications of drives. They come from anyone, so an unknown one gets the same answer as one that counts. */
export function createNotifications({ database, sync }: NotificationsOptions) {
  /** Projects whose hint is on its way, and whether something was heard since. */
  const underWay = new Map<string, { again: boolean }>();

  async function scopeOfChannel(headers: Headers): Promise<Scope | null> {
    const channelId = headerOf(headers, 'channel-id');
    if (channelId === '') return null;
    const row = await database.system.read((db: DriveDb) => findChannel(db, channelId));
    // All of it is compared, whichever part is wrong.
    const agrees = [
      equalSecrets(row?.channel_id ?? '', channelId),
      equalSecrets(row?.resource_id ?? '', headerOf(headers, 'resource-id')),
      equalSecrets(row?.secret_hash ?? '', sha256Hex(headerOf(headers, 'channel-token'))),
    ];
    return row?.resource_id && agrees.every(Boolean) ? scopeOf(row) : null;
  }

  /** However many notifications come while a hint is given, one more hint follows. */
  async function tell(scope: Scope): Promise<void> {
    const key = keyOfProject(scope);
    const other = underWay.get(key);
    if (other) {
      other.again = true;
      return;
    }
    const own = { again: true };
    underWay.set(key, own);
    try {
      while (own.again) {
        own.again = false;
        await sync.hint(scope);
      }
    } finally {
      underWay.delete(key);
    }
  }

  return {
    async receive(headers: Headers): Promise<void> {
      const state = headerOf(headers, 'resource-state');
      if (state === '' || state === OPENED) return;
      const scope = await scopeOfChannel(headers);
      if (scope) await tell(scope);
    },
  };
}

export type Notifications = ReturnType<typeof createNotifications>;
