import { inProject } from '../../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../../records/index.ts';
import type { GuestPlugin } from './running-plugins.ts';

/** Names of a plugin's cursors begin with this, so that a plugin that ends leaves none. */
const cursorPrefix = (pluginId: string): string => `plugin ${pluginId} `;

/** In the log of events. */
export const eventsReader = ({ folder }: GuestPlugin): string => `${cursorPrefix(folder.id)}events`;
/** Exists once the plugin was told that it begins. */
export const begunReader = ({ folder }: GuestPlugin): string => `${cursorPrefix(folder.id)}begun`;
/** In the feed of changes, for one version of the component. */
export const checksReader = ({ folder, hash }: GuestPlugin): string =>
  `${cursorPrefix(folder.id)}checks ${hash.slice(0, 16)}`;

/** An id has no letters that a pattern would take for others. */
const cursorsOf = (pluginId: string): string => `${cursorPrefix(pluginId)}%`;

/** True if a former version of the plugin left one. */
export async function hasFormerCursors(
  db: RecordsDb,
  project: Project,
  plugin: GuestPlugin,
): Promise<boolean> {
  const row = await inProject(db, project)
    .selectFrom('feed_cursors')
    .select('reader')
    .where('reader', 'like', cursorsOf(plugin.folder.id))
    .where('reader', 'not in', present(plugin))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function removeFormerCursors(
  db: RecordsDb,
  project: Project,
  plugin: GuestPlugin,
): Promise<void> {
  await inProject(db, project)
    .deleteFrom('feed_cursors')
    .where('reader', 'like', cursorsOf(plugin.folder.id))
    .where('reader', 'not in', present(plugin))
    .execute();
}

export async function removeCursors(db: RecordsDb, project: Project, pluginId: string): Promise<void> {
  await inProject(db, project)
    .deleteFrom('feed_cursors')
    .where('reader', 'like', cursorsOf(pluginId))
    .execute();
}

const present = (plugin: GuestPlugin): string[] => [
  eventsReader(plugin),
  begunReader(plugin),
  checksReader(plugin),
];
