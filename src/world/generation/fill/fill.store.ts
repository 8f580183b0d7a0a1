import { partsOf } from '../../../kit/parts.ts';
import { inProject } from '../../../platform/database/scoped.ts';
import type { EntityRow, Project } from '../../records/index.ts';
import type { FillDb, FillEntityRow, FillRow } from './fill.tables.ts';

/** Rows per insert: databases limit the values of a statement. */
const ROWS = 100;

export const rowIdsOfType = (
  project: Project,
  {
    entity_type: type,
    status,
    ids,
  }: { entity_type: string; status: string | undefined; ids: readonly string[] | undefined },
  limit: number,
): Promise<Pick<EntityRow, 'row_id' | 'entity_id'>[]> =>
  project.database.read((db: FillDb) =>
    inProject(db, project)
      .selectFrom('entities')
      .select(['row_id', 'entity_id'])
      .where('entity_type', '=', type)
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
      .$if(ids !== undefined, (query) => query.where('entity_id', 'in', ids ?? []))
      .orderBy('row_id')
      .limit(limit)
      .execute(),
  );

/** The run and its entities, together. */
export const insertFill = (project: Project, fill: FillRow, rowIds: readonly number[]): Promise<void> =>
  project.database.write(async (db: FillDb) => {
    const { run_id, tenant_id, project_id } = fill;
    await db.insertInto('ai_fills').values(fill).execute();
    for (const part of partsOf(rowIds, ROWS)) {
      const rows = part.map((row_id) => ({
        ...{ run_id, row_id, tenant_id, project_id, state: 'waiting' as const },
        ...{ reserved: 0, credits: 0, proposal_id: null, detail: null },
      }));
      await db.insertInto('ai_fill_entities').values(rows).execute();
    }
  });

export const findFill = (project: Project, runId: string): Promise<FillRow | undefined> =>
  project.database.read((db: FillDb) =>
    inProject(db, project).selectFrom('ai_fills').selectAll().where('run_id', '=', runId).executeTakeFirst(),
  );

export const runningFills = (project: Project): Promise<{ run_id: string }[]> =>
  project.database.read((db: FillDb) =>
    inProject(db, project).selectFrom('ai_fills').select('run_id').where('status', '=', 'running').execute(),
  );

export const fillEntities = (project: Project, runId: string): Promise<FillEntityRow[]> =>
  project.database.read((db: FillDb) =>
    inProject(db, project)
      .selectFrom('ai_fill_entities')
      .selectAll()
      .where('run_id', '=', runId)
      .orderBy('row_id')
      .execute(),
  );

export const noteEntity = (
  project: Project,
  { run_id, row_id }: Pick<FillEntityRow, 'run_id' | 'row_id'>,
  values: Partial<Pick<FillEntityRow, 'state' | 'reserved' | 'credits' | 'proposal_id' | 'detail'>>,
): Promise<unknown> =>
  project.database.write((db: FillDb) =>
    inProject(db, project)
      .updateTable('ai_fill_entities')
      .set(values)
      .where('run_id', '=', run_id)
      .where('row_id', '=', row_id)
      .execute(),
  );

/** False unless it was running. */
export const endFill = (
  project: Project,
  runId: string,
  values: Pick<FillRow, 'status' | 'reason' | 'finished_at'>,
): Promise<boolean> =>
  project.database.write(async (db: FillDb) => {
    const { numUpdatedRows } = await inProject(db, project)
      .updateTable('ai_fills')
      .set(values)
      .where('run_id', '=', runId)
      .where('status', '=', 'running')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
