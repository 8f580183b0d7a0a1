import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { PasswordResetRow, PasswordResetTables } from './sessions.tables.ts';

/** Rows of password resets, in the installation's own handle. */
export function createPasswordResetStore(database: TenantDatabase) {
  return {
    /** Adds a reset in the place of the user's others, and drops those that have run out. */
    async insert(row: PasswordResetRow, now: string): Promise<void> {
      await database.write(async (db: Kysely<PasswordResetTables>) => {
        await db
          .deleteFrom('password_resets')
          .where(({ or, eb }) => or([eb('expires_at', '<=', now), eb('user_id', '=', row.user_id)]))
          .execute();
        await db.insertInto('password_resets').values(row).execute();
      });
    },
    /** Makes a reset that was taken good again, unless there is a newer one. */
    async putBack(row: PasswordResetRow): Promise<void> {
      await database.write(async (db: Kysely<PasswordResetTables>) => {
        const newer = await db
          .selectFrom('password_resets')
          .select('user_id')
          .where('user_id', '=', row.user_id)
          .executeTakeFirst();
        if (newer === undefined) await db.insertInto('password_resets').values(row).execute();
      });
    },
    /** Removes a reset that is still good and gives it: of any number of parallel calls to one. */
    async take(tokenHash: string, now: string): Promise<PasswordResetRow | null> {
      return database.write(async (db: Kysely<PasswordResetTables>) => {
        const row = await db
          .selectFrom('password_resets')
          .selectAll()
          .where('token_hash', '=', tokenHash)
          .where('expires_at', '>', now)
          .executeTakeFirst();
        if (row === undefined) return null;
        const { numDeletedRows } = await db
          .deleteFrom('password_resets')
          .where('token_hash', '=', tokenHash)
          .executeTakeFirst();
        return numDeletedRows === 1n ? row : null;
      });
    },
  };
}
