import { inProject } from '../../../platform/database/scoped.ts';
import { type Project, scopeColumns } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import type { PluginLogRow } from '../plugins.tables.ts';

export type LogLine = Pick<PluginLogRow, 'at' | 'level' | 'message'>;

const linesOf = (db: PluginsDb, project: Project, pluginId: string) =>
  inProject(db, project).selectFrom('plugin_log').where('plugin_id', '=', pluginId);

/** Adds lines and removes the oldest, so that `most` are kept. Callers hold the lock of the plugin's log. */
export async function addLines(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  { lines, most }: { lines: readonly LogLine[]; most: number },
): Promise<void> {
  const newest = await linesOf(db, project, pluginId)
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  const first = Number(newest?.seq ?? 0) + 1;
  const kept = lines.slice(-most);
  const rows = kept.map((line, index) => ({
    ...scopeColumns(project),
    plugin_id: pluginId,
    seq: first + index,
    ...line,
  }));
  await db.insertInto('plugin_log').values(rows).execute();
  await inProject(db, project)
    .deleteFrom('plugin_log')
    .where('plugin_id', '=', pluginId)
    .where('seq', '<=', first + kept.length - 1 - most)
    .execute();
}

/** Newest first. */
export async function pageOfLines(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; lines: LogLine[] }> {
  const { total } = await linesOf(db, project, pluginId)
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const lines = await linesOf(db, project, pluginId)
    .select(['at', 'level', 'message'])
    .orderBy('seq', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total: Number(total), lines };
}

export async function removeLines(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_log').where('plugin_id', '=', pluginId).execute();
}
