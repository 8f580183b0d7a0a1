import { decodeUtf8 } from '../../content/frontmatter/index.ts';
import {
  MANIFEST_LIMITS,
  type ManifestProblem,
  type PluginManifest,
  readManifest,
} from '../../content/plugins/index.ts';
import { FilesError } from '../../platform/files/files.ts';
import { lastSequence, type Project, type RecordsDb } from '../records/index.ts';
import { type ManifestRow, manifestRows } from './plugin-rows.store.ts';

export interface PluginFolder {
  /** The name of its folder in `_Plugins`, which is also its id. */
  id: string;
  /** Null if `plugin.json` cannot be used. */
  manifest: PluginManifest | null;
  problems: readonly ManifestProblem[];
}

export type PluginFolders = (project: Project) => Promise<ReadonlyMap<string, PluginFolder>>;

const whole = (message: string): ManifestProblem => ({
  severity: 'error',
  message,
  pointer: '',
  line: 1,
  column: 1,
});

/**
 * The plugins of a project as their folders say. The mirrored rows tell which folders there are, so each process sees what another
 * one installed; a manifest is read once for each of its states.
 */
export function createPluginFolders(): PluginFolders {
  const seen = new WeakMap<Project, { seq: number; folders: ReadonlyMap<string, PluginFolder> }>();
  const known = new WeakMap<Project, Map<string, { sha256: string; folder: PluginFolder }>>();

  async function folderOf(project: Project, row: ManifestRow): Promise<PluginFolder | null> {
    const before = known.get(project)?.get(row.folder);
    if (before?.sha256 === row.sha256) return before.folder;
    const folder = await readFolder(project, row);
    // Another process may be replacing it at this moment.
    if (folder === null) return before?.folder ?? null;
    const ofProject = known.get(project) ?? new Map();
    known.set(project, ofProject.set(row.folder, { sha256: row.sha256, folder }));
    return folder;
  }

  async function foldersAt(project: Project): Promise<ReadonlyMap<string, PluginFolder>> {
    const rows = await project.database.read((db: RecordsDb) => manifestRows(db, project));
    const folders = await Promise.all(rows.map((row) => folderOf(project, row)));
    return new Map(folders.flatMap((folder) => (folder === null ? [] : [[folder.id, folder]])));
  }

  // A look goes through the rows of all files of all plugins, so it is made once for each state of the project.
  return async (project) => {
    const seq = await project.database.read((db: RecordsDb) => lastSequence(db, project));
    const before = seen.get(project);
    if (before?.seq === seq) return before.folders;
    const folders = await foldersAt(project);
    seen.set(project, { seq, folders });
    return folders;
  };
}

/** Null if the file is gone by now. */
async function readFolder(project: Project, { folder, path }: ManifestRow): Promise<PluginFolder | null> {
  try {
    const bytes = await project.files.read(path, MANIFEST_LIMITS.bytes);
    return { id: folder, ...readBytes(bytes, folder) };
  } catch (error) {
    if (!(error instanceof FilesError)) throw error;
    if (error.code === 'not_found') return null;
    return { id: folder, manifest: null, problems: [whole(error.message)] };
  }
}

function readBytes(bytes: Uint8Array, folder: string): Omit<PluginFolder, 'id'> {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return { manifest: null, problems: [whole(decoded.problem.reason)] };
  const { manifest, problems } = readManifest(decoded.text, { asUpload: false });
  if (manifest === null || manifest.id === folder) return { manifest, problems };
  const misplaced = whole(`The id is '${manifest.id}', but the folder is '${folder}': rename the folder`);
  return { manifest: null, problems: [...problems, misplaced] };
}
