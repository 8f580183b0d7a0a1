import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { SigningKeyRow, SigningKeyTables } from './signing-keys.tables.ts';

export function createSigningKeyStore(database: TenantDatabase) {
  return {
    /** Keys that may have signed a token that is still valid, newest first. */
    list: (retiredAfter: string): Promise<SigningKeyRow[]> =>
      database.read((db: Kysely<SigningKeyTables>) =>
        db
          .selectFrom('signing_keys')
          .selectAll()
          .where(({ eb, or }) => or([eb('retired_at', 'is', null), eb('retired_at', '>', retiredAfter)]))
          .orderBy('created_at', 'desc')
          .orderBy('key_id')
          .execute(),
      ),
    /** Adds the new signing key, retires all others and removes those past use. */
    async replace(row: SigningKeyRow, retiredAfter: string): Promise<void> {
      await database.write(async (db: Kysely<SigningKeyTables>) => {
        await db.deleteFrom('signing_keys').where('retired_at', '<=', retiredAfter).execute();
        await db
          .updateTable('signing_keys')
          .set({ retired_at: row.created_at })
          .where('retired_at', 'is', null)
          .execute();
        await db.insertInto('signing_keys').values(row).execute();
      });
    },
  };
}
