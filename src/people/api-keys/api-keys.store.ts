import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { NoteAccessChange } from '../access-changes/index.ts';
import type { ApiKeyRow, ApiKeyTables } from './api-keys.tables.ts';

export function createApiKeyStore(database: TenantDatabase, noteChange: NoteAccessChange) {
  return {
    async findByHash(keyHash: string): Promise<ApiKeyRow | null> {
      const row = await database.read((db: Kysely<ApiKeyTables>) =>
        db.selectFrom('api_keys').selectAll().where('key_hash', '=', keyHash).executeTakeFirst(),
      );
      return row ?? null;
    },
    /** Newest first. */
    async list(userId: string): Promise<ApiKeyRow[]> {
      return database.read((db: Kysely<ApiKeyTables>) =>
        db
          .selectFrom('api_keys')
          .selectAll()
          .where('user_id', '=', userId)
          .orderBy('created_at', 'desc')
          .orderBy('key_id')
          .execute(),
      );
    },
    /** Adds a key and removes the owner's expired or ended ones. */
    async insert(row: ApiKeyRow): Promise<void> {
      await database.write(async (db: Kysely<ApiKeyTables>) => {
        await db
          .deleteFrom('api_keys')
          .where('user_id', '=', row.user_id)
          .where(({ eb, or }) =>
            or([eb('session_epoch', '<', row.session_epoch), eb('expires_at', '<=', row.created_at)]),
          )
          .execute();
        await db.insertInto('api_keys').values(row).execute();
      });
    },
    async used(keyId: string, at: string): Promise<void> {
      await database.write((db: Kysely<ApiKeyTables>) =>
        db.updateTable('api_keys').set({ last_used_at: at }).where('key_id', '=', keyId).execute(),
      );
    },
    /** Returns false if the user has no such key. */
    async remove(userId: string, keyId: string): Promise<boolean> {
      return database.write(async (db: Kysely<ApiKeyTables>) => {
        const { numDeletedRows } = await db
          .deleteFrom('api_keys')
          .where('user_id', '=', userId)
          .where('key_id', '=', keyId)
          .executeTakeFirst();
        if (numDeletedRows > 0n) await noteChange(db, 'api_key', keyId);
        return numDeletedRows > 0n;
      });
    },
  };
}
