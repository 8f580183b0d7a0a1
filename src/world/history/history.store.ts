import { sql } from 'kysely';
import { inTenant } from '../../platform/database/scoped.ts';
import { type Project, type RecordsDb, rowIdOf, TEMPLATE_ROW_TYPE } from '../records/index.ts';

/** Row ids of a project with superseded versions, above `after`, in order. */
export const rowsWithHistory = (project: Project, after: number, limit: number): Promise<number[]> =>
  project.database.read(async (db: RecordsDb) => {
    const rows = await inTenant(db, project.tenantId)
      .selectFrom('entity_revisions')
      .select('row_id')
      .distinct()
      .where('row_id', '>', Math.max(after, rowIdOf(project.number, 0)))
      .where('row_id', '<', rowIdOf(project.number + 1, 0))
      .orderBy('row_id')
      .limit(limit)
      .execute();
    return rows.map(({ row_id }) => row_id);
  });

export const keptVersions = (project: Project, rowId: number) =>
  project.database.read((db: RecordsDb) =>
    inTenant(db, project.tenantId)
      .selectFrom('entity_revisions')
      .select(['version', 'created_at'])
      .where('row_id', '=', rowId)
      .orderBy('version')
      .execute(),
  );

/** Deletes the oldest versions of a row; each is packed as a delta to a newer one, so the others stay readable. */
export const deleteVersionsBefore = (project: Project, rowId: number, version: number): Promise<number> =>
  project.database.write(async (db: RecordsDb) => {
    const gone = await inTenant(db, project.tenantId)
      .deleteFrom('entity_revisions')
      .where('row_id', '=', rowId)
      .where('version', '<', version)
      .returning('version')
      .execute();
    return gone.length;
  });

export interface PastEntity {
  row_id: number;
  entity_type: string;
  entity_id: string;
  name: string;
  status: string;
  version: number;
  updated_at: string;
  path: string;
}

export type PastProject = Pick<Project, 'tenantId' | 'projectId' | 'database'>;

export interface PastQuery {
  at: string;
  entityType: string | null;
  entityId: string | null;
}

/** Old enough present states, and superseded ones that were in force, of live entities and of those deleted since. */
function pastEntities(db: RecordsDb, project: PastProject, { at, entityType }: PastQuery) {
  const inForce = sql<number>`(select max(older.version) from entity_revisions as older
    where older.row_id = owner.row_id and older.created_at <= ${at} and older.parent is null)`;
  const isWanted = entityType === null ? sql<boolean>`1 = 1` : null;
  const present = db
    .selectFrom('entities as owner')
    .select([
      'owner.row_id',
      'owner.entity_type',
      'owner.entity_id',
      'owner.name',
      'owner.status',
      'owner.version',
      'owner.updated_at',
      'owner.path',
    ])
    .where('owner.tenant_id', '=', project.tenantId)
    .where('owner.project_id', '=', project.projectId)
    .where('owner.entity_type', '<>', TEMPLATE_ROW_TYPE)
    .where((eb) => isWanted ?? eb('owner.entity_type', '=', entityType))
    .where('owner.updated_at', '<=', at);
  const owners = db
    .selectFrom('entities')
    .select(['row_id', 'tenant_id', 'project_id', 'entity_type', 'entity_id', 'path', 'updated_at as until'])
    .unionAll(
      db
        .selectFrom('recycle_items')
        .select([
          'row_id',
          'tenant_id',
          'project_id',
          'entity_type',
          'entity_id',
          'path',
          'deleted_at as until',
        ]),
    );
  const superseded = db
    .selectFrom('entity_revisions as past')
    .innerJoin(owners.as('owner'), 'owner.row_id', 'past.row_id')
    .select((eb) => [
      'past.row_id',
      'owner.entity_type',
      eb.fn.coalesce('past.entity_id', 'owner.entity_id').as('entity_id'),
      'past.name',
      'past.status',
      'past.version',
      'past.created_at as updated_at',
      eb.fn.coalesce('past.path', 'owner.path').as('path'),
    ])
    .where('owner.tenant_id', '=', project.tenantId)
    .where('owner.project_id', '=', project.projectId)
    .where('owner.entity_type', '<>', TEMPLATE_ROW_TYPE)
    .where((eb) => isWanted ?? eb('owner.entity_type', '=', entityType))
    .where('owner.until', '>', at)
    .where('past.version', '=', inForce);
  return present.unionAll(superseded);
}

/** A page of a project's entities as they were at a time, by type and id, and their total. */
export const listPastEntities = (
  project: PastProject,
  query: PastQuery,
  page: { limit: number; offset: number },
): Promise<{ total: number; rows: PastEntity[] }> =>
  project.database.read(async (db: RecordsDb) => {
    const all = db.selectFrom(pastEntities(db, project, query).as('then'));
    const wanted = query.entityId === null ? all : all.where('then.entity_id', '=', query.entityId);
    const { total } = await wanted
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = await wanted
      .selectAll()
      .orderBy('then.entity_type')
      .orderBy('then.entity_id')
      .orderBy('then.row_id')
      .limit(page.limit)
      .offset(page.offset)
      .execute();
    return { total: Number(total), rows: rows as PastEntity[] };
  });
