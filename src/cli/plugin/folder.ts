import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { isSystemName } from '../../content/paths/index.ts';
import { type CliContext, CommandError } from '../context.ts';
import { typedPath } from '../project.ts';

export const MANIFEST = 'plugin.json';
/** Built files in the folder of a plugin, which are no part of it. */
const MADE = /^dist$|\.zip$/;

export type PluginFiles = Map<string, Uint8Array>;

/** The absolute path of the folder of a plugin. */
export async function pluginFolder(context: CliContext, typed = '.'): Promise<string> {
  const folder = typedPath(context, typed);
  if (await isThere(join(folder, MANIFEST))) return folder;
  throw new CommandError(
    `${folder} holds no ${MANIFEST}: name the folder of a plugin, or begin one: canonry plugin new my-plugin`,
  );
}

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** All files of a folder but hidden ones, by their paths. None if there is no such folder. */
export async function filesIn(folder: string): Promise<PluginFiles> {
  const files: PluginFiles = new Map();
  await addFiles(files, folder, folder);
  return files;
}

/** As `filesIn`, for the folder of a plugin that is not built. */
export async function filesOfPlugin(folder: string): Promise<PluginFiles> {
  const files = await filesIn(folder);
  return new Map([...files].filter(([path]) => !MADE.test(path.split('/')[0] ?? '')));
}

async function addFiles(files: PluginFiles, root: string, folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && folder === root) return [];
    throw error;
  });
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || isSystemName(entry.name)) continue;
    if (entry.isDirectory()) await addFiles(files, root, path);
    else if (entry.isFile()) files.set(relative(root, path).split(sep).join('/'), await readFile(path));
  }
}
