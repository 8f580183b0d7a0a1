import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';

export interface SettingsRow {
  tenant_id: string;
  scope: string;
  /** The id of the tenant, user or project that `scope` says. */
  id: string;
  name: string;
  json: string;
  sealed: string;
  revision: string;
  updated_by: string;
  updated_at: string;
}

export interface SettingsTables {
  settings: SettingsRow;
}
export type SettingsDb = Kysely<SettingsTables>;

export const settingsMigrations: readonly Migration[] = [
  {
    name: 'settings-1',
    async up({ schema }, { text }) {
      await schema
        .createTable('settings')
        .addColumn('tenant_id', text, (column) => column.notNull())
        .addColumn('scope', text, (column) => column.notNull())
        .addColumn('id', text, (column) => column.notNull())
        .addColumn('name', text, (column) => column.notNull())
        .addColumn('json', text, (column) => column.notNull())
        .addColumn('sealed', text, (column) => column.notNull())
        .addColumn('revision', text, (column) => column.notNull())
        .addColumn('updated_by', text, (column) => column.notNull())
        .addColumn('updated_at', text, (column) => column.notNull())
        .addPrimaryKeyConstraint('settings_key', ['tenant_id', 'scope', 'id', 'name'])
        .execute();
    },
  },
];
