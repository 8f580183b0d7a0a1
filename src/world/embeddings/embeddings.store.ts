import type { Dialect } from '../../platform/database/dialect.ts';
import { inParts } from '../../platform/database/in-parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { changedFiles, type Project, putFeedCursor, readFeed, type Scope } from '../records/index.ts';
import type { EmbeddingIndexRow, EmbeddingRow, EmbeddingsDb } from './embeddings.tables.ts';

const FEED_READER = 'embeddings';

export const findIndex = (db: EmbeddingsDb, scope: Scope): Promise<EmbeddingIndexRow | undefined> =>
  inProject(db, scope).selectFrom('embedding_indexes').selectAll().executeTakeFirst();

/** An existing index stays as it is. */
export const putIndex = (db: EmbeddingsDb, dialect: Dialect, row: EmbeddingIndexRow): Promise<void> =>
  dialect.upsert(db, 'embedding_indexes', [row], { conflict: ['tenant_id', 'project_id'], update: [] });

export const changeIndex = async (
  db: EmbeddingsDb,
  scope: Scope,
  change: Partial<EmbeddingIndexRow>,
): Promise<void> => {
  await inProject(db, scope).updateTable('embedding_indexes').set(change).execute();
};

/** All vectors so far count as those of another model, and everything is read again. */
export async function startAnew(
  db: EmbeddingsDb,
  dialect: Dialect,
  scope: Scope,
  change: Partial<EmbeddingIndexRow>,
): Promise<void> {
  await inProject(db, scope)
    .updateTable('embedding_indexes')
    .set((eb) => ({ ...change, from_number: eb.ref('last_number') }))
    .execute();
  await putFeedCursor(db, dialect, scope, { reader: FEED_READER, seq: 0 });
}

const changedTexts = (db: EmbeddingsDb, scope: Scope, after: number) =>
  changedFiles(db, scope, after).where('entry_type', '=', 'markdown').where('entity_id', 'is not', null);

export interface Step {
  cursor: number;
  upTo: number;
  /** Row ids of changed entities that are there. */
  rowIds: number[];
  /** True if an entity is gone. */
  anyGone: boolean;
  isLast: boolean;
}

/** The next changed entities in the order of their changes. */
export async function nextStep(db: EmbeddingsDb, scope: Scope, limit: number): Promise<Step> {
  const { cursor, last } = await readFeed(db, scope, FEED_READER);
  const files = await changedTexts(db, scope, cursor)
    .select(['seq', 'path', 'deleted_at'])
    .limit(limit)
    .execute();
  const paths = files.filter((file) => file.deleted_at === null).map((file) => file.path);
  const rows = await inParts(paths, (part) =>
    inProject(db, scope).selectFrom('entities').select('row_id').where('path', 'in', part).execute(),
  );
  return {
    cursor,
    upTo: files.length < limit ? Math.max(last, cursor) : (files.at(-1)?.seq ?? last),
    rowIds: rows.map((row) => row.row_id),
    anyGone: paths.length < files.length,
    isLast: files.length < limit,
  };
}

/** False if another run has moved it meanwhile. */
export async function moveCursor(
  db: EmbeddingsDb,
  dialect: Dialect,
  scope: Scope,
  { cursor, upTo }: Pick<Step, 'cursor' | 'upTo'>,
): Promise<boolean> {
  const present = await readFeed(db, scope, FEED_READER);
  if (present.cursor !== cursor) return false;
  if (upTo !== cursor) await putFeedCursor(db, dialect, scope, { reader: FEED_READER, seq: upTo });
  return true;
}

/** Changed entities that were not read yet. */
export async function countPending(db: EmbeddingsDb, scope: Scope): Promise<number> {
  const { cursor } = await readFeed(db, scope, FEED_READER);
  const row = await changedTexts(db, scope, cursor)
    .where('deleted_at', 'is', null)
    .clearOrderBy()
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

export async function isBehind(db: EmbeddingsDb, scope: Scope): Promise<boolean> {
  const { cursor } = await readFeed(db, scope, FEED_READER);
  const changed = await changedTexts(db, scope, cursor).select('seq').limit(1).execute();
  return changed.length > 0;
}

export interface SourceText {
  row_id: number;
  entity_type: string;
  version: number;
  json: string;
  head: string;
}

export const sourceTexts = (
  db: EmbeddingsDb,
  scope: Scope,
  rowIds: readonly number[],
): Promise<SourceText[]> =>
  inParts(rowIds, (part) =>
    inProject(db, scope)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['entities.row_id', 'entity_type', 'version', 'json', 'head'])
      .where('entities.row_id', 'in', part)
      .execute(),
  );

export const vectorsOf = (
  db: EmbeddingsDb,
  scope: Scope,
  rowIds: readonly number[],
  from: number,
): Promise<Pick<EmbeddingRow, 'row_id' | 'text_hash' | 'code' | 'vector'>[]> =>
  inParts(rowIds, (part) =>
    inProject(db, scope)
      .selectFrom('embeddings')
      .select(['row_id', 'text_hash', 'code', 'vector'])
      .where('row_id', 'in', part)
      .where('number', '>', from)
      .execute(),
  );

export async function replaceEmbeddings(
  db: EmbeddingsDb,
  scope: Scope,
  rowIds: readonly number[],
  rows: readonly EmbeddingRow[],
): Promise<void> {
  await inParts(rowIds, async (part) => {
    await inProject(db, scope).deleteFrom('embeddings').where('row_id', 'in', part).execute();
    return [];
  });
  // Not by `upsert`, which passes rows as JSON: vectors are bytes.
  await inParts(rows, async (part) => {
    await db.insertInto('embeddings').values(part).execute();
    return [];
  });
}

/** Returns how many were removed. */
export async function removeOldVectors(
  db: EmbeddingsDb,
  scope: Scope,
  upTo: number,
  most: number,
): Promise<number> {
  const old = await inProject(db, scope)
    .selectFrom('embeddings')
    .select(['row_id'])
    .where('number', '<=', upTo)
    .orderBy('number')
    .limit(most)
    .execute();
  const rowIds = [...new Set(old.map((row) => row.row_id))];
  if (rowIds.length === 0) return 0;
  await inProject(db, scope)
    .deleteFrom('embeddings')
    .where('row_id', 'in', rowIds)
    .where('number', '<=', upTo)
    .execute();
  return old.length;
}

/** Entities after a row id that have vectors, and whether they are still there. */
export const entitiesWithVectors = (db: EmbeddingsDb, scope: Scope, after: number, limit: number) =>
  inProject(db, scope)
    .selectFrom('embeddings')
    .leftJoin('entities', 'entities.row_id', 'embeddings.row_id')
    .select(['embeddings.row_id', 'entities.row_id as present'])
    .distinct()
    .where('embeddings.row_id', '>', after)
    .orderBy('embeddings.row_id')
    .limit(limit)
    .execute();

export const removeVectorsOf = async (
  db: EmbeddingsDb,
  scope: Scope,
  rowIds: readonly number[],
): Promise<void> => {
  await inProject(db, scope).deleteFrom('embeddings').where('row_id', 'in', rowIds).execute();
};

/** In the order of their numbers. */
export const codesAfter = (db: EmbeddingsDb, scope: Scope, after: number, limit: number) =>
  inProject(db, scope)
    .selectFrom('embeddings')
    .select(['row_id', 'number', 'entity_type', 'code'])
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();

export const vectorsAt = (db: EmbeddingsDb, scope: Scope, numbers: readonly number[]) =>
  inParts(numbers, (part) =>
    inProject(db, scope)
      .selectFrom('embeddings')
      .select(['number', 'row_id', 'vector'])
      .where('number', 'in', part)
      .execute(),
  );

/** With their entities: passages of those that are gone are left out. */
export const passagesAt = (db: EmbeddingsDb, project: Project, numbers: readonly number[]) =>
  inParts(numbers, (part) =>
    inProject(db, project)
      .selectFrom('embeddings')
      .innerJoin('entities', 'entities.row_id', 'embeddings.row_id')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'embeddings.row_id')
      .select([
        'embeddings.row_id',
        'embeddings.number',
        'embeddings.version',
        'embeddings.start_offset',
        'embeddings.end_offset',
        'embeddings.line_from',
        'embeddings.line_to',
        'entities.entity_type',
        'entities.entity_id',
        'entities.name',
        'entities.version as present_version',
        'entity_documents.json',
        'entity_documents.head',
      ])
      .where('embeddings.number', 'in', part)
      .execute(),
  );

export type PassageRow = Awaited<ReturnType<typeof passagesAt>>[number];

export async function countPassages(db: EmbeddingsDb, scope: Scope, from: number): Promise<number> {
  const row = await inProject(db, scope)
    .selectFrom('embeddings')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('number', '>', from)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}
