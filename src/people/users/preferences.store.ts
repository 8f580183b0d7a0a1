import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { UserTables } from './users.tables.ts';

export function createPreferencesStore(database: TenantDatabase) {
  return {
    /** The JSON text, or null for a user without preferences. */
    async find(userId: string): Promise<string | null> {
      const row = await database.read((db: Kysely<UserTables>) =>
        db.selectFrom('user_preferences').select('json').where('user_id', '=', userId).executeTakeFirst(),
      );
      return row?.json ?? null;
    },
    async put(userId: string, json: string, at: string): Promise<void> {
      const rows = [{ user_id: userId, json, updated_at: at }];
      const options = { conflict: ['user_id'], update: ['json', 'updated_at'] };
      await database.write((db: Kysely<UserTables>) =>
        database.dialect.upsert(db, 'user_preferences', rows, options),
      );
    },
  };
}
