import { inProject } from '../../platform/database/scoped.ts';
import type { Project, RecordsDb } from '../records/index.ts';

export const PLUGINS_FOLDER = '_Plugins';
export const MANIFEST = 'plugin.json';

const MANIFEST_PATH = /^_Plugins\/([^/]+)\/plugin\.json$/;

export interface ManifestRow {
  /** The name of the plugin's folder. */
  folder: string;
  path: string;
  sha256: string;
}

/** Of the files of one plugin. */
export async function bytesOfPlugin(db: RecordsDb, project: Project, pluginId: string): Promise<number> {
  const { bytes } = await inProject(db, project)
    .selectFrom('files')
    .select(({ fn }) => fn.sum<number | string | null>('size').as('bytes'))
    .where('path', '>=', `${PLUGINS_FOLDER}/${pluginId}/`)
    .where('path', '<', `${PLUGINS_FOLDER}/${pluginId}0`)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** True for a plugin that is there, and stays until the transaction ends. */
export async function holdsManifest(db: RecordsDb, project: Project, pluginId: string): Promise<boolean> {
  const row = await inProject(db, project)
    .selectFrom('files')
    .select('path')
    .where('path', '=', `${PLUGINS_FOLDER}/${pluginId}/${MANIFEST}`)
    .where('deleted_at', 'is', null)
    .modifyEnd(project.database.dialect.forUpdate)
    .executeTakeFirst();
  return row !== undefined;
}

/** The mirrored manifests of a project's plugins, in the order of their folders. */
export async function manifestRows(db: RecordsDb, project: Project): Promise<ManifestRow[]> {
  const rows = await inProject(db, project)
    .selectFrom('files')
    .select(['path', 'sha256'])
    .where('path', '>=', `${PLUGINS_FOLDER}/`)
    .where('path', '<', `${PLUGINS_FOLDER}0`)
    .where('path', 'like', `%/${MANIFEST}`)
    .where('deleted_at', 'is', null)
    .orderBy('path')
    .execute();
  return rows.flatMap(({ path, sha256 }) => {
    const folder = MANIFEST_PATH.exec(path)?.[1];
    return folder === undefined ? [] : [{ folder, path, sha256 }];
  });
}
