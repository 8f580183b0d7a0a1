import type { Kysely } from 'kysely';
import type { TenantDatabase } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import type { LetterRow, LetterTables } from './letters.tables.ts';

export async function insertLetter(db: Executor, row: LetterRow): Promise<void> {
  await (db as Kysely<LetterTables>).insertInto('letters').values(row).execute();
}

export const createLetterStore = (database: TenantDatabase) => ({
  due: (atMs: number, most: number): Promise<LetterRow[]> =>
    database.read((db: Kysely<LetterTables>) =>
      db
        .selectFrom('letters')
        .selectAll()
        .where('due_at', '<=', atMs)
        .orderBy('due_at')
        .orderBy('letter_id')
        .limit(most)
        .execute(),
    ),
  async remove(letterId: string): Promise<void> {
    await database.write((db: Kysely<LetterTables>) =>
      db.deleteFrom('letters').where('letter_id', '=', letterId).execute(),
    );
  },
  async postpone(letterId: string, dueAtMs: number, attempts: number): Promise<void> {
    await database.write((db: Kysely<LetterTables>) =>
      db
        .updateTable('letters')
        .set({ due_at: dueAtMs, attempts })
        .where('letter_id', '=', letterId)
        .execute(),
    );
  },
});
