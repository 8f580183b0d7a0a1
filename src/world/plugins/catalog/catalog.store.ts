import type { Kysely } from 'kysely';
import type { CatalogSequenceRow, CatalogTables } from './catalog.tables.ts';

export type CatalogDb = Kysely<CatalogTables>;

/** Undefined if there was none yet. */
export async function highestSequence(db: CatalogDb, catalogKey: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('plugin_catalogs')
    .select('sequence')
    .where('catalog_key', '=', catalogKey)
    .executeTakeFirst();
  return row?.sequence;
}

/** Keeps the higher one if another process has seen a newer index meanwhile. */
export async function raiseSequence(db: CatalogDb, row: CatalogSequenceRow): Promise<void> {
  await db
    .insertInto('plugin_catalogs')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('catalog_key')
        .doUpdateSet({ sequence: row.sequence, seen_at: row.seen_at })
        .where('plugin_catalogs.sequence', '<', row.sequence),
    )
    .execute();
}
