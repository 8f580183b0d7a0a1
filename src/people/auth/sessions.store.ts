import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { NoteAccessChange } from '../access-changes/index.ts';
import type { SessionRow, SessionTables } from './sessions.tables.ts';

export function createSessionStore(database: TenantDatabase, noteChange: NoteAccessChange) {
  return {
    async find(sessionId: string): Promise<SessionRow | null> {
      const row = await database.read((db: Kysely<SessionTables>) =>
        db.selectFrom('auth_sessions').selectAll().where('session_id', '=', sessionId).executeTakeFirst(),
      );
      return row ?? null;
    },
    /** The last sign-in or refresh of each of the users who has a session. */
    async lastActive(userIds: readonly string[]): Promise<{ user_id: string; at: string }[]> {
      if (userIds.length === 0) return [];
      return database.read((db: Kysely<SessionTables>) =>
        db
          .selectFrom('auth_sessions')
          .select(({ fn }) => ['user_id', fn.max('refreshed_at').as('at')])
          .where('user_id', 'in', userIds)
          .groupBy('user_id')
          .execute(),
      );
    },
    /** Adds a session and removes expired ones. */
    async insert(row: SessionRow): Promise<void> {
      await database.write(async (db: Kysely<SessionTables>) => {
        await db.deleteFrom('auth_sessions').where('expires_at', '<', row.created_at).execute();
        await db.insertInto('auth_sessions').values(row).execute();
      });
    },
    /** Takes the next refresh number; returns false if another request took it or the session has ended. */
    async advance(session: SessionRow, at: string, expiresAt: string): Promise<boolean> {
      const { numUpdatedRows } = await database.write((db: Kysely<SessionTables>) =>
        db
          .updateTable('auth_sessions')
          .set({ refresh_number: session.refresh_number + 1, refreshed_at: at, expires_at: expiresAt })
          .where('session_id', '=', session.session_id)
          .where('refresh_number', '=', session.refresh_number)
          .where('revoked_at', 'is', null)
          .executeTakeFirst(),
      );
      return numUpdatedRows === 1n;
    },
    async setEpoch(sessionId: string, sessionEpoch: number): Promise<void> {
      await database.write((db: Kysely<SessionTables>) =>
        db
          .updateTable('auth_sessions')
          .set({ session_epoch: sessionEpoch })
          .where('session_id', '=', sessionId)
          .where('revoked_at', 'is', null)
          .execute(),
      );
    },
    async revoke(sessionId: string, at: string): Promise<void> {
      await database.write(async (db: Kysely<SessionTables>) => {
        const { numUpdatedRows } = await db
          .updateTable('auth_sessions')
          .set({ revoked_at: at })
          .where('session_id', '=', sessionId)
          .where('revoked_at', 'is', null)
          .executeTakeFirst();
        if (numUpdatedRows > 0n) await noteChange(db, 'session', sessionId);
      });
    },
  };
}
