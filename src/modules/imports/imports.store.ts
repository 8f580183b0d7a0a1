import type { RecordsDb } from '../records/records.tables.ts';
import type { Project } from '../records/scope.ts';

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
