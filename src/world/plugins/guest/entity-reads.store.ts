import { inProject } from '../../../platform/database/scoped.ts';
import { documentsOf } from '../../entities/index.ts';
import { findEntityRow, type Project, type RecordsDb } from '../../records/index.ts';

/** The JSON of an entity as a reply has it. */
export const findEntityJson = (
  project: Project,
  entityType: string,
  entityId: string,
): Promise<string | null> =>
  project.database.read(async (db: RecordsDb) => {
    const row = await findEntityRow(db, project, entityType, entityId);
    const [json] = row ? await documentsOf(db, [row.row_id]) : [];
    return json ?? null;
  });

export const jsonOfRow = (project: Project, rowId: number): Promise<string | null> =>
  project.database.read(async (db: RecordsDb) => (await documentsOf(db, [rowId]))[0] ?? null);

/** In the order of ids, after one of them. */
export async function idsOfType(
  project: Project,
  entityType: string,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  return project.database.read(async (db: RecordsDb) => {
    let query = inProject(db, project)
      .selectFrom('entities')
      .select('entity_id')
      .where('entity_type', '=', entityType);
    if (after !== null) query = query.where('entity_id', '>', after);
    const rows = await query.orderBy('entity_id').limit(limit).execute();
    return rows.map(({ entity_id }) => entity_id);
  });
}
