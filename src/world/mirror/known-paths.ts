import { FilesError } from '../../platform/files/files.ts';
import { folderOf } from '../../platform/files/paths.ts';
import { type FileChange, fileChangesAt, isAsKnown, type Project, type RecordsDb } from '../records/index.ts';

/** To look at more than this one by one takes longer than a run that looks at them together. */
const MOST_LOOKED_AT = 100;

/**
 * Those of some paths where the folder differs from the database, or may: an entity's file that is just as its row says
 * needs no run, and so it is after each of the service's own saves. Only such files, and folders of nothing else, are left out.
 */
export async function withoutKnown(project: Project, paths: readonly string[]): Promise<string[]> {
  if (paths.length > MOST_LOOKED_AT) return [...paths];
  const known = new Set<string>();
  // Folders first: a look at one takes in the files that lie in it, and a new one is named with its file.
  for (const path of paths.toSorted((a, b) => a.length - b.length))
    if (path !== '' && (known.has(folderOf(path)) || (await isKnown(project, path)))) known.add(path);
  return paths.filter((path) => !known.has(path));
}

async function isKnown(project: Project, path: string): Promise<boolean> {
  // Before its rows, which are many where it is a large folder.
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

/** How many files lie in a folder; 0 where that is not all that does, or there is no such folder. */
async function countFiles(project: Project, folder: string): Promise<number> {
  try {
    const entries = await project.files.list(folder);
    return entries.every(({ kind }) => kind === 'file') ? entries.length : 0;
  } catch (error) {
    if (error instanceof FilesError) return 0;
    throw error;
  }
}
