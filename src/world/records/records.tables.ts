import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReferenceKind } from '../../content/references/index.ts';
import type { Migration } from '../../platform/database/migration.ts';
import type { ChangeSource } from '../texts/index.ts';
import { ROW_IDS_PER_PROJECT } from './scope.ts';

export interface ProjectsTable {
  tenant_id: string;
  project_id: string;
  /** Distinguishes the row ids of projects: `row_id = number * 2^32 + seq`. */
  number: number;
  /** The last sequence number that was given to a change. */
  seq: number;
  /** Grows when the set of files changes (spec 1 §9). */
  manifest_version: number;
  /** The pending stop of a sweep that would delete too much, as JSON; null when there is none. */
  brake: string | null;
  created_at: string;
}

/** The narrow half of an entity: what lists pick and sort by. */
export interface EntitiesTable {
  row_id: number;
  tenant_id: string;
  project_id: string;
  entity_type: string;
  entity_id: string;
  name: string;
  /** The name folded for sorting. */
  name_key: string;
  status: string;
  version: number;
  seq: number;
  /** 0 or 1 */
  is_valid: number;
  created_at: string;
  updated_at: string;
  updated_by: string | null;
  source: ChangeSource;
  /** JSON list of the fields and attributes that the newest change touched. */
  changed: string;
  checksum: string;
  file_checksum: string;
  path: string;
  /** The operation that made the newest change; null for a change of its own. */
  operation_id: string | null;
}

export type EntityRow = Selectable<EntitiesTable>;

/** The wide half: the reply's text, and what stands before the body in the file. */
export interface EntityDocumentsTable {
  row_id: number;
  json: string;
  head: string;
}

/** A superseded state of an entity, kept as the file's text: in full while it is recent, packed later. */
export interface EntityRevisionsTable {
  row_id: number;
  version: number;
  tenant_id: string;
  /** As it was then: a rename gives another. */
  entity_id: string | null;
  path: string | null;
  name: string;
  status: string;
  checksum: string;
  file_checksum: string;
  /** Empty where the text is packed. */
  content: string;
  /** The text compressed, in full or as what it takes to make it from the next newer version (`delta_of`). */
  packed: Uint8Array | null;
  delta_of: number | null;
  /** For a state that lost a conflict and so was never the entity's own: the version that it was made from. */
  parent: number | null;
  source: ChangeSource;
  changed: string;
  created_at: string;
  created_by: string | null;
  operation_id: string | null;
}

export interface RecycleItemsTable {
  item_id: string;
  tenant_id: string;
  project_id: string;
  entity_type: string;
  entity_id: string;
  name: string;
  row_id: number;
  version: number;
  /** Where the entity's folder lies now, under `_RecycleBin/`; null when it was deleted outside. */
  folder: string | null;
  /** The folder it came from. */
  original_folder: string;
  path: string;
  /** The file's full text, so that a deletion outside can be undone as well. */
  content: string;
  /** JSON of the entity's row, for its return. */
  record: string;
  deleted_at: string;
  deleted_by: string | null;
}

/** What an entity refers to, one row an edge. */
export interface EntityReferencesTable {
  row_id: number;
  /** Its place among the entity's edges, from 0. */
  position: number;
  /** `bucketOf(row_id)`: the leading part of the index by target. */
  bucket: number;
  /** Dotted path of the field, or `markdown_body`. */
  field: string;
  kind: ReferenceKind;
  /** Null for a link that names no type. */
  to_type: string | null;
  to_id: string;
}

export type EntryType = 'markdown' | 'asset' | 'template' | 'rule' | 'other';

/** A time that a replica was told to go on from. */
interface ToldTimesTable {
  tenant_id: string;
  project_id: string;
  told_at: string;
  /** The last change that the replica has seen then. */
  seq: number;
  listing: number;
}

/** One file of a project, or, with `deleted_at`, the trace of one for 30 days. */
export interface FilesTable {
  tenant_id: string;
  project_id: string;
  path: string;
  entry_type: EntryType;
  entity_type: string | null;
  entity_id: string | null;
  size: number;
  mtime_ms: number;
  ctime_ms: number;
  ino: number;
  sha256: string;
  /** What an asset's bytes are; null for other files. */
  media_type: string | null;
  seq: number;
  added_at: string;
  changed_at: string;
  deleted_at: string | null;
  /** JSON of what is wrong with the file: `{reason, line, column}`; null when nothing is. */
  problem: string | null;
}

/** What clients are told of, in the order of commits; `forgetEvents` bounds it. */
export interface ProjectEventsTable {
  tenant_id: string;
  project_id: string;
  /** Of the project's counter. */
  seq: number;
  /** The event's JSON; null: everything is to be read anew. */
  body: string | null;
  at: string;
}

export interface EntityCountsTable {
  tenant_id: string;
  project_id: string;
  entity_type: string;
  status: string;
  total: number;
}

export interface RecordTables {
  projects: ProjectsTable;
  entities: EntitiesTable;
  entity_documents: EntityDocumentsTable;
  entity_revisions: EntityRevisionsTable;
  recycle_items: RecycleItemsTable;
  files: FilesTable;
  entity_counts: EntityCountsTable;
  entity_references: EntityReferencesTable;
  project_events: ProjectEventsTable;
  told_times: ToldTimesTable;
}

/** Rows of templates stand among the entities under this type (spec 1 §2.2) and count nowhere. */
export const TEMPLATE_ROW_TYPE = 'Template';

export const recordMigrations: readonly Migration[] = [
  {
    name: 'records-1',
    async up({ schema }, { text, bigint, double }) {
      await schema
        .createTable('projects')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('number', 'integer', (c) => c.notNull().unique())
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('manifest_version', bigint, (c) => c.notNull())
        .addColumn('brake', text)
        .addColumn('created_at', text, (c) => c.notNull())
        .addPrimaryKeyConstraint('projects_key', ['tenant_id', 'project_id'])
        .execute();
      await schema
        .createTable('entities')
        .addColumn('row_id', bigint, (c) => c.primaryKey())
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('entity_type', text, (c) => c.notNull())
        .addColumn('entity_id', text, (c) => c.notNull())
        .addColumn('name', text, (c) => c.notNull())
        .addColumn('name_key', text, (c) => c.notNull())
        .addColumn('status', text, (c) => c.notNull())
        .addColumn('version', bigint, (c) => c.notNull())
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('is_valid', 'integer', (c) => c.notNull())
        .addColumn('created_at', text, (c) => c.notNull())
        .addColumn('updated_at', text, (c) => c.notNull())
        .addColumn('updated_by', text)
        .addColumn('source', text, (c) => c.notNull())
        .addColumn('changed', text, (c) => c.notNull())
        .addColumn('checksum', text, (c) => c.notNull())
        .addColumn('file_checksum', text, (c) => c.notNull())
        .addColumn('path', text, (c) => c.notNull())
        .execute();
      await schema
        .createIndex('entities_by_id')
        .unique()
        .on('entities')
        .columns(['tenant_id', 'project_id', 'entity_type', 'entity_id'])
        .execute();
      await schema
        .createIndex('entities_by_update')
        .on('entities')
        .columns(['tenant_id', 'project_id', 'entity_type', 'updated_at', 'row_id'])
        .execute();
      await schema
        .createTable('entity_documents')
        .addColumn('row_id', bigint, (c) => c.primaryKey())
        .addColumn('json', text, (c) => c.notNull())
        .addColumn('head', text, (c) => c.notNull())
        .execute();
      await schema
        .createTable('entity_revisions')
        .addColumn('row_id', bigint, (c) => c.notNull())
        .addColumn('version', bigint, (c) => c.notNull())
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('name', text, (c) => c.notNull())
        .addColumn('status', text, (c) => c.notNull())
        .addColumn('checksum', text, (c) => c.notNull())
        .addColumn('file_checksum', text, (c) => c.notNull())
        .addColumn('content', text, (c) => c.notNull())
        .addColumn('source', text, (c) => c.notNull())
        .addColumn('changed', text, (c) => c.notNull())
        .addColumn('created_at', text, (c) => c.notNull())
        .addColumn('created_by', text)
        .addPrimaryKeyConstraint('entity_revisions_key', ['row_id', 'version'])
        .execute();
      await schema
        .createTable('recycle_items')
        .addColumn('item_id', text, (c) => c.primaryKey())
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('entity_type', text, (c) => c.notNull())
        .addColumn('entity_id', text, (c) => c.notNull())
        .addColumn('name', text, (c) => c.notNull())
        .addColumn('row_id', bigint, (c) => c.notNull())
        .addColumn('version', bigint, (c) => c.notNull())
        .addColumn('folder', text)
        .addColumn('original_folder', text, (c) => c.notNull())
        .addColumn('path', text, (c) => c.notNull())
        .addColumn('content', text, (c) => c.notNull())
        .addColumn('record', text, (c) => c.notNull())
        .addColumn('deleted_at', text, (c) => c.notNull())
        .addColumn('deleted_by', text)
        .execute();
      await schema
        .createIndex('recycle_items_by_time')
        .on('recycle_items')
        .columns(['tenant_id', 'project_id', 'deleted_at'])
        .execute();
      await schema
        .createTable('files')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('path', text, (c) => c.notNull())
        .addColumn('entry_type', text, (c) => c.notNull())
        .addColumn('entity_type', text)
        .addColumn('entity_id', text)
        .addColumn('size', bigint, (c) => c.notNull())
        .addColumn('mtime_ms', double, (c) => c.notNull())
        .addColumn('ctime_ms', double, (c) => c.notNull())
        .addColumn('ino', double, (c) => c.notNull())
        .addColumn('sha256', text, (c) => c.notNull())
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('added_at', text, (c) => c.notNull())
        .addColumn('changed_at', text, (c) => c.notNull())
        .addColumn('deleted_at', text)
        .addColumn('problem', text)
        .addPrimaryKeyConstraint('files_key', ['tenant_id', 'project_id', 'path'])
        .execute();
      await schema
        .createIndex('files_by_seq')
        .on('files')
        .columns(['tenant_id', 'project_id', 'seq'])
        .execute();
      await schema
        .createTable('entity_counts')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('entity_type', text, (c) => c.notNull())
        .addColumn('status', text, (c) => c.notNull())
        .addColumn('total', bigint, (c) => c.notNull())
        .addPrimaryKeyConstraint('entity_counts_key', ['tenant_id', 'project_id', 'entity_type', 'status'])
        .execute();
    },
  },
  { name: 'records-2-search', up: (db, { fullText }) => fullText.createIndex(db) },
  {
    name: 'records-3-recycled-lives',
    up: ({ schema }) =>
      schema
        .createIndex('recycle_items_by_row')
        .on('recycle_items')
        .columns(['tenant_id', 'row_id'])
        .execute(),
  },
  { name: 'records-4-search-buffer', up: (db, { fullText }) => fullText.createBuffer(db) },
  {
    name: 'records-5-references',
    async up(db, { text, bigint }) {
      const { schema } = db;
      await schema
        .createTable('entity_references')
        .addColumn('row_id', bigint, (c) => c.notNull())
        .addColumn('position', 'integer', (c) => c.notNull())
        .addColumn('bucket', bigint, (c) => c.notNull())
        .addColumn('field', text, (c) => c.notNull())
        .addColumn('kind', text, (c) => c.notNull())
        .addColumn('to_type', text)
        .addColumn('to_id', text, (c) => c.notNull())
        .addPrimaryKeyConstraint('entity_references_key', ['row_id', 'position'])
        .execute();
      await schema
        .createIndex('entity_references_by_target')
        .on('entity_references')
        .columns(['bucket', 'to_id', 'row_id', 'position', 'to_type'])
        .execute();
      await schema
        .createIndex('entities_by_plain_id')
        .on('entities')
        .columns(['tenant_id', 'project_id', 'entity_id'])
        .execute();
      // The next full sync takes every template for changed, and renders all entities of its type with their edges.
      await (db as RecordsDb)
        .updateTable('files')
        .set({ ctime_ms: 0 })
        .where('entry_type', '=', 'template')
        .execute();
    },
  },
  {
    name: 'records-6-operations',
    async up({ schema }, { text }) {
      for (const table of ['entities', 'entity_revisions']) {
        await schema.alterTable(table).addColumn('operation_id', text).execute();
      }
    },
  },
  {
    name: 'records-7-history',
    async up({ schema }, { text, bigint, bytes }) {
      for (const [column, type] of [
        ['entity_id', text],
        ['path', text],
        ['packed', bytes],
        ['delta_of', bigint],
        ['parent', bigint],
      ] as const) {
        await schema
          .alterTable('entity_revisions')
          .addColumn(column, type as typeof text)
          .execute();
      }
      await schema
        .createIndex('entity_revisions_plain')
        .on('entity_revisions')
        .columns(['tenant_id', 'row_id'])
        .where(sql.ref('packed'), 'is', null)
        .execute();
    },
  },
  {
    name: 'records-8-questions',
    async up(db) {
      // The next full sync takes every rule file for changed, and asks what rules ask about other entities.
      await (db as RecordsDb)
        .updateTable('files')
        .set({ ctime_ms: 0 })
        .where('entry_type', '=', 'rule')
        .execute();
    },
  },
  {
    name: 'records-9-owners',
    up: async () => {},
    rowOwner: {
      column: 'row_id',
      keys: 'select number from projects where tenant_id = tenant',
      isOf: (keys) => `row_id / ${ROW_IDS_PER_PROJECT} = any (${keys})`,
    },
  },
  {
    name: 'records-10-media-types',
    async up(db, { text }) {
      await db.schema.alterTable('files').addColumn('media_type', text).execute();
      // The next full sync reads every asset once more, to see what it is.
      await (db as RecordsDb)
        .updateTable('files')
        .set({ ctime_ms: 0 })
        .where('entry_type', '=', 'asset')
        .execute();
    },
  },
  {
    name: 'records-11-events',
    up: ({ schema }, { text, bigint }) =>
      schema
        .createTable('project_events')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('body', text)
        .addColumn('at', text, (c) => c.notNull())
        .addPrimaryKeyConstraint('project_events_key', ['tenant_id', 'project_id', 'seq'])
        .execute(),
  },
  {
    name: 'records-12-problems',
    up: ({ schema }) =>
      schema
        .createIndex('files_with_problems')
        .on('files')
        .columns(['tenant_id', 'project_id', 'path'])
        .where(sql.ref('problem'), 'is not', null)
        .execute(),
  },
  {
    name: 'records-13-told-times',
    up: ({ schema }, { text, bigint }) =>
      schema
        .createTable('told_times')
        .addColumn('tenant_id', text, (c) => c.notNull())
        .addColumn('project_id', text, (c) => c.notNull())
        .addColumn('told_at', text, (c) => c.notNull())
        .addColumn('seq', bigint, (c) => c.notNull())
        .addColumn('listing', 'integer', (c) => c.notNull())
        .addPrimaryKeyConstraint('told_times_key', ['tenant_id', 'project_id', 'told_at'])
        .execute(),
  },
  {
    name: 'records-14-faults',
    async up(db) {
      // The next full sync reads every such file again, and its entity says then what is wrong.
      await (db as RecordsDb)
        .updateTable('files')
        .set({ ctime_ms: 0 })
        .where('problem', 'is not', null)
        .execute();
    },
  },
];

/** A database or transaction as the stores of content see it. */
export type RecordsDb = Kysely<RecordTables>;
