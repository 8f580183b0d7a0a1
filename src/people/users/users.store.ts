import type { Kysely, Updateable } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { NoteAccessChange } from '../access-changes/index.ts';
import type { User } from './user.ts';
import type { UserRow, UserTables } from './users.tables.ts';

export type UserChanges = Omit<Updateable<UserRow>, 'user_id' | 'tenant_id' | 'session_epoch'>;

/** The column's value for a user who signs in by other means; no hash equals it. */
export const NO_PASSWORD = '';

const toUser = (row: UserRow): User => ({
  userId: row.user_id,
  tenantId: row.tenant_id,
  email: row.email,
  displayName: row.display_name,
  role: row.role,
  tenantRole: row.tenant_role,
  avatarUrl: row.avatar_url,
  emailVerified: row.email_verified === 1,
  isActive: row.is_active === 1,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  sessionEpoch: row.session_epoch,
});

export function createUserStore(database: TenantDatabase, noteChange: NoteAccessChange) {
  const findRow = async (column: 'user_id' | 'email', value: string): Promise<UserRow | null> => {
    const row = await database.read((db: Kysely<UserTables>) =>
      db.selectFrom('users').selectAll().where(column, '=', value).executeTakeFirst(),
    );
    return row ?? null;
  };

  return {
    async findById(userId: string): Promise<User | null> {
      const row = await findRow('user_id', userId);
      return row && toUser(row);
    },
    async findByEmail(email: string): Promise<{ user: User; passwordHash: string | null } | null> {
      const row = await findRow('email', email);
      return row && { user: toUser(row), passwordHash: row.password_hash || null };
    },
    async list(tenantId: string): Promise<User[]> {
      const rows = await database.read((db: Kysely<UserTables>) =>
        db
          .selectFrom('users')
          .selectAll()
          .where('tenant_id', '=', tenantId)
          .orderBy('created_at')
          .orderBy('user_id')
          .execute(),
      );
      return rows.map(toUser);
    },
    /** Oldest first. */
    async page(
      tenantId: string,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ total: number; users: User[] }> {
      return database.read(async (db: Kysely<UserTables>) => {
        const all = db.selectFrom('users').where('tenant_id', '=', tenantId);
        const { total } = await all
          .select(({ fn }) => fn.countAll<number | string>().as('total'))
          .executeTakeFirstOrThrow();
        const rows = await all
          .selectAll()
          .orderBy('created_at')
          .orderBy('user_id')
          .offset(offset)
          .limit(limit)
          .execute();
        return { total: Number(total), users: rows.map(toUser) };
      });
    },
    async countActive(tenantId: string): Promise<number> {
      const { total } = await database.read((db: Kysely<UserTables>) =>
        db
          .selectFrom('users')
          .select(({ fn }) => fn.countAll<number | string>().as('total'))
          .where('tenant_id', '=', tenantId)
          .where('is_active', '=', 1)
          .executeTakeFirstOrThrow(),
      );
      return Number(total);
    },
    async isEmpty(): Promise<boolean> {
      const row = await database.read((db: Kysely<UserTables>) =>
        db.selectFrom('users').select('user_id').limit(1).executeTakeFirst(),
      );
      return row === undefined;
    },
    async insert(row: UserRow): Promise<User> {
      await database.write((db: Kysely<UserTables>) => db.insertInto('users').values(row).execute());
      return toUser(row);
    },
    /** A closed account loses its sessions for good. */
    async update(userId: string, changes: UserChanges): Promise<void> {
      await database.write(async (db: Kysely<UserTables>) => {
        await db
          .updateTable('users')
          .set((row) => ({
            ...changes,
            ...(changes.is_active === 0 && { session_epoch: row('session_epoch', '+', 1) }),
          }))
          .where('user_id', '=', userId)
          .execute();
        if (changes.role !== undefined || changes.is_active !== undefined)
          await noteChange(db, 'user', userId);
      });
    },
    async remove(userId: string): Promise<void> {
      await database.write(async (db: Kysely<UserTables>) => {
        await db.deleteFrom('users').where('user_id', '=', userId).execute();
        await noteChange(db, 'user', userId);
      });
    },
    /** Removes the password and ends all sessions, unless the address was verified by mail before `before` or needed no verification. */
    async claim(userId: string, { before, now }: { before: string; now: string }): Promise<boolean> {
      return database.write(async (db: Kysely<UserTables>) => {
        const { numUpdatedRows } = await db
          .updateTable('users')
          .set((row) => ({
            password_hash: NO_PASSWORD,
            email_verified: 1,
            email_verified_at: null,
            updated_at: now,
            session_epoch: row('session_epoch', '+', 1),
          }))
          .where('user_id', '=', userId)
          .where(({ or, eb }) => or([eb('email_verified', '=', 0), eb('email_verified_at', '>', before)]))
          .executeTakeFirst();
        if (numUpdatedRows === 0n) return false;
        await noteChange(db, 'user', userId);
        return true;
      });
    },
    /** Ends all sessions of the user, by a new epoch. */
    async changePassword(userId: string, passwordHash: string, updatedAt: string): Promise<void> {
      await database.write(async (db: Kysely<UserTables>) => {
        await db
          .updateTable('users')
          .set((row) => ({
            password_hash: passwordHash,
            updated_at: updatedAt,
            session_epoch: row('session_epoch', '+', 1),
          }))
          .where('user_id', '=', userId)
          .execute();
        await noteChange(db, 'user', userId);
      });
    },
  };
}
