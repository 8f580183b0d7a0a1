import type { Kysely } from 'kysely';
import { parseSearchQuery, type SearchPhrase } from '../../content/search-text.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { inProject, scopeOf } from '../../platform/database/scoped.ts';
import { type Project, type RecordTables, scopeColumns, typeScope } from '../records/index.ts';
import { type Column, columnRows } from './column-rows.store.ts';

type Database = Kysely<RecordTables>;

export type SortColumn =
  | 'updated_at'
  | 'created_at'
  | 'name'
  | 'status'
  | 'entity_id'
  | 'version'
  | 'is_valid';

export interface ListQuery {
  entityType: string;
  offset: number;
  limit: number;
  status?: string | undefined;
  search?: string | undefined;
  sortBy: SortColumn | 'relevance';
  sortOrder: 'asc' | 'desc';
  filters: readonly { path: readonly string[]; value: string }[];
  /** With columns, rows have these values alone. */
  columns?: readonly Column[] | undefined;
}

/** JSON texts: entities, or rows of columns. */
export interface JsonPage {
  total: number;
  rows: string[];
}

interface PageValues {
  tenant_id: string;
  project_id: string;
  entity_type: string;
  status: string;
  limit: number;
  offset: number;
}

const sortKey = (column: SortColumn) => (column === 'name' ? 'name_key' : column);

interface PageShape {
  column: SortColumn;
  order: 'asc' | 'desc';
  byStatus: boolean;
}

function pageKeys(db: Database, values: PageValues, { column, order, byStatus }: PageShape) {
  const key = sortKey(column);
  let keys = inProject(db, scopeOf(values))
    .selectFrom('entities')
    .select(['row_id', `${key} as sort_key`])
    .where('entity_type', '=', values.entity_type);
  if (byStatus) keys = keys.where('status', '=', values.status);
  return keys.orderBy(key, order).orderBy('row_id', order).limit(values.limit).offset(values.offset);
}

/** Selects the page from narrow columns, then joins the wide rows of that page alone. One compiled query per shape. */
const buildPage = (shape: PageShape) =>
  prepared((db: Database, values: PageValues) =>
    db
      .selectFrom(pageKeys(db, values, shape).as('page'))
      .innerJoin('entity_documents', 'entity_documents.row_id', 'page.row_id')
      .select('entity_documents.json')
      .orderBy('page.sort_key', shape.order)
      .orderBy('page.row_id', shape.order),
  );

const pages = new Map<string, ReturnType<typeof buildPage>>();

function pageQuery(shape: PageShape) {
  const name = `${shape.column} ${shape.order} ${shape.byStatus}`;
  const known = pages.get(name) ?? buildPage(shape);
  pages.set(name, known);
  return known;
}

const countAll = prepared((db: Database, values: Omit<PageValues, 'status' | 'limit' | 'offset'>) =>
  inProject(db, scopeOf(values))
    .selectFrom('entity_counts')
    .select(['status', 'total'])
    .where('entity_type', '=', values.entity_type),
);

async function plainPage(
  db: Database,
  project: Project,
  query: ListQuery,
  column: SortColumn,
): Promise<JsonPage> {
  const scope = { ...scopeColumns(project), entity_type: query.entityType };
  const { status = '', sortOrder } = query;
  const read = async ({ order, limit, offset }: Window): Promise<string[]> => {
    const shape = { column, order, byStatus: status !== '' };
    const values = { ...scope, status, limit, offset };
    if (query.columns) {
      const keys = await pageKeys(db, values, shape).execute();
      return textsOf(db, project, query, keys);
    }
    const found = await pageQuery(shape)(db, values);
    return found.map((row) => row.json);
  };
  const total = await countListed(db, scope, status);
  const window = fromNearerEnd(query, total);
  const rows = await read(window);
  if (window.order === sortOrder) return { total, rows };
  // Each query sees the rows of its own moment: after an insert between the two, the end is elsewhere.
  const isSteady = (await countListed(db, scope, status)) === total;
  return { total, rows: isSteady ? rows.reverse() : await read({ ...query, order: sortOrder }) };
}

async function countListed(
  db: Database,
  scope: Omit<PageValues, 'status' | 'limit' | 'offset'>,
  status: string,
): Promise<number> {
  let total = 0;
  for (const count of await countAll(db, scope))
    if (status === '' || count.status === status) total += count.total;
  return total;
}

interface Window {
  order: 'asc' | 'desc';
  limit: number;
  offset: number;
}

/** A database steps over all rows before a page, so a late page is read backwards from the end. */
function fromNearerEnd({ sortOrder, limit, offset }: ListQuery, total: number): Window {
  const size = Math.min(limit, total - offset);
  const behind = total - offset - size;
  if (size <= 0 || offset <= behind) return { order: sortOrder, limit, offset };
  return { order: sortOrder === 'asc' ? 'desc' : 'asc', limit: size, offset: behind };
}

type IdValues = Record<string, number>;
const byIds = new Map<
  number,
  (db: Database, values: IdValues) => Promise<{ row_id: number; json: string }[]>
>();

export async function documentsOf(db: Database, rowIds: readonly number[]): Promise<string[]> {
  if (rowIds.length === 0) return [];
  const count = rowIds.length;
  const run =
    byIds.get(count) ??
    prepared((database: Database, values: IdValues) =>
      database
        .selectFrom('entity_documents')
        .select(['row_id', 'json'])
        .where(
          'row_id',
          'in',
          Array.from({ length: count }, (_, index) => values[`id${index}`] as number),
        ),
    );
  byIds.set(count, run);
  const found = await run(db, Object.fromEntries(rowIds.map((id, index) => [`id${index}`, id])));
  const texts = new Map(found.map((row) => [row.row_id, row.json]));
  return rowIds.flatMap((id) => texts.get(id) ?? []);
}

/** The rows of a page as the query wants them. */
function textsOf(
  db: Database,
  project: Project,
  { columns }: ListQuery,
  page: readonly { row_id: number }[],
): Promise<string[]> {
  const rowIds = page.map((row) => row.row_id);
  return columns ? columnRows(db, project, rowIds, columns) : documentsOf(db, rowIds);
}

async function rankedPage(project: Project, query: ListQuery, phrases: SearchPhrase[]): Promise<JsonPage> {
  const { fullText } = project.database.dialect;
  const scope = typeScope(project.number, query.entityType);
  return project.database.read(async (db: Database) => {
    const { rowIds, total } = await fullText.find(db, {
      scope,
      phrases,
      limit: query.limit,
      offset: query.offset,
    });
    const page = rowIds.map((row_id) => ({ row_id }));
    return { total, rows: await textsOf(db, project, query, page) };
  });
}

/** The search index holds these values word by word, so they narrow a filter before any JSON is read. */
const indexedPhrases = (value: string): SearchPhrase[] =>
  value === 'true' || value === 'false' ? [] : parseSearchQuery(`"${value.replaceAll('"', ' ')}"`);

async function filteredPage(
  db: Database,
  project: Project,
  query: ListQuery,
  phrases: SearchPhrase[],
): Promise<JsonPage> {
  const { dialect } = project.database;
  const scope = typeScope(project.number, query.entityType);
  let matching = inProject(db, project)
    .selectFrom('entities')
    .where('entities.entity_type', '=', query.entityType);
  if (query.status !== undefined) matching = matching.where('entities.status', '=', query.status);
  const narrowing = [...phrases, ...query.filters.flatMap((filter) => indexedPhrases(filter.value))];
  if (narrowing.length > 0) {
    matching = matching.where('entities.row_id', 'in', dialect.fullText.matching(scope, narrowing));
  }
  for (const { path, value } of query.filters) {
    matching = matching.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('entity_documents')
          .select('entity_documents.row_id')
          .whereRef('entity_documents.row_id', '=', 'entities.row_id')
          .where(dialect.jsonHas('entity_documents.json', ['fields', ...path], value)),
      ),
    );
  }
  const { sortBy, sortOrder } = query;
  const ordered =
    sortBy === 'relevance'
      ? matching
          .innerJoin(dialect.fullText.ranked(scope, phrases).as('found'), 'found.row_id', 'entities.row_id')
          .orderBy('found.relevance', sortOrder)
      : matching.orderBy(`entities.${sortKey(sortBy)}`, sortOrder);
  const count = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = await ordered
    .select('entities.row_id')
    .orderBy('entities.row_id', sortOrder)
    .limit(query.limit)
    .offset(query.offset)
    .execute();
  return { total: count.total, rows: await textsOf(db, project, query, page) };
}

/** One page, and the total number of matches (spec 1 §4.1). */
export async function listPage(project: Project, query: ListQuery): Promise<JsonPage> {
  const phrases = query.search === undefined ? null : parseSearchQuery(query.search);
  if (phrases !== null && phrases.length === 0) return { total: 0, rows: [] };
  if (phrases === null && query.filters.length === 0 && query.sortBy !== 'relevance') {
    const { sortBy } = query;
    return project.database.read((db: Database) => plainPage(db, project, query, sortBy));
  }
  const ranked =
    phrases !== null &&
    query.sortBy === 'relevance' &&
    query.sortOrder === 'desc' &&
    query.status === undefined &&
    query.filters.length === 0;
  if (ranked) return rankedPage(project, query, phrases);
  await project.database.dialect.fullText.caughtUp();
  return project.database.read((db: Database) => filteredPage(db, project, query, phrases ?? []));
}

export function someEntityHas(
  project: Project,
  entityType: string,
  path: readonly string[],
): Promise<boolean> {
  const { dialect } = project.database;
  return project.database.read(async (db: Database) => {
    const found = await inProject(db, project)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select('entities.row_id')
      .where('entities.entity_type', '=', entityType)
      .where(dialect.jsonKnows('entity_documents.json', ['fields', ...path]))
      .limit(1)
      .executeTakeFirst();
    return found !== undefined;
  });
}

interface EntityKeyValues {
  tenant_id: string;
  project_id: string;
  entity_type: string;
  entity_id: string;
}

// Not a join: SQLite would plan one again for every key. The index yields the row id without reading the row.
const documentByKey = prepared((db: Database, key: EntityKeyValues) =>
  inProject(db, scopeOf(key))
    .selectFrom('entities')
    .select((eb) =>
      eb
        .selectFrom('entity_documents')
        .select('entity_documents.json')
        .whereRef('entity_documents.row_id', '=', 'entities.row_id')
        .$asScalar()
        .$notNull()
        .as('json'),
    )
    .where('entities.entity_type', '=', key.entity_type)
    .where('entities.entity_id', '=', key.entity_id),
);

export const findDocument = (project: Project, entityType: string, entityId: string) =>
  project.database.read(async (db: Database) => {
    const key = { ...scopeColumns(project), entity_type: entityType, entity_id: entityId };
    return (await documentByKey(db, key))[0]?.json;
  });
