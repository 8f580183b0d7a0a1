import type { Kysely, Selectable } from 'kysely';
import type { Reference } from '../../content/references/index.ts';
import type { Dialect } from '../../platform/database/dialect.ts';
import { prepared } from '../../platform/database/prepared.ts';
import type { EntityReferencesTable, RecordTables } from './records.tables.ts';
import { bucketOf } from './scope.ts';

export type ReferenceRow = Selectable<EntityReferencesTable>;

/** An entity's present references. `isNew` is true if none are stored for it yet. */
export interface ReferencesWrite {
  rowId: number;
  references: readonly Reference[];
  isNew: boolean;
}

/** Entities without edges cost no query. */
export async function putReferences(
  db: Kysely<RecordTables>,
  dialect: Dialect,
  writes: readonly ReferencesWrite[],
): Promise<void> {
  const stored = await storedReferences(
    db,
    writes.filter(({ isNew }) => !isNew).map(({ rowId }) => rowId),
  );
  const rows: ReferenceRow[] = [];
  const outdated: number[] = [];
  for (const { rowId, references } of writes) {
    const before = stored.get(rowId) ?? [];
    if (mirrorsReferences(before, references)) continue;
    if (before.length > 0) outdated.push(rowId);
    rows.push(...references.map((reference, position) => rowOf(rowId, position, reference)));
  }
  await removeReferences(db, outdated);
  if (rows.length > 0) {
    await dialect.upsert(db, 'entity_references', rows, { conflict: ['row_id', 'position'], update: [] });
  }
}

const rowOf = (rowId: number, position: number, reference: Reference): ReferenceRow => ({
  row_id: rowId,
  position,
  bucket: bucketOf(rowId),
  field: reference.field,
  kind: reference.kind,
  to_type: reference.to_type,
  to_id: reference.to_id,
});

/** True if the stored edges of an entity, in their order, are its references. */
export const mirrorsReferences = (
  stored: readonly StoredReference[],
  references: readonly Reference[],
): boolean =>
  stored.length === references.length &&
  references.every((reference, index) => {
    const row = stored[index];
    return (
      row?.field === reference.field &&
      row.kind === reference.kind &&
      row.to_type === reference.to_type &&
      row.to_id === reference.to_id
    );
  });

const CONTENT_COLUMNS = ['field', 'kind', 'to_type', 'to_id'] as const;
const COLUMNS = ['row_id', 'position', 'bucket', ...CONTENT_COLUMNS] as const;

export type StoredReference = Pick<ReferenceRow, (typeof CONTENT_COLUMNS)[number]>;

const referencesOfOne = prepared((db: Kysely<RecordTables>, values: { row_id: number }) =>
  db
    .selectFrom('entity_references')
    .select(CONTENT_COLUMNS)
    .where('row_id', '=', values.row_id)
    .orderBy('position'),
);

const referencesOfMany = (db: Kysely<RecordTables>, rowIds: readonly number[]): Promise<ReferenceRow[]> =>
  db
    .selectFrom('entity_references')
    .select(COLUMNS)
    .where('row_id', 'in', rowIds)
    .orderBy('row_id')
    .orderBy('position')
    .execute();

export async function storedReferences(
  db: Kysely<RecordTables>,
  rowIds: readonly number[],
): Promise<Map<number, StoredReference[]>> {
  const [rowId] = rowIds;
  if (rowId === undefined) return new Map();
  if (rowIds.length === 1) return new Map([[rowId, await referencesOfOne(db, { row_id: rowId })]]);
  return Map.groupBy(await referencesOfMany(db, rowIds), (row) => row.row_id);
}

export async function removeReferences(db: Kysely<RecordTables>, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length === 0) return;
  await db.deleteFrom('entity_references').where('row_id', 'in', rowIds).execute();
}
