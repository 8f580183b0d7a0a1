import { type Clock, isoTime } from '../../kit/clock.ts';
import { conflict, notFound, tooLarge } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { JsonMap } from '../../text/json.ts';
import { findEntityRow, type Project, type RecordsDb, scopeColumns } from '../records/index.ts';
import { LARGEST_RECORD, type PluginRecordReply } from './data.contract.ts';
import type { PluginsDb } from './plugin-states.store.ts';
import type { PluginRecordRow } from './plugins.tables.ts';
import {
  findRecord,
  markDeleted,
  pageOfRecords,
  presentIds,
  putRecord,
  type RecordFilter,
  type RecordPlace,
  recordsAfter,
  removeDeletedBefore,
  removeRecords,
  sizeOfRecords,
} from './records.store.ts';

/** Of one plugin in one project. */
export interface RecordLimits {
  records: number;
  bytes: number;
}

const RECORD_LIMITS: RecordLimits = { records: 100_000, bytes: 100 * 1024 * 1024 };

const RECORDS_AT_ONCE = 200;

/** Milliseconds for which a deleted record is kept. */
const KEPT_MS = 30 * 24 * 3_600_000;

export interface RecordsQuery extends Omit<RecordFilter, 'entityRowId'> {
  limit: number;
  offset: number;
}

/** The data of plugins: collections of JSON objects, one set of them for each plugin and project (spec 2 §4.8). */
export function createPluginRecords({
  clock,
  limits = RECORD_LIMITS,
}: {
  clock: Clock;
  limits?: RecordLimits;
}) {
  const lockOf = ({ projectId }: Project, { pluginId }: RecordPlace) =>
    `plugin records of ${projectId} ${pluginId}`;

  async function rowIdOf(project: Project, entityType: unknown, entityId: unknown): Promise<number | null> {
    if (typeof entityType !== 'string' || typeof entityId !== 'string') return null;
    const row = await project.database.read((db: RecordsDb) =>
      findEntityRow(db, project, entityType, entityId),
    );
    return row?.row_id ?? null;
  }

  /** Deleted records count until they are removed, which they are as soon as others need their room. */
  async function withoutDeleted(project: Project, pluginId: string) {
    const now = isoTime(clock.now() + 1);
    await project.database.write((db: PluginsDb) => removeDeletedBefore(db, project, pluginId, now));
    return project.database.read((db: PluginsDb) => sizeOfRecords(db, project, pluginId));
  }

  /** Needs the lock: limits hold for concurrent callers together. */
  async function requireRoom(
    project: Project,
    { pluginId }: RecordPlace,
    size: number,
    former: number | null,
  ) {
    const left = await project.database.read((db: PluginsDb) => sizeOfRecords(db, project, pluginId));
    const isFull = left.records >= limits.records || left.bytes + size > limits.bytes;
    const used = isFull ? await withoutDeleted(project, pluginId) : left;
    if (former === null && used.records >= limits.records)
      throw full(`The plugin '${pluginId}' has ${limits.records} records, as many as it may have`);
    if (used.bytes + size - (former ?? 0) > limits.bytes)
      throw full(`The records of the plugin '${pluginId}' may have ${limits.bytes} bytes in all`);
  }

  async function store(
    project: Project,
    place: RecordPlace,
    recordId: string,
    { data, actor }: { data: JsonMap; actor: string },
  ): Promise<PluginRecordReply> {
    const json = JSON.stringify(data);
    const size = Buffer.byteLength(json);
    if (size > LARGEST_RECORD)
      throw tooLarge(`The record has ${size} bytes of JSON; ${LARGEST_RECORD} are allowed`);
    const { entity_type, entity_id } = data;
    const entity_row_id = await rowIdOf(project, entity_type, entity_id);
    const now = isoTime(clock.now());
    await project.database.exclusive(lockOf(project, place), async () => {
      const former = await project.database.read((db: PluginsDb) => findRecord(db, project, place, recordId));
      await requireRoom(project, place, size, former?.size ?? null);
      const row: PluginRecordRow = {
        ...scopeColumns(project),
        plugin_id: place.pluginId,
        record_type: place.recordType,
        record_id: recordId,
        entity_type: typeof entity_type === 'string' ? entity_type : null,
        entity_id: typeof entity_id === 'string' ? entity_id : null,
        entity_row_id,
        data: json,
        size,
        created_at: former?.created_at ?? now,
        created_by: former?.created_by ?? actor,
        updated_at: now,
        updated_by: actor,
        deleted_at: null,
      };
      await project.database.write((db: PluginsDb) => putRecord(db, project, row));
    });
    return get(project, place, recordId);
  }

  async function repliesOf(project: Project, rows: readonly PluginRecordRow[]): Promise<PluginRecordReply[]> {
    const rowIds = rows.flatMap(({ entity_row_id }) => entity_row_id ?? []);
    const ids = await project.database.read((db: RecordsDb) => presentIds(db, project, rowIds));
    return rows.map((row) => replyOf(row, ids));
  }

  async function get(project: Project, place: RecordPlace, recordId: string): Promise<PluginRecordReply> {
    const row = await project.database.read((db: PluginsDb) => findRecord(db, project, place, recordId));
    const [reply] = row ? await repliesOf(project, [row]) : [];
    if (reply === undefined) throw missing(place, recordId);
    return reply;
  }

  return {
    get,

    create: (project: Project, place: RecordPlace, data: JsonMap, actor: string) =>
      store(project, place, newId(), { data, actor }),

    put: (project: Project, place: RecordPlace, recordId: string, data: JsonMap, actor: string) =>
      store(project, place, recordId.toLowerCase(), { data, actor }),

    async page(project: Project, place: RecordPlace, { limit, offset, ...filter }: RecordsQuery) {
      const entityRowId = await rowIdOf(project, filter.entityType, filter.entityId);
      const { total, rows } = await project.database.read((db: PluginsDb) =>
        pageOfRecords(db, project, place, { ...filter, entityRowId, limit, offset }),
      );
      return { records: await repliesOf(project, rows), total, limit, offset };
    },

    async remove(project: Project, place: RecordPlace, recordId: string): Promise<void> {
      const now = clock.now();
      const isDeleted = await project.database.write(async (db: PluginsDb) => {
        await removeDeletedBefore(db, project, place.pluginId, isoTime(now - KEPT_MS));
        return markDeleted(db, project, place, recordId, isoTime(now));
      });
      if (!isDeleted) throw missing(place, recordId);
    },

    size: (project: Project, pluginId: string) =>
      project.database.read((db: PluginsDb) => sizeOfRecords(db, project, pluginId)),

    /** All records of a plugin, some at a time. */
    async *all(project: Project, pluginId: string): AsyncGenerator<PluginRecordReply[]> {
      let after: PluginRecordRow | null = null;
      for (;;) {
        const page = { after, limit: RECORDS_AT_ONCE };
        const rows: PluginRecordRow[] = await project.database.read((db: PluginsDb) =>
          recordsAfter(db, project, pluginId, page),
        );
        if (rows.length > 0) yield await repliesOf(project, rows);
        after = rows.at(-1) ?? null;
        if (rows.length < RECORDS_AT_ONCE) return;
      }
    },

    purge: (project: Project, pluginId: string): Promise<void> =>
      project.database.write((db: PluginsDb) => removeRecords(db, project, pluginId)),
  };
}

export type PluginRecords = ReturnType<typeof createPluginRecords>;

const replyOf = (row: PluginRecordRow, ids: ReadonlyMap<number, string>): PluginRecordReply => ({
  record_id: row.record_id,
  record_type: row.record_type,
  entity_type: row.entity_type,
  entity_id: (row.entity_row_id === null ? undefined : ids.get(Number(row.entity_row_id))) ?? row.entity_id,
  data: JSON.parse(row.data),
  created_at: row.created_at,
  created_by: row.created_by,
  updated_at: row.updated_at,
  updated_by: row.updated_by,
});

const full = (detail: string) => conflict(`${detail}: delete some first`, { code: 'plugin_data_full' });
const missing = ({ pluginId, recordType }: RecordPlace, recordId: string) =>
  notFound(`The plugin '${pluginId}' has no record '${recordId}' of the type '${recordType}'`, {
    code: 'record_not_found',
  });
