import type { Migration } from '../../../platform/database/migration.ts';
import { createTable, key, notNull } from '../../../platform/database/tables.ts';

/** The installation's: the newest index that was seen of whoever signs with a key, so that no older one is taken for it. */
export interface CatalogSequenceRow {
  /** The public key in base64. */
  catalog_key: string;
  sequence: number;
  seen_at: string;
}

export interface CatalogTables {
  plugin_catalogs: CatalogSequenceRow;
}

export const catalogMigrations: readonly Migration[] = [
  {
    name: 'plugin-catalogs-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'plugin_catalogs', [
        key(text, 'catalog_key'),
        notNull(bigint, 'sequence'),
        notNull(text, 'seen_at'),
      ]);
    },
  },
];
