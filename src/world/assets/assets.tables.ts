import { type Kysely, type Selectable, sql } from 'kysely';
import type { AssetKind, AssetStatus } from '../../content/assets/index.ts';
import type { Dialect } from '../../platform/database/dialect.ts';
import type { Migration } from '../../platform/database/migration.ts';
import { createIndex, createTable, key, keyOf, notNull, nullable } from '../../platform/database/tables.ts';
import type { RecordTables } from '../records/index.ts';

/** One asset: facts of its file, from `files`, and its description, from the sidecar of its folder. */
export interface AssetsTable {
  tenant_id: string;
  project_id: string;
  path: string;
  asset_id: string;
  /** The folder with the sidecar that describes it. */
  home: string;
  filename: string;
  mime_type: string;
  kind: AssetKind;
  size_bytes: number;
  sha256: string;
  entity_type: string | null;
  entity_id: string | null;
  category: string | null;
  subcategory: string | null;
  status: AssetStatus;
  /** JSON lists of texts. */
  tags: string;
  keywords: string;
  description: string | null;
  license: string | null;
  source: string | null;
  /** 0, 1, or null if unknown. */
  ai_generated: number | null;
  created_at: string;
  created_by: string | null;
  updated_at: string;
  /** Grows with each replacement of the bytes. */
  version: number;
  /** The time at which the present bytes appeared. */
  version_at: string;
  version_by: string | null;
  width: number | null;
  height: number | null;
  /** Seconds. */
  duration: number | null;
  perceptual_hash: string | null;
  placeholder: string | null;
  /** JSON of further facts from the bytes, such as codecs. */
  media_facts: string | null;
  /** SHA-256 of the measured bytes; null before the first measurement. */
  measured: string | null;
  /** The folded text that a search looks through. */
  search_text: string;
  /** Since when the file has been gone; the row is kept for a while, so that a returning file is the same asset. */
  gone_at: string | null;
}

export interface AssetVersionsTable {
  tenant_id: string;
  project_id: string;
  asset_id: string;
  version: number;
  sha256: string;
  size_bytes: number;
  mime_type: string;
  created_at: string;
  created_by: string | null;
}

export interface AssetRelationshipsTable {
  tenant_id: string;
  project_id: string;
  asset_id: string;
  position: number;
  target_type: 'asset' | 'entity';
  target_id: string;
  relationship_type: string;
}

/** A deleted asset whose file is in the recycle bin. */
export interface AssetRecycleItemsTable {
  item_id: string;
  tenant_id: string;
  project_id: string;
  asset_id: string;
  path: string;
  bin_path: string;
  home: string;
  mime_type: string;
  size_bytes: number;
  sha256: string;
  /** JSON of its description. */
  entry: string;
  deleted_at: string;
  deleted_by: string;
  /** 0 until its file has arrived: after a crash the next sync finishes or undoes the deletion. */
  in_bin: number;
}

/** Entries of a sidecar that were skipped, or the reason why it cannot be read. */
export interface AssetProblemsTable {
  tenant_id: string;
  project_id: string;
  path: string;
  /** JSON list of `{line, reason}`. */
  problems: string;
}

export interface StorageHoldsTable {
  hold_id: string;
  tenant_id: string;
  bytes: number;
  /** The end of the reservation, in case its owner crashed. */
  held_until: string;
}

export type RecycledAssetRow = Selectable<AssetRecycleItemsTable>;
export type AssetRow = Selectable<AssetsTable>;
export type AssetVersionRow = Selectable<AssetVersionsTable>;
export type AssetRelationshipRow = Selectable<AssetRelationshipsTable>;

export type AssetTables = RecordTables & {
  assets: AssetsTable;
  asset_versions: AssetVersionsTable;
  asset_relationships: AssetRelationshipsTable;
  asset_problems: AssetProblemsTable;
  asset_recycle_items: AssetRecycleItemsTable;
  storage_holds: StorageHoldsTable;
};
export type AssetDb = Kysely<AssetTables>;

export const assetMigrations: readonly Migration[] = [
  {
    name: 'assets-1',
    async up(db, dialect) {
      await createAssets(db, dialect);
      await createAssetVersions(db, dialect);
      await createAssetRelationships(db, dialect);
      await createAssetCursors(db, dialect);
      await createAssetProblems(db, dialect);
    },
  },
  {
    name: 'assets-2-recycle-items',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'asset_recycle_items', [
        key(text, 'item_id'),
        notNull(text, 'tenant_id', 'project_id', 'asset_id', 'path', 'bin_path', 'home', 'mime_type'),
        notNull(bigint, 'size_bytes'),
        notNull(text, 'sha256', 'entry', 'deleted_at', 'deleted_by'),
      ]);
      await createIndex(schema, 'asset_recycle_items_by_time', 'asset_recycle_items', [
        'tenant_id',
        'project_id',
        'deleted_at',
      ]);
    },
  },
  {
    name: 'assets-2-placeholders',
    async up({ schema }, { text }) {
      await schema.alterTable('assets').addColumn('placeholder', text).execute();
    },
  },
  {
    name: 'assets-3-media-facts',
    async up({ schema }, { text }) {
      await schema.alterTable('assets').addColumn('media_facts', text).execute();
    },
  },
  {
    name: 'assets-4-items-on-the-way',
    async up({ schema }) {
      await schema
        .alterTable('asset_recycle_items')
        .addColumn('in_bin', 'integer', (c) => c.notNull().defaultTo(1))
        .execute();
    },
  },
  {
    name: 'assets-5-gone',
    up: ({ schema }) =>
      schema
        .createIndex('assets_gone')
        .on('assets')
        .columns(['tenant_id', 'project_id', 'gone_at'])
        .where(sql.ref('gone_at'), 'is not', null)
        .execute(),
  },
  {
    name: 'assets-6-storage-holds',
    async up({ schema }, { text, bigint }) {
      await createTable(schema, 'storage_holds', [
        key(text, 'hold_id'),
        notNull(text, 'tenant_id'),
        notNull(bigint, 'bytes'),
        notNull(text, 'held_until'),
      ]);
      await createIndex(schema, 'storage_holds_of', 'storage_holds', ['tenant_id']);
    },
  },
  {
    name: 'assets-7-feed-cursors',
    async up(db) {
      await sql`
        insert into feed_cursors (tenant_id, project_id, reader, seq)
        select tenant_id, project_id, 'assets', seq from asset_cursors`.execute(db);
      await db.schema.dropTable('asset_cursors').execute();
    },
  },
];

async function createAssets({ schema }: Kysely<unknown>, { text, bigint, double }: Dialect): Promise<void> {
  await createTable(schema, 'assets', [
    notNull(text, 'tenant_id', 'project_id', 'path', 'asset_id', 'home', 'filename', 'mime_type', 'kind'),
    notNull(bigint, 'size_bytes'),
    notNull(text, 'sha256'),
    nullable(text, 'entity_type', 'entity_id', 'category', 'subcategory'),
    notNull(text, 'status', 'tags', 'keywords'),
    nullable(text, 'description', 'license', 'source'),
    nullable('integer', 'ai_generated'),
    notNull(text, 'created_at'),
    nullable(text, 'created_by'),
    notNull(text, 'updated_at'),
    notNull('integer', 'version'),
    notNull(text, 'version_at'),
    nullable(text, 'version_by'),
    nullable('integer', 'width', 'height'),
    nullable(double, 'duration'),
    nullable(text, 'perceptual_hash', 'measured'),
    notNull(text, 'search_text'),
    nullable(text, 'gone_at'),
    keyOf('tenant_id', 'project_id', 'path'),
  ]);
  const indexes: [string, (keyof AssetsTable)[]][] = [
    ['assets_by_hash', ['tenant_id', 'project_id', 'sha256']],
    ['assets_by_entity', ['tenant_id', 'project_id', 'entity_type', 'entity_id']],
    ['assets_by_home', ['tenant_id', 'project_id', 'home']],
  ];
  await schema
    .createIndex('assets_by_id')
    .unique()
    .on('assets')
    .columns(['tenant_id', 'project_id', 'asset_id'])
    .execute();
  for (const [name, columns] of indexes) await createIndex(schema, name, 'assets', columns);
}

async function createAssetVersions({ schema }: Kysely<unknown>, { text, bigint }: Dialect): Promise<void> {
  await createTable(schema, 'asset_versions', [
    notNull(text, 'tenant_id', 'project_id', 'asset_id'),
    notNull('integer', 'version'),
    notNull(text, 'sha256'),
    notNull(bigint, 'size_bytes'),
    notNull(text, 'mime_type', 'created_at'),
    nullable(text, 'created_by'),
    keyOf('tenant_id', 'project_id', 'asset_id', 'version'),
  ]);
}

async function createAssetRelationships({ schema }: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await createTable(schema, 'asset_relationships', [
    notNull(text, 'tenant_id', 'project_id', 'asset_id'),
    notNull('integer', 'position'),
    notNull(text, 'target_type', 'target_id', 'relationship_type'),
    keyOf('tenant_id', 'project_id', 'asset_id', 'position'),
  ]);
  await createIndex(schema, 'asset_relationships_by_target', 'asset_relationships', [
    'tenant_id',
    'project_id',
    'target_type',
    'target_id',
  ]);
}

async function createAssetCursors({ schema }: Kysely<unknown>, { text, bigint }: Dialect): Promise<void> {
  await createTable(schema, 'asset_cursors', [
    notNull(text, 'tenant_id', 'project_id'),
    notNull(bigint, 'seq'),
    keyOf('tenant_id', 'project_id'),
  ]);
}

async function createAssetProblems({ schema }: Kysely<unknown>, { text }: Dialect): Promise<void> {
  await createTable(schema, 'asset_problems', [
    notNull(text, 'tenant_id', 'project_id', 'path', 'problems'),
    keyOf('tenant_id', 'project_id', 'path'),
  ]);
}
