import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { InviteRow, InviteTables } from './invites.tables.ts';

export function createInviteStore(database: TenantDatabase) {
  return {
    /** Replaces the address's earlier open invitations. */
    async replace(row: InviteRow): Promise<void> {
      await database.write(async (db: Kysely<InviteTables>) => {
        await db
          .deleteFrom('invites')
          .where('tenant_id', '=', row.tenant_id)
          .where('email', '=', row.email)
          .where('accepted_at', 'is', null)
          .execute();
        await db.insertInto('invites').values(row).execute();
      });
    },

    /** Newest first. */
    async page(
      tenantId: string,
      { offset, limit }: { offset: number; limit: number },
    ): Promise<{ total: number; rows: InviteRow[] }> {
      return database.read(async (db: Kysely<InviteTables>) => {
        const all = db.selectFrom('invites').where('tenant_id', '=', tenantId);
        const { total } = await all
          .select(({ fn }) => fn.countAll<number | string>().as('total'))
          .executeTakeFirstOrThrow();
        const rows = await all
          .selectAll()
          .orderBy('created_at', 'desc')
          .orderBy('invite_id')
          .offset(offset)
          .limit(limit)
          .execute();
        return { total: Number(total), rows };
      });
    },

    async remove(tenantId: string, inviteId: string): Promise<boolean> {
      const { numDeletedRows } = await database.write((db: Kysely<InviteTables>) =>
        db
          .deleteFrom('invites')
          .where('tenant_id', '=', tenantId)
          .where('invite_id', '=', inviteId)
          .where('accepted_at', 'is', null)
          .executeTakeFirst(),
      );
      return numDeletedRows > 0n;
    },

    async removeOf(userId: string): Promise<void> {
      await database.write((db: Kysely<InviteTables>) =>
        db.deleteFrom('invites').where('created_by', '=', userId).where('accepted_at', 'is', null).execute(),
      );
    },

    async removeAll(tenantId: string): Promise<void> {
      await database.write((db: Kysely<InviteTables>) =>
        db.deleteFrom('invites').where('tenant_id', '=', tenantId).execute(),
      );
    },

    /** An invitation that is still valid. */
    async find(tokenHash: string, at: string): Promise<InviteRow | null> {
      const row = await database.read((db: Kysely<InviteTables>) =>
        db
          .selectFrom('invites')
          .selectAll()
          .where('token_hash', '=', tokenHash)
          .where('accepted_at', 'is', null)
          .where('expires_at', '>', at)
          .executeTakeFirst(),
      );
      return row ?? null;
    },

    /** Takes a valid invitation: only one of several concurrent calls gets it. */
    async take(tokenHash: string, at: string): Promise<boolean> {
      const { numUpdatedRows } = await database.write((db: Kysely<InviteTables>) =>
        db
          .updateTable('invites')
          .set({ accepted_at: at })
          .where('token_hash', '=', tokenHash)
          .where('accepted_at', 'is', null)
          .where('expires_at', '>', at)
          .executeTakeFirst(),
      );
      return numUpdatedRows === 1n;
    },

    /** Makes a taken invitation valid again. */
    async release(inviteId: string): Promise<void> {
      await database.write((db: Kysely<InviteTables>) =>
        db.updateTable('invites').set({ accepted_at: null }).where('invite_id', '=', inviteId).execute(),
      );
    },
  };
}
