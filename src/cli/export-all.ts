import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RECYCLE_ROOT } from '../world/texts/index.ts';
import { type ContentFolder, openContentFolder } from './content-folder.ts';
import { type CliContext, writeJson, writeLine } from './context.ts';
import { fillNewFolder } from './new-folder.ts';
import { projectIdOf, settings, typedPath } from './project.ts';
import { count, createProgress } from './terminal.ts';

/** Copies every file of a project except deleted ones to an empty or new folder; everything appears in one step. */
export async function exportAll(
  context: CliContext,
  target: string,
  options: { project?: string; json?: boolean },
): Promise<void> {
  const folder = await openContentFolder(settings(context), projectIdOf(options));
  const to = typedPath(context, target);
  const files = await fillNewFolder(context, { to, outside: folder.root }, (staging) =>
    copyAll(context, folder, staging),
  );
  if (options.json) writeJson(context, { folder: to, files });
  else writeLine(context, `Copied ${count(files, 'file')} to ${to}`);
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
