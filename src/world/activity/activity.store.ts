import { sql } from 'kysely';
import { partsOf } from '../../kit/parts.ts';
import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';
import type { ActivityPlace } from './activity-cursor.ts';

export interface ActivityRow {
  row_id: number;
  entity_type: string;
  entity_id: string;
  name: string;
  version: number;
  at: string;
  by: string | null;
  operation_id: string | null;
  /** 0 or 1 */
  is_deleted: number;
}

interface Asked {
  types: readonly string[];
  before: ActivityPlace | null;
  limit: number;
}

/** SQLite joins at most 500 queries to one. */
const TYPES_A_QUERY = 200;

/** Newest first. Each type's newest rows come from the index by type and time, which an order over all types has none of. */
export async function newestRows(db: RecordsDb, project: Project, asked: Asked): Promise<ActivityRow[]> {
  const { types, before, limit } = asked;
  const rows: ActivityRow[] = await newestDeleted(db, project, before, limit).execute();
  for (const [first, ...others] of partsOf(types, TYPES_A_QUERY)) {
    if (first === undefined) continue;
    const newest = (type: string) =>
      db.selectFrom(newestOf(db, project, { type, before, limit }).as('own')).selectAll();
    const joined = others.reduce((query, type) => query.unionAll(newest(type)), newest(first));
    rows.push(...(await joined.execute()));
  }
  return rows.sort(newestFirst).slice(0, limit);
}

const newestFirst = (one: ActivityRow, other: ActivityRow): number =>
  one.at === other.at ? other.row_id - one.row_id : one.at < other.at ? 1 : -1;

function newestOf(
  db: RecordsDb,
  project: Project,
  { type, before, limit }: { type: string; before: ActivityPlace | null; limit: number },
) {
  const rows = inProject(db, project)
    .selectFrom('entities')
    .select(['row_id', 'entity_type', 'entity_id', 'name', 'version', 'updated_at as at', 'updated_by as by'])
    .select(['operation_id', sql<number>`0`.as('is_deleted')])
    .where('entity_type', '=', type)
    .orderBy('updated_at', 'desc')
    .orderBy('row_id', 'desc')
    .limit(limit);
  if (before === null) return rows;
  return rows.where((eb) => eb(eb.refTuple('updated_at', 'row_id'), '<', eb.tuple(before.at, before.rowId)));
}

function newestDeleted(db: RecordsDb, project: Project, before: ActivityPlace | null, limit: number) {
  const rows = inProject(db, project)
    .selectFrom('recycle_items')
    .select(['row_id', 'entity_type', 'entity_id', 'name', 'version', 'deleted_at as at', 'deleted_by as by'])
    .select([sql<string | null>`null`.as('operation_id'), sql<number>`1`.as('is_deleted')])
    .orderBy('deleted_at', 'desc')
    .orderBy('row_id', 'desc')
    .limit(limit);
  if (before === null) return rows;
  return rows.where((eb) => eb(eb.refTuple('deleted_at', 'row_id'), '<', eb.tuple(before.at, before.rowId)));
}
