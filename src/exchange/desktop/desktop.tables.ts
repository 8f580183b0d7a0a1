import type { Migration } from '../../platform/database/migration.ts';

/** A project that a desktop install was told of. */
export interface DesktopProjectRow {
  tenant_id: string;
  project_id: string;
  /** An absolute path; null for a project that lies where every core keeps it. */
  folder: string | null;
  added_at: string;
  /** The latest one is the active project. */
  activated_at: string | null;
  /** Since when the install works with it no more; its rows stay, so that it can come back with its history. */
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
