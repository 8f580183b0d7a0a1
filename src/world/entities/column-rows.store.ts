import type { Kysely } from 'kysely';
import { partsOf } from '../../kit/parts.ts';
import { createPauses } from '../../kit/pauses.ts';
import { inProject } from '../../platform/database/scoped.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import type { Project, RecordTables } from '../records/index.ts';

export interface Column {
  /** As the caller wrote it. */
  name: string;
  /** In the entity's reply; it begins with `fields` or is an attribute alone. */
  path: readonly [string, ...string[]];
}

/** All fields of an entity are read for one of them, and they may have a megabyte. */
const ROWS_AT_ONCE = 100;

/** One row a JSON text, in the order of the ids. Only the parts of replies that the columns name are read. */
export async function columnRows(
  db: Kysely<RecordTables>,
  project: Project,
  rowIds: readonly number[],
  columns: readonly Column[],
): Promise<string[]> {
  const { jsonAt } = project.database.dialect;
  const parts = [...new Set(columns.map(({ path: [first] }) => first))];
  const read = (ids: readonly number[]) =>
    inProject(db, project)
      .selectFrom('entities')
      .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
      .select(['entities.row_id', 'entity_id', 'version', 'updated_at'])
      .select(parts.map((part, index) => jsonAt('entity_documents.json', [part]).as(`part${index}`)))
      .where('entities.row_id', 'in', ids)
      .execute();
  const texts = new Map<number, string>();
  const pause = createPauses();
  for (const ids of partsOf(rowIds, ROWS_AT_ONCE)) {
    for (const { row_id, entity_id, version, updated_at, ...jsons } of await read(ids)) {
      const reply = Object.fromEntries(
        parts.map((part, index) => [part, JSON.parse(jsons[`part${index}`] ?? 'null')]),
      );
      const values = Object.fromEntries(columns.map(({ name, path }) => [name, valueAt(reply, path)]));
      texts.set(row_id, JSON.stringify({ entity_id, version, updated_at, values }));
      await pause();
    }
  }
  return rowIds.flatMap((id) => texts.get(id) ?? []);
}

function valueAt(reply: JsonMap, path: readonly string[]): unknown {
  let value: unknown = reply;
  for (const name of path) {
    if (!isMap(value) || !Object.hasOwn(value, name)) return null;
    value = value[name];
  }
  return value;
}
