import { inProject } from '../../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../../records/index.ts';

/** Names of a plugin's cursors begin with this, so that a plugin that ends leaves none. */
export const cursorPrefix = (pluginId: string): string => `plugin ${pluginId} `;

/** Removes a plugin's cursors, except some. An id has no letters that a pattern would take for others. */
export async function removeCursors(
  db: RecordsDb,
  project: Project,
  pluginId: string,
  except: readonly string[] = [],
): Promise<void> {
  const prefix = cursorPrefix(pluginId);
  let query = inProject(db, project).deleteFrom('feed_cursors').where('reader', 'like', `${prefix}%`);
  if (except.length > 0) query = query.where('reader', 'not in', except);
  await query.execute();
}
