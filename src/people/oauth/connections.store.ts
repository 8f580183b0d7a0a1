import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { ConnectionRow, OAuthTables } from './oauth.tables.ts';

export const createConnectionStore = (database: TenantDatabase) => ({
  list: (userId: string): Promise<ConnectionRow[]> =>
    database.read((db: Kysely<OAuthTables>) =>
      db.selectFrom('oauth_connections').selectAll().where('user_id', '=', userId).execute(),
    ),
  async replace(row: ConnectionRow): Promise<void> {
    await database.write((db: Kysely<OAuthTables>) =>
      db
        .insertInto('oauth_connections')
        .values(row)
        .onConflict((conflict) => conflict.columns(['user_id', 'provider']).doUpdateSet(row))
        .execute(),
    );
  },
  async removeAll(userId: string): Promise<void> {
    await database.write((db: Kysely<OAuthTables>) =>
      db.deleteFrom('oauth_connections').where('user_id', '=', userId).execute(),
    );
  },
  /** Removes and returns a connection; only one of several concurrent calls gets it. */
  take: (userId: string, provider: string): Promise<ConnectionRow | null> =>
    database.write(async (db: Kysely<OAuthTables>) => {
      const row = await db
        .selectFrom('oauth_connections')
        .selectAll()
        .where('user_id', '=', userId)
        .where('provider', '=', provider)
        .executeTakeFirst();
      if (row === undefined) return null;
      const { numDeletedRows } = await db
        .deleteFrom('oauth_connections')
        .where('user_id', '=', userId)
        .where('provider', '=', provider)
        .executeTakeFirst();
      return numDeletedRows === 1n ? row : null;
    }),
});
