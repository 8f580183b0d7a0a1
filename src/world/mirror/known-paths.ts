import { FilesError } from '../../platform/files/files.ts';
import { folderOf } from '../../platform/files/paths.ts';
import { type FileChange, fileChangesAt, isAsKnown, type Project, type RecordsDb } from '../records/index.ts';

/** Above this number, one run over all paths is faster than a check of each. */
const MOST_LOOKED_AT = 100;

/**
 * The paths where folder and database may differ: all but entity files that match their rows, and folders of nothing else; after
 * the service's own saves that is nearly always the case.
 */
export async function withoutKnown(project: Project, paths: readonly string[]): Promise<string[]> {
  if (paths.length > MOST_LOOKED_AT) return [...paths];
  const known = new Set<string>();
  // Folders come first: a check of one covers the files directly in it, and a new folder is reported with its file.
  for (const path of paths.toSorted((a, b) => a.length - b.length))
    if (path !== '' && (known.has(folderOf(path)) || (await isKnown(project, path)))) known.add(path);
  return paths.filter((path) => !known.has(path));
}

async function isKnown(project: Project, path: string): Promise<boolean> {
  // The folder is counted before its rows are read, which are many for a large one.
  const file = await project.files.stat(path);
  const files = file ? 1 : await countFiles(project, path);
  if (files === 0 || files > MOST_LOOKED_AT) return false;
  const rows = await project.database.read((db: RecordsDb) => fileChangesAt(db, project, path));
  const live = rows.filter((row) => row.deleted_at === null);
  if (live.length !== files || !live.every(isEntityFile)) return false;
  for (const row of live) {
    const stat = file ?? (await project.files.stat(row.path));
    if (stat === undefined || !isAsKnown(row, stat)) return false;
  }
  return true;
}

const isEntityFile = ({ entry_type, entity_id, problem }: FileChange): boolean =>
  entry_type === 'markdown' && entity_id !== null && problem === null;

/** Counts the files in a folder; 0 if it has subfolders or other entries, or does not exist. */
async function countFiles(project: Project, folder: string): Promise<number> {
  try {
    const entries = await project.files.list(folder);
    return entries.every(({ kind }) => kind === 'file') ? entries.length : 0;
  } catch (error) {
    if (error instanceof FilesError) return 0;
    throw error;
  }
}
