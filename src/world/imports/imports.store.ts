import { type Project, type RecordsDb, scopeColumns } from '../records/index.ts';
import type { ImportDb } from './imports.tables.ts';

export interface KnownEntity {
  row_id: number;
  entity_type: string;
  entity_id: string;
  name: string;
  path: string;
}

/** Live entities of a project in the order of their rows, from after `afterRow` on. */
export const listEntityNames = (
  db: RecordsDb,
  { tenantId, projectId }: Project,
  afterRow: number,
  limit: number,
): Promise<KnownEntity[]> =>
  db
    .selectFrom('entities')
    .select(['row_id', 'entity_type', 'entity_id', 'name', 'path'])
    .where('tenant_id', '=', tenantId)
    .where('project_id', '=', projectId)
    .where('row_id', '>', afterRow)
    .orderBy('row_id')
    .limit(limit)
    .execute();

/** Keeps the report of an import, and lets go of those made before `keepFrom` (ISO). */
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
    await db
      .deleteFrom('import_reports')
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('made_at', '<', keepFrom)
      .execute();
    await db
      .insertInto('import_reports')
      .values({ operation_id: operationId, ...scopeColumns(project), report, made_at: at })
      .execute();
  });

export const findReport = (project: Project, operationId: string): Promise<string | undefined> =>
  project.database.read(async (db: ImportDb) => {
    const row = await db
      .selectFrom('import_reports')
      .select('report')
      .where('tenant_id', '=', project.tenantId)
      .where('project_id', '=', project.projectId)
      .where('operation_id', '=', operationId)
      .executeTakeFirst();
    return row?.report;
  });
