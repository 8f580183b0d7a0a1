import { inProject } from '../../../platform/database/scoped.ts';
import { type Project, scopeColumns } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import type { PluginLogRow } from '../plugins.tables.ts';
import { LOG_LEVELS } from './guest.contract.ts';

export type LogLine = Omit<PluginLogRow, 'tenant_id' | 'project_id' | 'plugin_id' | 'seq'>;

export interface LogQuery {
  limit: number;
  /** Only older lines than the one with this number. */
  before?: number | undefined;
  /** Only lines that are at least this bad. */
  level?: LogLine['level'] | undefined;
  kind?: LogLine['kind'] | undefined;
}

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
  { limit, before, level, kind }: LogQuery,
): Promise<{ total: number; lines: (LogLine & Pick<PluginLogRow, 'seq'>)[] }> {
  let matching = linesOf(db, project, pluginId);
  if (level !== undefined) matching = matching.where('level', 'in', atLeast(level));
  if (kind !== undefined) matching = matching.where('kind', '=', kind);
  const { total } = await matching
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .executeTakeFirstOrThrow();
  const older = before === undefined ? matching : matching.where('seq', '<', before);
  const lines = await older
    .select(['seq', 'at', 'level', 'kind', 'message', 'call', 'about', 'took_ms'])
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute();
  return { total: Number(total), lines };
}

const atLeast = (level: LogLine['level']) => LOG_LEVELS.slice(LOG_LEVELS.indexOf(level));

export async function removeLines(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_log').where('plugin_id', '=', pluginId).execute();
}
