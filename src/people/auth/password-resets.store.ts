import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { PasswordResetRow, PasswordResetTables } from './sessions.tables.ts';

export function createPasswordResetStore(database: TenantDatabase) {
  return {
    /** Replaces the user's other resets and removes expired ones. */
    async insert(row: PasswordResetRow, now: string): Promise<void> {
      await database.write(async (db: Kysely<PasswordResetTables>) => {
        await db
          .deleteFrom('password_resets')
          .where(({ or, eb }) => or([eb('expires_at', '<=', now), eb('user_id', '=', row.user_id)]))
          .execute();
        await db.insertInto('password_resets').values(row).execute();
      });
    },
    /** Makes a used reset valid again, unless there is a newer one. */
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
    /** Removes and returns a valid reset; only one of several concurrent calls gets it. */
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
