import { inProject } from '../../../platform/database/scoped.ts';
import { type Project, scopeColumns } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';

const valuesOf = (db: PluginsDb, project: Project, pluginId: string) =>
  inProject(db, project).selectFrom('plugin_values').where('plugin_id', '=', pluginId);

export async function findValue(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  key: string,
): Promise<string | null> {
  const row = await valuesOf(db, project, pluginId).select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? null;
}

/** Of a plugin, without one key if one is named. */
export async function sizeOfValues(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  without: string | null,
): Promise<{ values: number; bytes: number }> {
  const all = valuesOf(db, project, pluginId);
  const counted = without === null ? all : all.where('key', '!=', without);
  const { values, bytes } = await counted
    .select(({ fn }) => [
      fn.countAll<number | string>().as('values'),
      fn.sum<number | string | null>('size').as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  return { values: Number(values), bytes: Number(bytes ?? 0) };
}

export const putValue = (
  db: PluginsDb,
  project: Project,
  pluginId: string,
  { key, value, size }: { key: string; value: string; size: number },
): Promise<void> =>
  project.database.dialect.upsert(
    db,
    'plugin_values',
    [{ ...scopeColumns(project), plugin_id: pluginId, key, value, size }],
    { conflict: ['tenant_id', 'project_id', 'plugin_id', 'key'], update: ['value', 'size'] },
  );

export async function removeValue(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  key: string,
): Promise<void> {
  await inProject(db, project)
    .deleteFrom('plugin_values')
    .where('plugin_id', '=', pluginId)
    .where('key', '=', key)
    .execute();
}

export async function removeValues(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_values').where('plugin_id', '=', pluginId).execute();
}

/** In the order of the keys, which databases sort in ways of their own. */
export async function keysWith(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  { prefix, most }: { prefix: string; most: number },
): Promise<string[]> {
  const rows = await valuesOf(db, project, pluginId).select('key').execute();
  const keys = rows.map(({ key }) => key).filter((key) => key.startsWith(prefix));
  return keys.sort((one, other) => (one < other ? -1 : 1)).slice(0, most);
}
