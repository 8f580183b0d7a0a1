import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCAL_TENANT } from '../access/local-tenant.ts';
import { messageOf } from '../kit/errors.ts';
import { projectFolder } from '../surfaces/folders.ts';
import { pastFiles, timeOf } from '../world/history/index.ts';
import { type CliContext, CommandError, writeJson, writeLine } from './context.ts';
import { readDatabase } from './database.ts';
import { fillNewFolder } from './new-folder.ts';
import { projectIdOf, settings, typedPath } from './project.ts';
import { count, createProgress } from './terminal.ts';

/** Writes the entities of a project as they were at a time to an empty or new folder; everything appears in one step. */
export async function exportPast(
  context: CliContext,
  time: string,
  target: string,
  options: { project?: string; json?: boolean },
): Promise<void> {
  const at = momentOf(time);
  const config = settings(context);
  const projectId = projectIdOf(options);
  const to = typedPath(context, target);
  const files = await readDatabase(config, (database) => {
    const project = { tenantId: LOCAL_TENANT, projectId, database: database.tenant(LOCAL_TENANT) };
    return fillNewFolder(context, { to, outside: projectFolder(config, projectId) }, async (staging) => {
      const progress = createProgress(context);
      let written = 0;
      for await (const { path, text } of pastFiles(project, at)) {
        context.stop.throwIfAborted();
        await mkdir(dirname(join(staging, path)), { recursive: true });
        await writeFile(join(staging, path), text);
        progress.show(`${count(++written, 'file')} written`);
      }
      progress.clear();
      return written;
    });
  });
  if (options.json) writeJson(context, { folder: to, at, files });
  else writeLine(context, `Wrote ${count(files, 'file')} to ${to}, as of ${at}`);
}

function momentOf(time: string): string {
  try {
    return timeOf(time);
  } catch (error) {
    throw new CommandError(messageOf(error));
  }
}
