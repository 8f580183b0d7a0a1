import type { Kysely } from 'kysely';
import type { SettingsTables } from '../../frame/settings/index.ts';
import { inProject, inTenant } from '../../platform/database/scoped.ts';
import type { JsonMap } from '../../text/json.ts';
import type { Project } from '../records/index.ts';
import type { PluginTables } from './plugins.tables.ts';
import { SETTINGS_PREFIX, settingsNames } from './settings-names.ts';

export type KeptDb = Kysely<PluginTables & SettingsTables>;

/** A row's `json` has no secrets. */
const settingsOf = (db: KeptDb, { tenantId, projectId }: Project, userId: string) =>
  inTenant(db, tenantId)
    .selectFrom('settings')
    .select(['name', 'scope', 'json'])
    .where('name', 'like', `${SETTINGS_PREFIX}%`)
    .where((eb) =>
      eb.or([
        eb.and([eb('scope', '=', 'project'), eb('id', '=', projectId)]),
        eb.and([eb('scope', '=', 'user'), eb('id', '=', userId), eb('name', 'like', `% ${projectId}`)]),
      ]),
    );

/** Ids of plugins, installed or not, that have settings of the project or of the user, or records. */
export async function pluginsWithData(db: KeptDb, project: Project, userId: string): Promise<string[]> {
  const settings = await settingsOf(db, project, userId).execute();
  const records = await inProject(db, project)
    .selectFrom('plugin_records')
    .select('plugin_id')
    .distinct()
    .execute();
  const named = settings.map(({ name }) => name.slice(SETTINGS_PREFIX.length).split(' ')[0] ?? '');
  return [...new Set([...named, ...records.map(({ plugin_id }) => plugin_id)])].sort();
}

/** Whatever was set, for a plugin whose manifest is gone. */
export async function keptSettings(
  db: KeptDb,
  project: Project,
  pluginId: string,
  userId: string,
): Promise<{ global: JsonMap; user: JsonMap }> {
  const names = Object.values(settingsNames(pluginId, project));
  const rows = await settingsOf(db, project, userId).where('name', 'in', names).execute();
  const valuesOf = (wanted: string): JsonMap =>
    JSON.parse(rows.find(({ scope }) => scope === wanted)?.json ?? '{}');
  return { global: valuesOf('project'), user: valuesOf('user') };
}
