import { homeOf } from '../../content/assets/index.ts';
import { entityFilesIn, type FileRow, findEntityRows, type Project } from '../records/index.ts';
import type { AssetDb } from './assets.tables.ts';

/**
 * File rows of assets with their owner: the entity whose file is in the same folder, under any id; without one, the folder's name is the
 * id.
 */
export async function withOwners(project: Project, files: readonly FileRow[]): Promise<FileRow[]> {
  const folders = new Map<string, FileRow>();
  for (const file of files) if (file.entity_id !== null) folders.set(homeOf(file), file);
  const owners = await project.database.read((db: AssetDb) => ownersUnderOtherIds(db, project, folders));
  return files.map((file) => {
    const entity_id = owners.get(homeOf(file));
    return entity_id === undefined ? file : { ...file, entity_id };
  });
}

async function ownersUnderOtherIds(
  db: AssetDb,
  project: Project,
  folders: ReadonlyMap<string, FileRow>,
): Promise<Map<string, string>> {
  const unknown = new Set(folders.keys());
  for (const [type, files] of Map.groupBy(folders.values(), (file) => file.entity_type ?? '')) {
    const ids = files.flatMap(({ entity_id }) => entity_id ?? []);
    for (const { path } of await findEntityRows(db, project, type, ids))
      unknown.delete(path.slice(0, path.lastIndexOf('/')));
  }
  const owners = new Map<string, string>();
  for (const folder of unknown) {
    const [file] = await entityFilesIn(db, project, folder);
    if (file) owners.set(folder, file.entity_id);
  }
  return owners;
}
