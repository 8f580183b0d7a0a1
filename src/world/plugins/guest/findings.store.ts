import type { Kysely } from 'kysely';
import { inProject } from '../../../platform/database/scoped.ts';
import type { GuestFinding } from '../../../platform/guests/calls.ts';
import { storable } from '../../../text/storable.ts';
import { type Project, type RecordTables, scopeColumns } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import type { PluginFindingRow, PluginTables } from '../plugins.tables.ts';

/** For work on findings and cursors in one transaction. */
export type FollowDb = Kysely<PluginTables & RecordTables>;

const LONGEST_MESSAGE = 1_000;
const LONGEST_FIELD = 200;
const MOST_OF_AN_ENTITY = 100;

/** An entity with the findings of a plugin's present version. */
export interface CheckedEntity {
  rowId: number;
  findings: readonly GuestFinding[];
}

interface Component {
  pluginId: string;
  hash: string;
}

export async function replaceFindings(
  db: PluginsDb,
  project: Project,
  component: Component,
  checked: readonly CheckedEntity[],
): Promise<void> {
  if (checked.length === 0) return;
  const rowIds = checked.map(({ rowId }) => rowId);
  await inProject(db, project)
    .deleteFrom('plugin_findings')
    .where('plugin_id', '=', component.pluginId)
    .where('entity_row_id', 'in', rowIds)
    .execute();
  for (const entity of checked) {
    const rows = rowsOf(project, component, entity);
    if (rows.length > 0) await db.insertInto('plugin_findings').values(rows).execute();
  }
}

const rowsOf = (
  project: Project,
  { pluginId, hash }: Component,
  { rowId, findings }: CheckedEntity,
): PluginFindingRow[] =>
  findings.slice(0, MOST_OF_AN_ENTITY).map((finding, position) => ({
    ...scopeColumns(project),
    plugin_id: pluginId,
    component: hash,
    entity_row_id: rowId,
    position,
    severity: finding.severity,
    field: finding.field === null ? null : storable(finding.field.slice(0, LONGEST_FIELD)),
    message: storable(finding.message.slice(0, LONGEST_MESSAGE)),
  }));

export async function removeFindings(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_findings').where('plugin_id', '=', pluginId).execute();
}

/** Of entities that are gone. */
export async function removeOrphanedFindings(
  db: FollowDb,
  project: Project,
  pluginId: string,
): Promise<void> {
  await inProject(db, project)
    .deleteFrom('plugin_findings')
    .where('plugin_id', '=', pluginId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('entities')
            .select('entities.row_id')
            .whereRef('entities.row_id', '=', 'plugin_findings.entity_row_id'),
        ),
      ),
    )
    .execute();
}

export async function removeFormerFindings(
  db: PluginsDb,
  project: Project,
  { pluginId, hash }: Component,
): Promise<void> {
  await inProject(db, project)
    .deleteFrom('plugin_findings')
    .where('plugin_id', '=', pluginId)
    .where('component', '!=', hash)
    .execute();
}

export interface FindingsQuery {
  /** Of the plugins that run, as they are now. */
  components: readonly Component[];
  entityType?: string | undefined;
  entityId?: string | undefined;
  limit: number;
  offset: number;
}

/** Of entities that exist, in the order of their types and ids. */
export async function pageOfFindings(
  db: FollowDb,
  project: Project,
  { components, entityType, entityId, limit, offset }: FindingsQuery,
) {
  if (components.length === 0) return { total: 0, rows: [] };
  let query = inProject(db, project)
    .selectFrom('plugin_findings')
    .innerJoin('entities', 'entities.row_id', 'plugin_findings.entity_row_id')
    .where(({ or, and, eb }) =>
      or(
        components.map(({ pluginId, hash }) =>
          and([eb('plugin_findings.plugin_id', '=', pluginId), eb('plugin_findings.component', '=', hash)]),
        ),
      ),
    );
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
