import type { Migration } from '../../platform/database/migration.ts';

export interface DesktopProjectRow {
  tenant_id: string;
  project_id: string;
  /** Absolute; null for a project in the default place. */
  folder: string | null;
  added_at: string;
  /** The project with the latest time is active. */
  activated_at: string | null;
  /** Set when the project was removed; its rows stay, so that it can come back with its history. */
  removed_at: string | null;
}

export interface DesktopTables {
  desktop_projects: DesktopProjectRow;
}

export const desktopMigrations: readonly Migration[] = [
  {
    name: 'desktop-1-projects',
    async up({ schema }, { text }) {
      await schema
        .createTable('desktop_projects')
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('project_id', text, (column) => column.notNull())
        .addColumn('folder', text)
        .addColumn('added_at', text, (column) => column.notNull())
        .addColumn('activated_at', text)
        .addColumn('removed_at', text)
        .addPrimaryKeyConstraint('desktop_projects_key', ['tenant_id', 'project_id'])
        .execute();
    },
  },
];
