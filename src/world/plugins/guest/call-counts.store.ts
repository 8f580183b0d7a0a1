import type { Kysely } from 'kysely';
import { inProject } from '../../../platform/database/scoped.ts';
import { lastSequence, type Project, type RecordTables, scopeColumns } from '../../records/index.ts';
import type { PluginsDb } from '../plugin-states.store.ts';
import type { PluginCallCountRow, PluginTables } from '../plugins.tables.ts';

export type CallCount = Omit<PluginCallCountRow, 'tenant_id' | 'project_id'>;

/** One count of two of the same call. */
export const sumOf = (one: CallCount, other: CallCount): CallCount => ({
  plugin_id: one.plugin_id,
  call: one.call,
  calls: one.calls + other.calls,
  failed: one.failed + other.failed,
  took_us: one.took_us + other.took_us,
  slowest_us: Math.max(one.slowest_us, other.slowest_us),
  last_at: later(one.last_at, other.last_at),
  last_failed_at: later(one.last_failed_at, other.last_failed_at),
});

const later = <Time extends string | null>(one: Time, other: Time): Time =>
  (one ?? '') > (other ?? '') ? one : other;

/** PostgreSQL has large integers as texts. */
const countOf = (row: PluginCallCountRow): CallCount => ({
  plugin_id: row.plugin_id,
  call: row.call,
  calls: Number(row.calls),
  failed: Number(row.failed),
  took_us: Number(row.took_us),
  slowest_us: Number(row.slowest_us),
  last_at: row.last_at,
  last_failed_at: row.last_failed_at,
});

/** In the order of the names of calls. */
export async function callCountsOf(db: PluginsDb, project: Project, pluginId: string): Promise<CallCount[]> {
  const rows = await inProject(db, project)
    .selectFrom('plugin_call_counts')
    .selectAll()
    .where('plugin_id', '=', pluginId)
    .orderBy('call')
    .execute();
  return rows.map(countOf);
}

/** Adds to what is counted already, unless the project is gone. Callers hold the lock of the project's counts. */
export async function addCallCounts(
  db: Kysely<PluginTables & RecordTables>,
  project: Project,
  counts: readonly CallCount[],
): Promise<void> {
  // The tenant was removed: nobody would remove these rows again.
  if ((await lastSequence(db, project)) === 0) return;
  const present = await inProject(db, project).selectFrom('plugin_call_counts').selectAll().execute();
  const rows = counts.map((count) => {
    const before = present.find(
      ({ plugin_id, call }) => plugin_id === count.plugin_id && call === count.call,
    );
    return { ...scopeColumns(project), ...(before ? sumOf(countOf(before), count) : count) };
  });
  await project.database.dialect.upsert(db, 'plugin_call_counts', rows, {
    conflict: ['tenant_id', 'project_id', 'plugin_id', 'call'],
    update: ['calls', 'failed', 'took_us', 'slowest_us', 'last_at', 'last_failed_at'],
  });
}

export async function removeCallCounts(db: PluginsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project).deleteFrom('plugin_call_counts').where('plugin_id', '=', pluginId).execute();
}
