import type { Kysely, SelectQueryBuilder } from 'kysely';
import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb, RecordTables } from '../records/index.ts';
import type { PluginsDb } from './plugin-states.store.ts';
import type { PluginRecordRow, PluginTables } from './plugins.tables.ts';

export interface RecordPlace {
  pluginId: string;
  recordType: string;
}

export interface RecordFilter {
  entityType?: string | undefined;
  entityId?: string | undefined;
  /** Of the entity named by the two above, if it exists. */
  entityRowId: number | null;
  fields: readonly { path: readonly string[]; value: string }[];
}

const KEY = ['tenant_id', 'project_id', 'plugin_id', 'record_type', 'record_id'];

const live = (db: PluginsDb, project: Project, { pluginId, recordType }: RecordPlace) =>
  inProject(db, project)
    .selectFrom('plugin_records')
    .where('plugin_id', '=', pluginId)
    .where('record_type', '=', recordType)
    .where('deleted_at', 'is', null);

type Tables = PluginTables & Pick<RecordTables, 'entities'>;
type Rows = SelectQueryBuilder<Tables, 'plugin_records', object>;

function matching(rows: Rows, project: Project, filter: RecordFilter): Rows {
  const { entityType, entityId, entityRowId, fields } = filter;
  const { jsonHas } = project.database.dialect;
  let query = rows;
  if (entityType !== undefined) query = query.where('entity_type', '=', entityType);
  if (entityId !== undefined)
    query = query.where((eb) =>
      eb.or([
        ...(entityRowId === null ? [] : [eb('entity_row_id', '=', entityRowId)]),
        eb.and([
          eb('entity_id', '=', entityId),
          eb.or([
            eb('entity_row_id', 'is', null),
            eb.not(
              eb.exists(
                eb
                  .selectFrom('entities')
                  .select('entities.row_id')
                  .whereRef('entities.row_id', '=', 'plugin_records.entity_row_id'),
              ),
            ),
          ]),
        ]),
      ]),
    );
  for (const { path, value } of fields) query = query.where(jsonHas('data', path, value));
  return query;
}

export const findRecord = (
  db: PluginsDb,
  project: Project,
  place: RecordPlace,
  recordId: string,
): Promise<PluginRecordRow | undefined> =>
  live(db, project, place).selectAll().where('record_id', '=', recordId).executeTakeFirst();

/** Newest first. A record whose entity is gone, or was not there yet, is found by the id that it names. */
export async function pageOfRecords(
  db: Kysely<Tables>,
  project: Project,
  place: RecordPlace,
  { limit, offset, ...filter }: RecordFilter & { limit: number; offset: number },
): Promise<{ total: number; rows: PluginRecordRow[] }> {
  const rows = matching(live(db, project, place), project, filter);
  const { total } = await rows
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const page = await rows
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('record_id')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total: Number(total), rows: page };
}

/** In the order of types and ids, after a record. */
export async function recordsAfter(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  { after, limit }: { after: Pick<PluginRecordRow, 'record_type' | 'record_id'> | null; limit: number },
): Promise<PluginRecordRow[]> {
  let query = inProject(db, project)
    .selectFrom('plugin_records')
    .selectAll()
    .where('plugin_id', '=', pluginId)
    .where('deleted_at', 'is', null);
  if (after !== null)
    query = query.where((eb) =>
      eb.or([
        eb('record_type', '>', after.record_type),
        eb.and([eb('record_type', '=', after.record_type), eb('record_id', '>', after.record_id)]),
      ]),
    );
  return query.orderBy('record_type').orderBy('record_id').limit(limit).execute();
}

/** Of all that the plugin stores in the project, deleted records too. */
export async function sizeOfRecords(
  db: PluginsDb,
  project: Project,
  pluginId: string,
): Promise<{ records: number; bytes: number }> {
  const { records, bytes } = await inProject(db, project)
    .selectFrom('plugin_records')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('records'),
      fn.sum<number | string | null>('size').as('bytes'),
    ])
    .where('plugin_id', '=', pluginId)
    .executeTakeFirstOrThrow();
  return { records: Number(records), bytes: Number(bytes ?? 0) };
}

export const putRecord = (db: PluginsDb, project: Project, row: PluginRecordRow): Promise<void> =>
  project.database.dialect.upsert(db, 'plugin_records', [row], {
    conflict: KEY,
    update: [
      'entity_type',
      'entity_id',
      'entity_row_id',
      'data',
      'size',
      'created_at',
      'created_by',
      'updated_at',
      'updated_by',
      'deleted_at',
    ],
  });

export async function markDeleted(
  db: PluginsDb,
  project: Project,
  { pluginId, recordType }: RecordPlace,
  recordId: string,
  at: string,
): Promise<boolean> {
  const { numUpdatedRows } = await inProject(db, project)
    .updateTable('plugin_records')
    .set({ deleted_at: at })
    .where('plugin_id', '=', pluginId)
    .where('record_type', '=', recordType)
    .where('record_id', '=', recordId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function removeRecords(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_records').where('plugin_id', '=', pluginId).execute();
}

/** Records that were deleted before that time. */
export async function removeDeletedBefore(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  before: string,
): Promise<void> {
  await inProject(db, project)
    .deleteFrom('plugin_records')
    .where('plugin_id', '=', pluginId)
    .where('deleted_at', '<', before)
    .execute();
}

/** The present ids of entities, by row id. */
export async function presentIds(
  db: RecordsDb,
  project: Project,
  rowIds: readonly number[],
): Promise<Map<number, string>> {
  if (rowIds.length === 0) return new Map();
  const rows = await inProject(db, project)
    .selectFrom('entities')
    .select(['row_id', 'entity_id'])
    .where('row_id', 'in', rowIds)
    .execute();
  return new Map(rows.map(({ row_id, entity_id }) => [Number(row_id), entity_id]));
}
