import type { Kysely } from 'kysely';
import { inProject } from '../../platform/database/scoped.ts';
import { type Project, scopeColumns } from '../records/index.ts';
import type { PluginStateRow, PluginTables } from './plugins.tables.ts';

export type PluginsDb = Kysely<PluginTables>;

export interface PermissionAnswer {
  granted: boolean;
  by: string;
  at: string;
}

/** By permission, in its normal form. */
export type PermissionAnswers = Readonly<Record<string, PermissionAnswer>>;

export interface PluginDecisions {
  enabled: boolean;
  answers: PermissionAnswers;
  /** Milliseconds since 1970; the newest last. */
  breaks: readonly number[];
  installed_at: string | null;
  installed_by: string | null;
}

const UNDECIDED: PluginDecisions = {
  enabled: true,
  answers: {},
  breaks: [],
  installed_at: null,
  installed_by: null,
};

const decisionsOf = ({
  enabled,
  answers,
  breaks,
  installed_at,
  installed_by,
}: PluginStateRow): PluginDecisions => ({
  enabled: enabled === 1,
  answers: JSON.parse(answers) as PermissionAnswers,
  breaks: JSON.parse(breaks) as number[],
  installed_at,
  installed_by,
});

/** Of all plugins that anything was decided about, by id. */
export async function listDecisions(db: PluginsDb, project: Project): Promise<Map<string, PluginDecisions>> {
  const rows = await inProject(db, project).selectFrom('plugin_states').selectAll().execute();
  return new Map(rows.map((row) => [row.plugin_id, decisionsOf(row)]));
}

/** Changes what was decided about one plugin. Callers hold the lock of the project's plugins. */
export async function decide(
  db: PluginsDb,
  project: Project,
  pluginId: string,
  change: (present: PluginDecisions) => Partial<PluginDecisions>,
): Promise<void> {
  const row = await inProject(db, project)
    .selectFrom('plugin_states')
    .selectAll()
    .where('plugin_id', '=', pluginId)
    .executeTakeFirst();
  const present = row ? decisionsOf(row) : UNDECIDED;
  const { enabled, answers, breaks, ...installed } = { ...present, ...change(present) };
  const next = {
    ...installed,
    enabled: enabled ? 1 : 0,
    answers: JSON.stringify(answers),
    breaks: JSON.stringify(breaks),
  };
  await project.database.dialect.upsert(
    db,
    'plugin_states',
    [{ ...scopeColumns(project), plugin_id: pluginId, ...next }],
    {
      conflict: ['tenant_id', 'project_id', 'plugin_id'],
      update: ['enabled', 'answers', 'breaks', 'installed_at', 'installed_by'],
    },
  );
}

export const undecided = (): PluginDecisions => UNDECIDED;

export async function forgetAnswers(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project)
    .updateTable('plugin_states')
    .set({ answers: '{}' })
    .where('plugin_id', '=', pluginId)
    .execute();
}

export async function forgetDecisions(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_states').where('plugin_id', '=', pluginId).execute();
}
