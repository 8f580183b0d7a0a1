import { SKILL_FOLDERS, SKILL_MD } from '../../content/skills/index.ts';
import { type FileStore, FilesError } from '../../platform/files/files.ts';
import { folderOf } from '../../text/paths.ts';

/** Of a skill's folder; further ones are left out of lists and archives. */
export const MOST_FILES = 200;

/** The path of all that belongs to a skill: its file, or for a `SKILL.md` the folder it is in. */
export const placeOfSkill = (path: string): string => (path.endsWith(`/${SKILL_MD}`) ? folderOf(path) : path);

/** Ours come with the service: a file of the project's own replaces one, and nothing moves it. */
export const isStandard = (path: string): boolean => path.startsWith(`${SKILL_FOLDERS[0]}/`);

/** The files beside a `SKILL.md`, by their paths in its folder. */
export async function filesBeside(files: FileStore, path: string): Promise<{ path: string; size: number }[]> {
  const root = placeOfSkill(path);
  if (root === path) return [];
  const found: { path: string; size: number }[] = [];
  const waiting = [''];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for (const { name, kind } of await entriesIn(files, folder === '' ? root : `${root}/${folder}`)) {
      const inner = folder === '' ? name : `${folder}/${name}`;
      if (name.startsWith('.') || inner === SKILL_MD) continue;
      if (kind === 'folder') waiting.push(inner);
      const stat = kind === 'file' ? await files.stat(`${root}/${inner}`) : undefined;
      if (stat) found.push({ path: inner, size: stat.size });
      if (found.length + waiting.length > MOST_FILES) return found;
    }
  }
  return found;
}

/** In the order of names; none of a folder that is gone. */
async function entriesIn(files: FileStore, folder: string) {
  try {
    return (await files.list(folder)).sort((one, other) => (one.name < other.name ? -1 : 1));
  } catch (error) {
    if (error instanceof FilesError && error.code === 'not_found') return [];
    throw error;
  }
}
