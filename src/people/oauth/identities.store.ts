import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { IdentityRow, OAuthTables } from './oauth.tables.ts';

export const createIdentityStore = (database: TenantDatabase) => ({
  async findUser(provider: string, subject: string): Promise<string | null> {
    const row = await database.read((db: Kysely<OAuthTables>) =>
      db
        .selectFrom('oauth_identities')
        .select('user_id')
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst(),
    );
    return row?.user_id ?? null;
  },
  /** Leaves an existing row unchanged. */
  async insert(row: IdentityRow): Promise<void> {
    await database.write((db: Kysely<OAuthTables>) =>
      db
        .insertInto('oauth_identities')
        .values(row)
        .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
        .execute(),
    );
  },
});
