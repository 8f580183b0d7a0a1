import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
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
      await schema
        .createTable('import_reports')
        .addColumn('operation_id', text, (c) => c.primaryKey())
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('report', text, (c) => c.notNull())
        .addColumn('made_at', text, (c) => c.notNull())
        .execute();
      await schema
        .createIndex('import_reports_by_time')
        .on('import_reports')
        .columns(['tenant_id', 'project_id', 'made_at'])
        .execute();
    },
  },
];
