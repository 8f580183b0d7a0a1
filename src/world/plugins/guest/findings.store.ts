import type { Kysely } from 'kysely';
import { inProject } from '../../../platform/database/scoped.ts';
import type { GuestFinding } from '../../../platform/guests/calls.ts';
import { storable } from '../../../text/storable.ts';
import { type Project, type RecordTables, scopeColumns } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import type { PluginFindingRow, PluginTables } from '../plugins.tables.ts';

const LONGEST_MESSAGE = 1_000;
const LONGEST_FIELD = 200;
const MOST_OF_AN_ENTITY = 100;

export async function replaceFindings(
  db: PluginsDb,
  project: Project,
  { pluginId, rowId }: { pluginId: string; rowId: number },
  findings: readonly GuestFinding[],
): Promise<void> {
  await inProject(db, project)
    .deleteFrom('plugin_findings')
    .where('plugin_id', '=', pluginId)
    .where('entity_row_id', '=', rowId)
    .execute();
  if (findings.length === 0) return;
  const rows: PluginFindingRow[] = findings.slice(0, MOST_OF_AN_ENTITY).map((finding, position) => ({
    ...scopeColumns(project),
    plugin_id: pluginId,
    entity_row_id: rowId,
    position,
    severity: finding.severity,
    field: finding.field === null ? null : storable(finding.field.slice(0, LONGEST_FIELD)),
    message: storable(finding.message.slice(0, LONGEST_MESSAGE)),
  }));
  await db.insertInto('plugin_findings').values(rows).execute();
}

export async function removeFindings(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_findings').where('plugin_id', '=', pluginId).execute();
}

export interface FindingsQuery {
  /** Of the plugins that run. */
  pluginIds: readonly string[];
  entityType?: string | undefined;
  entityId?: string | undefined;
  limit: number;
  offset: number;
}

/** Of entities that exist, in the order of their types and ids. */
export async function pageOfFindings(
  db: Kysely<PluginTables & RecordTables>,
  project: Project,
  { pluginIds, entityType, entityId, limit, offset }: FindingsQuery,
) {
  if (pluginIds.length === 0) return { total: 0, rows: [] };
  let query = inProject(db, project)
    .selectFrom('plugin_findings')
    .innerJoin('entities', 'entities.row_id', 'plugin_findings.entity_row_id')
    .where('plugin_findings.plugin_id', 'in', pluginIds);
  if (entityType !== undefined) query = query.where('entities.entity_type', '=', entityType);
  if (entityId !== undefined) query = query.where('entities.entity_id', '=', entityId);
  const { total } = await query
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query
    .select([
      'plugin_findings.plugin_id',
      'entities.entity_type',
      'entities.entity_id',
      'entities.name',
      'plugin_findings.severity',
      'plugin_findings.field',
      'plugin_findings.message',
    ])
    .orderBy('entities.entity_type')
    .orderBy('entities.entity_id')
    .orderBy('plugin_findings.plugin_id')
    .orderBy('plugin_findings.position')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total: Number(total), rows };
}
