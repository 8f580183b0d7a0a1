import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

/** What people decided about a plugin. Without a row it is enabled, and nobody has answered what it wants. */
export interface PluginStateRow {
  tenant_id: string;
  project_id: string;
  plugin_id: string;
  /** 0 or 1 */
  enabled: number;
  /** JSON: `PermissionAnswers`. */
  answers: string;
  installed_at: string | null;
  installed_by: string | null;
}

export interface PluginRecordRow {
  tenant_id: string;
  project_id: string;
  plugin_id: string;
  record_type: string;
  record_id: string;
  entity_type: string | null;
  entity_id: string | null;
  /** Of the entity, if there was one when the record was stored. */
  entity_row_id: number | null;
  /** JSON */
  data: string;
  /** Bytes of `data`. */
  size: number;
  created_at: string;
  created_by: string;
  updated_at: string;
  updated_by: string;
  deleted_at: string | null;
}

export interface PluginTables {
  plugin_states: PluginStateRow;
  plugin_records: PluginRecordRow;
}

export const pluginMigrations: readonly Migration[] = [
  {
    name: 'plugins-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'plugin_states', [
        notNull(text, 'tenant_id', 'project_id', 'plugin_id'),
        notNull('integer', 'enabled'),
        notNull(text, 'answers'),
        nullable(text, 'installed_at', 'installed_by'),
        keyOf('tenant_id', 'project_id', 'plugin_id'),
      ]);
      await createTable(schema, 'plugin_records', [
        notNull(text, 'tenant_id', 'project_id', 'plugin_id', 'record_type', 'record_id'),
        nullable(text, 'entity_type', 'entity_id'),
        nullable(bigint, 'entity_row_id'),
        notNull(text, 'data'),
        notNull('integer', 'size'),
        notNull(text, 'created_at', 'created_by', 'updated_at', 'updated_by'),
        nullable(text, 'deleted_at'),
        keyOf('tenant_id', 'project_id', 'plugin_id', 'record_type', 'record_id'),
      ]);
      await createIndex(schema, 'plugin_records_newest', 'plugin_records', [
        'tenant_id',
        'project_id',
        'plugin_id',
        'record_type',
        'created_at',
      ]);
    },
  },
];
