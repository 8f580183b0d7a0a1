import type { Kysely } from 'kysely';
import type { Migration } from '../../platform/database/migration.ts';
import { createTable, keyOf, notNull } from '../../platform/database/tables.ts';

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
      await createTable(schema, 'settings', [
        notNull(text, 'tenant_id', 'scope', 'id', 'name', 'json', 'sealed', 'revision', 'updated_by'),
        notNull(text, 'updated_at'),
        keyOf('tenant_id', 'scope', 'id', 'name'),
      ]);
    },
  },
];
