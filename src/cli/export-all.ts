import { copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { messageOf } from '../kit/errors.ts';
import { RECYCLE_ROOT } from '../modules/entities/recycle-item.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import { type CliContext, CommandError, say, sayJson } from './context.ts';
import { projectIdOf, settings, typedPath } from './project.ts';
import { count, createProgress } from './terminal.ts';

/** Copies every file of a project but deleted ones to an empty or new folder; all of it appears in one step. */
export async function exportAll(
  context: CliContext,
  target: string,
  options: { project?: string; json?: boolean },
): Promise<void> {
  const folder = await openContentFolder(settings(context), projectIdOf(options));
  const to = typedPath(context, target);
  await requireFree(to, folder.root);
  const staging = `${to}.canonry-${process.pid}.tmp`;
  try {
    const files = await copyAll(context, folder, staging);
    await mkdir(staging, { recursive: true });
    await rename(staging, to);
    if (options.json) sayJson(context, { folder: to, files });
    else say(context, `Copied ${count(files, 'file')} to ${to}`);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    context.stop.throwIfAborted();
    throw new CommandError(`the export failed, and ${to} was not made: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function requireFree(to: string, root: string): Promise<void> {
  if (!relative(root, to).startsWith('..'))
    throw new CommandError(`${to} lies in the content folder itself: name a folder outside ${root}`);
  const entries = await readdir(to).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new CommandError(`${to} cannot be used: ${error.message}`);
  });
  if (entries.length > 0)
    throw new CommandError(
      `${to} is not empty, and nothing in it was changed: name an empty or a new folder`,
    );
}

async function copyAll(context: CliContext, folder: ContentFolder, staging: string): Promise<number> {
  const progress = createProgress(context);
  let copied = 0;
  for (const { files } of folder.scanner.scan()) {
    for (const { path } of files) {
      if (path.startsWith(`${RECYCLE_ROOT}/`)) continue;
      context.stop.throwIfAborted();
      const target = join(staging, path);
      await mkdir(dirname(target), { recursive: true });
      await copyFile(join(folder.root, path), target);
      copied += 1;
      progress.show(`${count(copied, 'file')} copied`);
    }
  }
  progress.clear();
  return copied;
}
