import { type ExpressionBuilder, sql } from 'kysely';
import type { AssetKind, AssetStatus } from '../../content/assets/index.ts';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type EntityName, type Scope, scopeColumns } from '../records/index.ts';
import type { AssetDb, AssetRow, AssetTables } from './assets.tables.ts';

type AssetSort = 'path' | 'filename' | 'size_bytes' | 'created_at' | 'updated_at' | 'status';

/** What a list of assets is narrowed by. */
export interface AssetFilter {
  entity_type?: string | undefined;
  entity_id?: string | undefined;
  kind?: AssetKind | undefined;
  mime_type?: string | undefined;
  category?: string | undefined;
  subcategory?: string | undefined;
  status?: AssetStatus | undefined;
  license?: string | undefined;
  /** All of them. */
  tags?: readonly string[];
  /** Folded words; each stands somewhere in what is known of the asset. */
  words?: readonly string[];
  ai_generated?: boolean | undefined;
  /** Whether it lies in an entity's folder or is related to one. */
  linked?: boolean | undefined;
  /** Those of any of the entities, or related to one of them. */
  of?: readonly EntityName[];
}

const EQUAL = [
  'entity_type',
  'entity_id',
  'kind',
  'mime_type',
  'category',
  'subcategory',
  'status',
  'license',
] as const;

function matching(db: AssetDb, dialect: Dialect, scope: Scope, filter: AssetFilter) {
  let query = db
    .selectFrom('assets')
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('gone_at', 'is', null);
  for (const column of EQUAL) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, '=', value);
  }
  if (filter.ai_generated !== undefined)
    query = query.where('ai_generated', '=', Number(filter.ai_generated));
  for (const tag of filter.tags ?? []) query = query.where(dialect.jsonHas('tags', [], tag));
  for (const word of filter.words ?? [])
    query = query.where(sql<boolean>`${sql.ref('search_text')} like ${`%${escaped(word)}%`} escape '!'`);
  if (filter.of) query = query.where((eb) => ofEntities(eb, filter.of ?? []));
  if (filter.linked === undefined) return query;
  const { linked } = filter;
  return query.where((eb) => {
    const isLinked = eb.or([eb('entity_id', 'is not', null), eb.exists(tiesToEntities(eb))]);
    return linked ? isLinked : eb.not(isLinked);
  });
}

function ofEntities(eb: ExpressionBuilder<AssetTables, 'assets'>, entities: readonly EntityName[]) {
  const idsOf = Map.groupBy(entities, ({ entity_type }) => entity_type);
  const targets = entities.map(({ entity_type, entity_id }) => `${entity_type}:${entity_id}`);
  return eb.or([
    ...[...idsOf].map(([type, names]) =>
      eb.and([
        eb('entity_type', '=', type),
        eb(
          'entity_id',
          'in',
          names.map(({ entity_id }) => entity_id),
        ),
      ]),
    ),
    eb.exists(tiesToEntities(eb).where('tie.target_id', 'in', targets)),
  ]);
}

/** The relationships of an asset to entities. */
const tiesToEntities = (eb: ExpressionBuilder<AssetTables, 'assets'>) =>
  eb
    .selectFrom('asset_relationships as tie')
    .select('tie.asset_id')
    .whereRef('tie.tenant_id', '=', 'assets.tenant_id')
    .whereRef('tie.project_id', '=', 'assets.project_id')
    .whereRef('tie.asset_id', '=', 'assets.asset_id')
    .where('tie.target_type', '=', 'entity');

const escaped = (word: string): string => word.replaceAll(/[!%_]/g, '!$&');

export interface AssetPage {
  sort: AssetSort;
  order: 'asc' | 'desc';
  offset: number;
  limit: number;
}

export const listAssets = (
  db: AssetDb,
  dialect: Dialect,
  scope: Scope,
  filter: AssetFilter,
  { sort, order, offset, limit }: AssetPage,
): Promise<AssetRow[]> =>
  matching(db, dialect, scope, filter)
    .selectAll()
    .orderBy(sort, order)
    .orderBy('path')
    .offset(offset)
    .limit(limit)
    .execute();

export async function countAssets(
  db: AssetDb,
  dialect: Dialect,
  scope: Scope,
  filter: AssetFilter,
): Promise<number> {
  const row = await matching(db, dialect, scope, filter)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return row.total;
}

export interface AssetGroup {
  value: string | null;
  count: number;
  bytes: number;
}

/** How many assets, and bytes, there are for each value of a column. */
export async function groupAssets(
  db: AssetDb,
  scope: Scope,
  column: 'kind' | 'status' | 'entity_type' | 'category',
): Promise<AssetGroup[]> {
  const rows = await db
    .selectFrom('assets')
    .select((eb) => [
      eb.ref(column).as('value'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('size_bytes').as('bytes'),
    ])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('gone_at', 'is', null)
    .groupBy(column)
    .orderBy(column)
    .execute();
  return rows.map(({ value, count, bytes }) => ({ value, count, bytes: Number(bytes) }));
}

/** Kinds whose bytes tell more than their type. */
export const MEASURED_KINDS: readonly AssetKind[] = ['image', 'audio', 'video', 'model'];

/** All assets whose files are there, by path. */
export const listLiveAssets = (
  db: AssetDb,
  scope: Scope,
  after: string,
  limit: number,
): Promise<Pick<AssetRow, 'asset_id' | 'kind' | 'path'>[]> =>
  db
    .selectFrom('assets')
    .select(['asset_id', 'kind', 'path'])
    .where('tenant_id', '=', scope.tenantId)
    .where('project_id', '=', scope.projectId)
    .where('gone_at', 'is', null)
    .where('path', '>', after)
    .orderBy('path')
    .limit(limit)
    .execute();

const unmeasured = prepared(
  (db: AssetDb, values: ReturnType<typeof scopeColumns> & { after: string; limit: number }) =>
    db
      .selectFrom('assets')
      .select(['asset_id', 'path', 'sha256'])
      .where('tenant_id', '=', values.tenant_id)
      .where('project_id', '=', values.project_id)
      .where('kind', 'in', MEASURED_KINDS)
      .where('measured', 'is', null)
      .where('gone_at', 'is', null)
      .where('path', '>', values.after)
      .orderBy('path')
      .limit(values.limit),
);

/** Assets whose present bytes nobody measured. */
export const unmeasuredAssets = (
  db: AssetDb,
  scope: Scope,
  after: string,
  limit: number,
): Promise<Pick<AssetRow, 'asset_id' | 'path' | 'sha256'>[]> =>
  unmeasured(db, { ...scopeColumns(scope), after, limit });

export type Measure = Pick<
  AssetRow,
  'width' | 'height' | 'duration' | 'perceptual_hash' | 'placeholder' | 'media_facts'
>;

/** Keeps what was measured, unless the bytes are others by now. */
export async function putMeasure(
  db: AssetDb,
  scope: Scope,
  { path, sha256 }: Pick<AssetRow, 'path' | 'sha256'>,
  measure: Measure,
): Promise<void> {
  const { tenant_id, project_id } = scopeColumns(scope);
  await db
    .updateTable('assets')
    .set({ ...measure, measured: sha256 })
    .where('tenant_id', '=', tenant_id)
    .where('project_id', '=', project_id)
    .where('path', '=', path)
    .where('sha256', '=', sha256)
    .execute();
}
