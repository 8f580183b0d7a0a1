import { type Kysely, type Selectable, sql } from 'kysely';
import type { ReferenceKind } from '../../content/references/index.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { ChangeSource } from '../texts/index.ts';
import {
  createEntities,
  createEntityCounts,
  createEntityDocuments,
  createEntityRevisions,
  createFiles,
  createProjects,
  createRecycleItems,
} from './initial.tables.ts';
import { ROW_IDS_PER_PROJECT } from './scope.ts';

export interface ProjectsTable {
  tenant_id: string;
  project_id: string;
  /** Distinguishes the row ids of projects: `row_id = number * 2^32 + seq`. */
  number: number;
  /** The last sequence number of a change. */
  seq: number;
  /** Grows when the set of files changes (spec 1 §9). */
  manifest_version: number;
  /** The held deletions of a sweep that would have deleted too much, as JSON; null if there are none. */
  brake: string | null;
  created_at: string;
}

export interface EntitiesTable {
  row_id: number;
  tenant_id: string;
  project_id: string;
  entity_type: string;
  entity_id: string;
  name: string;
  /** Folded for sorting. */
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
  /** The operation of the newest change; null for a single change. */
  operation_id: string | null;
  /** The plugins that had a part in the newest change, with commas between them. */
  via: string | null;
}

export type EntityRow = Selectable<EntitiesTable>;

/** The wide half: the reply's text, and the file's head. */
export interface EntityDocumentsTable {
  row_id: number;
  json: string;
  head: string;
}

/** A superseded state, kept as the file's text: in full while it is recent, packed later. */
export interface EntityRevisionsTable {
  row_id: number;
  version: number;
  tenant_id: string;
  entity_id: string | null;
  path: string | null;
  name: string;
  status: string;
  checksum: string;
  file_checksum: string;
  content: string;
  /** The compressed text, in full or as a delta to the next newer version (`delta_of`). */
  packed: Uint8Array | null;
  delta_of: number | null;
  /** The base version of a state that lost a conflict and so was never the entity's own. */
  parent: number | null;
  source: ChangeSource;
  changed: string;
  created_at: string;
  created_by: string | null;
  operation_id: string | null;
  via: string | null;
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
  /** The present place of the entity's folder, under `_RecycleBin/`; null if it was deleted outside. */
  folder: string | null;
  original_folder: string;
  path: string;
  /** The file's full text, so that a deletion outside can also be undone. */
  content: string;
  record: string;
  deleted_at: string;
  deleted_by: string | null;
}

/** The references of an entity, one row per edge. */
export interface EntityReferencesTable {
  row_id: number;
  position: number;
  /** `bucketOf(row_id)`: the leading part of the index by target. */
  bucket: number;
  /** Dotted path of the field, or `markdown_body`. */
  field: string;
  kind: ReferenceKind;
  /** Null for a link without a type. */
  to_type: string | null;
  to_id: string;
}

export type EntryType = 'markdown' | 'asset' | 'template' | 'rule' | 'other';

interface ResumeTimesTable {
  tenant_id: string;
  project_id: string;
  told_at: string;
  /** The last change that the replica had seen at that time. */
  seq: number;
  listing: number;
}

/** One file of a project, or, with `deleted_at`, its tombstone for 30 days. */
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
  media_type: string | null;
  seq: number;
  added_at: string;
  changed_at: string;
  deleted_at: string | null;
  /** JSON `{reason, line, column}`; null if it has none. */
  problem: string | null;
}

/** The events for clients, in the order of commits; `forgetEvents` bounds them. */
export interface ProjectEventsTable {
  tenant_id: string;
  project_id: string;
  seq: number;
  /** The event's JSON; null if clients must reload everything. */
  body: string | null;
  at: string;
}

export interface FeedCursorsTable {
  tenant_id: string;
  project_id: string;
  reader: string;
  seq: number;
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
  told_times: ResumeTimesTable;
  feed_cursors: FeedCursorsTable;
}

/** Template rows are among the entities under this type (spec 1 §2.2) and are never counted. */
export const TEMPLATE_ROW_TYPE = 'Template';

export const recordMigrations: readonly Migration[] = [
  {
    name: 'records-1',
    async up(db, dialect) {
      await createProjects(db, dialect);
      await createEntities(db, dialect);
      await createEntityDocuments(db, dialect);
      await createEntityRevisions(db, dialect);
      await createRecycleItems(db, dialect);
      await createFiles(db, dialect);
      await createEntityCounts(db, dialect);
    },
  },
  { name: 'records-2-search', up: (db, { fullText }) => fullText.createIndex(db) },
  {
    name: 'records-3-recycled-lives',
    up: ({ schema }) => createIndex(schema, 'recycle_items_by_row', 'recycle_items', ['tenant_id', 'row_id']),
  },
  { name: 'records-4-search-buffer', up: (db, { fullText }) => fullText.createBuffer(db) },
  {
    name: 'records-5-references',
    async up(db, { text, bigint }) {
      const { schema } = db;
      await createTable(schema, 'entity_references', [
        notNull(bigint, 'row_id'),
        notNull('integer', 'position'),
        notNull(bigint, 'bucket'),
        notNull(text, 'field', 'kind'),
        nullable(text, 'to_type'),
        notNull(text, 'to_id'),
        keyOf('row_id', 'position'),
      ]);
      await createIndex(schema, 'entity_references_by_target', 'entity_references', [
        'bucket',
        'to_id',
        'row_id',
        'position',
        'to_type',
      ]);
      await createIndex(schema, 'entities_by_plain_id', 'entities', ['tenant_id', 'project_id', 'entity_id']);
      // The next full sync takes every template as changed, and renders all entities of its type with their edges.
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
      // The next full sync takes every rule file as changed, and answers the questions of rules about other entities.
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
      // The next full sync reads every asset once more to find out its type.
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
      createTable(schema, 'project_events', [
        notNull(text, 'tenant_id', 'project_id'),
        notNull(bigint, 'seq'),
        nullable(text, 'body'),
        notNull(text, 'at'),
        keyOf('tenant_id', 'project_id', 'seq'),
      ]),
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
      createTable(schema, 'told_times', [
        notNull(text, 'tenant_id', 'project_id', 'told_at'),
        notNull(bigint, 'seq'),
        notNull('integer', 'listing'),
        keyOf('tenant_id', 'project_id', 'told_at'),
      ]),
  },
  {
    name: 'records-14-faults',
    async up(db) {
      // The next full sync reads every such file again and records its problem with its entity.
      await (db as RecordsDb)
        .updateTable('files')
        .set({ ctime_ms: 0 })
        .where('problem', 'is not', null)
        .execute();
    },
  },
  {
    name: 'records-15-feed-cursors',
    up: ({ schema }, { text, bigint }) =>
      createTable(schema, 'feed_cursors', [
        notNull(text, 'tenant_id', 'project_id', 'reader'),
        notNull(bigint, 'seq'),
        keyOf('tenant_id', 'project_id', 'reader'),
      ]),
  },
  {
    name: 'records-16-aliases',
    async up(db) {
      // The next full sync takes every template as changed, and puts aliases beside names in the search index.
      await (db as RecordsDb)
        .updateTable('files')
        .set({ ctime_ms: 0 })
        .where('entry_type', '=', 'template')
        .execute();
    },
  },
  {
    name: 'records-17-via',
    async up({ schema }, { text }) {
      for (const table of ['entities', 'entity_revisions'])
        await schema.alterTable(table).addColumn('via', text).execute();
    },
  },
];

export type RecordsDb = Kysely<RecordTables>;
