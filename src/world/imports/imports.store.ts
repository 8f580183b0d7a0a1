import { inProject } from '../../platform/database/scoped.ts';
import { type Project, type RecordsDb, scopeColumns } from '../records/index.ts';
import type { ImportDb } from './imports.tables.ts';

export interface KnownEntity {
  row_id: number;
  entity_type: string;
  entity_id: string;
  name: string;
  path: string;
}

/** Live entities of a project in the order of their row ids, after `afterRow`. */
export const listEntityNames = (db: RecordsDb, project: Project, afterRow: number, limit: number) =>
  inProject(db, project)
    .selectFrom('entities')
    .select(['row_id', 'entity_type', 'entity_id', 'name', 'path'])
    .where('row_id', '>', afterRow)
    .orderBy('row_id')
    .limit(limit)
    .execute();

/** Stores the report of an import, and removes those made before `keepFrom` (ISO). */
export const keepReport = (
  project: Project,
  {
    operationId,
    report,
    at,
    keepFrom,
  }: { operationId: string; report: string; at: string; keepFrom: string },
): Promise<unknown> =>
  project.database.write(async (db: ImportDb) => {
    await inProject(db, project).deleteFrom('import_reports').where('made_at', '<', keepFrom).execute();
    await db
      .insertInto('import_reports')
      .values({ operation_id: operationId, ...scopeColumns(project), report, made_at: at })
      .execute();
  });

export const findReport = (project: Project, operationId: string): Promise<string | undefined> =>
  project.database.read(async (db: ImportDb) => {
    const row = await inProject(db, project)
      .selectFrom('import_reports')
      .select('report')
      .where('operation_id', '=', operationId)
      .executeTakeFirst();
    return row?.report;
  });
