import { inProject } from '../../platform/database/scoped.ts';
import {
  type EntityNode,
  findByPlainId,
  incomingEdges,
  outgoingEdges,
  type Project,
  type RecordsDb,
} from '../records/index.ts';

/** References of one entity that are looked at, in each direction. */
const MOST_EDGES = 400;
const BEFORE_FIRST = -1;

const documents = (db: RecordsDb, project: Project) =>
  inProject(db, project)
    .selectFrom('entities')
    .innerJoin('entity_documents', 'entity_documents.row_id', 'entities.row_id')
    .select([
      'entities.row_id',
      'entity_type',
      'entity_id',
      'name',
      'status',
      'version',
      'path',
      'json',
      'head',
    ]);

export type StoredDocument = NonNullable<Awaited<ReturnType<typeof findDocument>>>;

export const findDocument = (db: RecordsDb, project: Project, entityType: string, entityId: string) =>
  documents(db, project)
    .where('entity_type', '=', entityType)
    .where('entity_id', '=', entityId)
    .executeTakeFirst();

export const documentsOf = (db: RecordsDb, project: Project, rowIds: readonly number[]) =>
  rowIds.length === 0
    ? Promise.resolve([])
    : documents(db, project).where('entities.row_id', 'in', rowIds).execute();

/** Both directions, with the entities that may be at the other end of the outgoing ones. */
export async function edgesAround(db: RecordsDb, project: Project, target: EntityNode) {
  const outgoing = await outgoingEdges(db, target.row_id, { after: BEFORE_FIRST, limit: MOST_EDGES });
  const incoming = await incomingEdges(db, project, target, { after: null, limit: MOST_EDGES });
  const ids = [...new Set(outgoing.map(({ to_id }) => to_id))];
  return { outgoing, incoming, ends: await findByPlainId(db, project, ids) };
}

/** The ones that were changed last; archived ones are not offered. */
export const latestOfType = (db: RecordsDb, project: Project, entityType: string, limit: number) =>
  inProject(db, project)
    .selectFrom('entities')
    .select(['entity_type', 'entity_id', 'name'])
    .where('entity_type', '=', entityType)
    .where('status', '=', 'active')
    .orderBy('updated_at', 'desc')
    .orderBy('row_id', 'desc')
    .limit(limit)
    .execute();

export const takenIds = async (
  db: RecordsDb,
  project: Project,
  entityType: string,
  ids: readonly string[],
): Promise<Set<string>> => {
  const rows = await inProject(db, project)
    .selectFrom('entities')
    .select('entity_id')
    .where('entity_type', '=', entityType)
    .where('entity_id', 'in', ids)
    .execute();
  return new Set(rows.map(({ entity_id }) => entity_id));
};
