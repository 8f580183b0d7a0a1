import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, notNull } from '../../platform/database/tables.ts';
import type { RecordTables } from '../records/index.ts';

export interface ImportReportsTable {
  operation_id: string;
  tenant_id: string;
  project_id: string;
  /** `{totals, notes, refused}` as JSON text. */
  report: string;
  made_at: string;
}

export interface ImportTables extends RecordTables {
  import_reports: ImportReportsTable;
}

export type ImportDb = Kysely<ImportTables>;

export const importMigrations: readonly Migration[] = [
  {
    name: 'imports-1',
    async up({ schema }, { text }) {
      await createTable(schema, 'import_reports', [
        key(text, 'operation_id'),
        notNull(text, 'tenant_id', 'project_id', 'report', 'made_at'),
      ]);
      await createIndex(schema, 'import_reports_by_time', 'import_reports', [
        'tenant_id',
        'project_id',
        'made_at',
      ]);
    },
  },
];
