import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { ConnectionRow, EndedConnectionRow, OAuthTables } from './oauth.tables.ts';
import type { ConnectionKey } from './token-seals.ts';

type Db = Kysely<OAuthTables>;

interface Ending {
  row: EndedConnectionRow;
  /** In the same transaction. */
  also(db: Db): Promise<void>;
}

const ofKey = (db: Db, { user_id, provider }: ConnectionKey) => ({
  connection: db
    .deleteFrom('oauth_connections')
    .where('user_id', '=', user_id)
    .where('provider', '=', provider),
  ended: db
    .deleteFrom('oauth_ended_connections')
    .where('user_id', '=', user_id)
    .where('provider', '=', provider),
});

/** Each user has at most one connection to a provider: one with tokens, or one that has ended. */
export const createConnectionStore = (database: TenantDatabase) => ({
  find: async ({ user_id, provider }: ConnectionKey): Promise<ConnectionRow | null> =>
    (await database.read((db: Db) =>
      db
        .selectFrom('oauth_connections')
        .selectAll()
        .where('user_id', '=', user_id)
        .where('provider', '=', provider)
        .executeTakeFirst(),
    )) ?? null,

  list: (userId: string): Promise<ConnectionRow[]> =>
    database.read((db: Db) =>
      db.selectFrom('oauth_connections').selectAll().where('user_id', '=', userId).execute(),
    ),

  listEnded: (userId: string): Promise<EndedConnectionRow[]> =>
    database.read((db: Db) =>
      db.selectFrom('oauth_ended_connections').selectAll().where('user_id', '=', userId).execute(),
    ),

  replace: (row: ConnectionRow): Promise<void> =>
    database.write(async (db: Db) => {
      await ofKey(db, row).ended.execute();
      await db
        .insertInto('oauth_connections')
        .values(row)
        .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(row))
        .execute();
    }),

  /** False if the tokens are no longer those of `before`: sealed texts are never the same twice. */
  renew: (before: ConnectionRow, row: ConnectionRow): Promise<boolean> =>
    database.write(async (db: Db) => {
      const { numUpdatedRows } = await db
        .updateTable('oauth_connections')
        .set(row)
        .where('user_id', '=', before.user_id)
        .where('provider', '=', before.provider)
        .where('access_token', '=', before.access_token)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    }),

  /** Likewise: only one of several callers ends a connection, and a new one is never ended for the old one's sake. */
  end: (before: ConnectionRow, { row, also }: Ending): Promise<boolean> =>
    database.write(async (db: Db) => {
      const { numDeletedRows } = await ofKey(db, before)
        .connection.where('access_token', '=', before.access_token)
        .executeTakeFirst();
      if (numDeletedRows !== 1n) return false;
      await db
        .insertInto('oauth_ended_connections')
        .values(row)
        .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(row))
        .execute();
      await also(db);
      return true;
    }),

  async removeAll(userId: string): Promise<void> {
    await database.write(async (db: Db) => {
      await db.deleteFrom('oauth_connections').where('user_id', '=', userId).execute();
      await db.deleteFrom('oauth_ended_connections').where('user_id', '=', userId).execute();
    });
  },

  /** Removes a connection; only one of several concurrent calls gets it. Null if there was none, not even one that had ended. */
  take: (key: ConnectionKey): Promise<{ row: ConnectionRow | null } | null> =>
    database.write(async (db: Db) => {
      const ended = await ofKey(db, key).ended.executeTakeFirst();
      const row = await ofKey(db, key).connection.returningAll().executeTakeFirst();
      if (row !== undefined) return { row };
      return ended.numDeletedRows === 1n ? { row: null } : null;
    }),
});

export type ConnectionStore = ReturnType<typeof createConnectionStore>;
