import { type ExpressionBuilder, sql } from 'kysely';
import type { AssetKind, AssetStatus } from '../../content/assets/index.ts';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import { type EntityName, type Scope, scopeColumns } from '../records/index.ts';
import type { AssetDb, AssetRow, AssetTables } from './assets.tables.ts';

type AssetSort = 'path' | 'filename' | 'size_bytes' | 'created_at' | 'updated_at' | 'status';

export interface AssetFilter {
  entity_type?: string | undefined;
  entity_id?: string | undefined;
  kind?: AssetKind | undefined;
  mime_type?: string | undefined;
  category?: string | undefined;
  subcategory?: string | undefined;
  status?: AssetStatus | undefined;
  license?: string | undefined;
  /** The asset must have all of these. */
  tags?: readonly string[];
  /** Folded words; the asset's search text must contain each. */
  words?: readonly string[];
  ai_generated?: boolean | undefined;
  /** True for assets in an entity's folder or related to an entity. */
  linked?: boolean | undefined;
  /** Assets of any of these entities, or related to one. */
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
  let query = inProject(db, scope).selectFrom('assets').where('gone_at', 'is', null);
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
    const isLinked = eb.or([eb('entity_id', 'is not', null), eb.exists(entityRelationships(eb))]);
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
    eb.exists(entityRelationships(eb).where('tie.target_id', 'in', targets)),
  ]);
}

const entityRelationships = (eb: ExpressionBuilder<AssetTables, 'assets'>) =>
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

export async function groupAssets(
  db: AssetDb,
  scope: Scope,
  column: 'kind' | 'status' | 'entity_type' | 'category',
): Promise<AssetGroup[]> {
  const rows = await inProject(db, scope)
    .selectFrom('assets')
    .select((eb) => [
      eb.ref(column).as('value'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('size_bytes').as('bytes'),
    ])
    .where('gone_at', 'is', null)
    .groupBy(column)
    .orderBy(column)
    .execute();
  return rows.map(({ value, count, bytes }) => ({ value, count, bytes: Number(bytes) }));
}

/** Kinds whose bytes hold more facts than their type. */
export const MEASURED_KINDS: readonly AssetKind[] = ['image', 'audio', 'video', 'model'];

export const listLiveAssets = (db: AssetDb, scope: Scope, after: string, limit: number) =>
  inProject(db, scope)
    .selectFrom('assets')
    .select(['asset_id', 'kind', 'path', 'sha256'])
    .where('gone_at', 'is', null)
    .where('path', '>', after)
    .orderBy('path')
    .limit(limit)
    .execute();

const unmeasured = prepared(
  (db: AssetDb, values: ReturnType<typeof scopeColumns> & { after: string; limit: number }) =>
    inProject(db, scopeOf(values))
      .selectFrom('assets')
      .select(['asset_id', 'path', 'sha256'])
      .where('kind', 'in', MEASURED_KINDS)
      .where('measured', 'is', null)
      .where('gone_at', 'is', null)
      .where('path', '>', values.after)
      .orderBy('path')
      .limit(values.limit),
);

/** Assets whose present bytes are not measured yet. */
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

/** Stores a measurement unless the bytes have changed since. */
export async function putMeasure(
  db: AssetDb,
  scope: Scope,
  { path, sha256 }: Pick<AssetRow, 'path' | 'sha256'>,
  measure: Measure,
): Promise<void> {
  await inProject(db, scope)
    .updateTable('assets')
    .set({ ...measure, measured: sha256 })
    .where('path', '=', path)
    .where('sha256', '=', sha256)
    .execute();
}
