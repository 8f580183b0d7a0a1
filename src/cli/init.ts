import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../kit/errors.ts';
import { fillContentFolder } from '../surfaces/starter.ts';
import { type CliContext, CommandError } from './context.ts';
import { projectFolder, projectIdOf, settings, typedPath } from './project.ts';

export interface FilledFolder {
  folder: string;
  templates: number;
  sample: boolean;
}

/** Fills a missing or empty folder; refuses one with anything in it and leaves that as it is. */
export async function init(
  context: CliContext,
  dir: string | undefined,
  options: { sample?: boolean; project?: string },
): Promise<FilledFolder> {
  if (dir !== undefined && options.project !== undefined)
    throw new CommandError('give either a folder or --project, not both');
  const folder =
    dir === undefined ? projectFolder(settings(context), projectIdOf(options)) : typedPath(context, dir);
  const sample = options.sample === true;
  const filled = await fillContentFolder(folder, { sample }).catch((error: unknown) => {
    throw new CommandError(`cannot fill ${folder}: ${messageOf(error)}`, { cause: error });
  });
  if (!filled)
    throw new CommandError(
      `${folder} is not empty, and nothing in it was changed. Name an empty or a new folder, or use this one as it is: CONTENT_DIR=${folder}`,
    );
  const templates = await readdir(join(folder, '_Templates', 'Standard'));
  return { folder, templates: templates.length, sample };
}
