import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';

/** The decisions of people about a plugin. Without a row it is enabled, and nobody has answered what it wants. */
export interface PluginStateRow {
  tenant_id: string;
  project_id: string;
  plugin_id: string;
  /** 0 or 1 */
  enabled: number;
  /** JSON: `PermissionAnswers`. */
  answers: string;
  /** JSON: times (ms) of breaks of limits by its guest. */
  breaks: string;
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

export interface PluginValueRow {
  tenant_id: string;
  project_id: string;
  plugin_id: string;
  key: string;
  value: string;
  /** Bytes of key and value. */
  size: number;
}

export interface PluginLogRow {
  tenant_id: string;
  project_id: string;
  plugin_id: string;
  /** Grows with the lines of one plugin. */
  seq: number;
  at: string;
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  /** `said` by the guest; `did`, `refused` and `failed` are the service's words about it. */
  kind: 'said' | 'did' | 'refused' | 'failed';
  /** The export that was called; null for a line of no call. */
  call: string | null;
  /** `type/id` of the entity, or method and path of the request. */
  about: string | null;
  /** Milliseconds of the whole call. */
  took_ms: number | null;
}

/** How often an export of a guest was called, and how it went. */
export interface PluginCallCountRow {
  tenant_id: string;
  project_id: string;
  plugin_id: string;
  call: string;
  calls: number;
  failed: number;
  /** Microseconds of all calls. */
  took_us: number;
  slowest_us: number;
  last_at: string;
  last_failed_at: string | null;
}

/** A fault that a guest finds in an entity as it is stored. */
export interface PluginFindingRow {
  tenant_id: string;
  project_id: string;
  plugin_id: string;
  /** SHA-256 of the guest that found it: what a former version found does not count. */
  component: string;
  entity_row_id: number;
  position: number;
  severity: 'info' | 'warning' | 'error';
  field: string | null;
  message: string;
}

export interface PluginTables {
  plugin_states: PluginStateRow;
  plugin_records: PluginRecordRow;
  plugin_values: PluginValueRow;
  plugin_log: PluginLogRow;
  plugin_call_counts: PluginCallCountRow;
  plugin_findings: PluginFindingRow;
}

export const pluginMigrations: readonly Migration[] = [
  {
    name: 'plugins-1',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'plugin_states', [
        notNull(text, 'tenant_id', 'project_id', 'plugin_id'),
        notNull('integer', 'enabled'),
        notNull(text, 'answers', 'breaks'),
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
      await createTable(schema, 'plugin_values', [
        notNull(text, 'tenant_id', 'project_id', 'plugin_id', 'key', 'value'),
        notNull('integer', 'size'),
        keyOf('tenant_id', 'project_id', 'plugin_id', 'key'),
      ]);
      await createTable(schema, 'plugin_log', [
        notNull(text, 'tenant_id', 'project_id', 'plugin_id'),
        notNull('integer', 'seq'),
        notNull(text, 'at', 'level', 'message'),
        keyOf('tenant_id', 'project_id', 'plugin_id', 'seq'),
      ]);
      await createTable(schema, 'plugin_findings', [
        notNull(text, 'tenant_id', 'project_id', 'plugin_id', 'component'),
        notNull(bigint, 'entity_row_id'),
        notNull('integer', 'position'),
        notNull(text, 'severity'),
        nullable(text, 'field'),
        notNull(text, 'message'),
        keyOf('tenant_id', 'project_id', 'plugin_id', 'entity_row_id', 'position'),
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
  {
    name: 'plugins-2',
    async up({ schema }, { text, bigint }) {
      const log = schema.alterTable('plugin_log');
      await log.addColumn('kind', text, (column) => column.notNull().defaultTo('said')).execute();
      for (const name of ['call', 'about']) await log.addColumn(name, text).execute();
      await log.addColumn('took_ms', 'integer').execute();
      await createTable(schema, 'plugin_call_counts', [
        notNull(text, 'tenant_id', 'project_id', 'plugin_id', 'call'),
        notNull(bigint, 'calls', 'failed', 'took_us', 'slowest_us'),
        notNull(text, 'last_at'),
        nullable(text, 'last_failed_at'),
        keyOf('tenant_id', 'project_id', 'plugin_id', 'call'),
      ]);
      // Each record that is stored adds up all sizes.
      await createIndex(schema, 'plugin_records_size', 'plugin_records', [
        'tenant_id',
        'project_id',
        'plugin_id',
        'size',
      ]);
    },
  },
];
