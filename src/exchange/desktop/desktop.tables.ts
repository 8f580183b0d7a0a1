import type { Migration } from '../../platform/database/migration.ts';
import { createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

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
      await createTable(schema, 'desktop_projects', [
        notNull(text, 'tenant_id', 'project_id'),
        nullable(text, 'folder'),
        notNull(text, 'added_at'),
        nullable(text, 'activated_at', 'removed_at'),
        keyOf('tenant_id', 'project_id'),
      ]);
    },
  },
];
