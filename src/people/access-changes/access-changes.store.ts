import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { AccessChangeRow, AccessTables } from './access-changes.tables.ts';

/**
 * Runs in the caller's transaction and removes old changes. The sequence row stays locked until the commit, so numbers become
 * visible in order.
 */
export async function insertAccessChange(
  transaction: Executor,
  change: Omit<AccessChangeRow, 'seq'>,
  droppedBefore: string,
): Promise<void> {
  const db = transaction as Kysely<AccessTables>;
  const { seq } = await db
    .updateTable('access_sequence')
    .set((eb) => ({ seq: eb('seq', '+', 1) }))
    .returning('seq')
    .executeTakeFirstOrThrow();
  await db.deleteFrom('access_changes').where('changed_at', '<', droppedBefore).execute();
  await db
    .insertInto('access_changes')
    .values({ seq, ...change })
    .execute();
}

export function createAccessChangeStore(database: TenantDatabase) {
  return {
    latest: async (): Promise<number> => {
      const { seq } = await database.read((db: Kysely<AccessTables>) =>
        db.selectFrom('access_sequence').select('seq').executeTakeFirstOrThrow(),
      );
      return seq;
    },
    since: (after: number, limit: number): Promise<AccessChangeRow[]> =>
      database.read((db: Kysely<AccessTables>) =>
        db
          .selectFrom('access_changes')
          .selectAll()
          .where('seq', '>', after)
          .orderBy('seq')
          .limit(limit)
          .execute(),
      ),
  };
}
