import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../kit/errors.ts';
import { projectFolder } from '../surfaces/folders.ts';
import { addMissing, fillContentFolder } from '../surfaces/starter.ts';
import { type CliContext, CommandError } from './context.ts';
import { projectIdOf, settings, typedPath } from './project.ts';

export interface FilledFolder {
  folder: string;
  templates: number;
  rules: number;
  sample: boolean;
}

/** Fills a missing or empty folder. A folder with content gets, if asked, only the templates and rules that it lacks. */
export async function init(
  context: CliContext,
  dir: string | undefined,
  options: { sample?: boolean; project?: string; addTemplates?: boolean; addRules?: boolean },
): Promise<FilledFolder> {
  if (dir !== undefined && options.project !== undefined)
    throw new CommandError('give either a folder or --project, not both');
  const folder =
    dir === undefined ? projectFolder(settings(context), projectIdOf(options)) : typedPath(context, dir);
  const sample = options.sample === true;
  const failed = (error: unknown) => {
    throw new CommandError(`cannot fill ${folder}: ${messageOf(error)}`, { cause: error });
  };
  const filled = await fillContentFolder(folder, { sample }).catch(failed);
  const add = (what: 'templates' | 'rules', isAsked = false) =>
    isAsked ? addMissing(folder, what).catch(failed) : 0;
  if (!filled && (options.addTemplates || options.addRules)) {
    const templates = await add('templates', options.addTemplates);
    return { folder, templates, rules: await add('rules', options.addRules), sample: false };
  }
  if (!filled)
    throw new CommandError(
      `${folder} is not empty, and nothing in it was changed. Name an empty or a new folder, add the templates that this one lacks with --add-templates, the rules with --add-rules, or use it as it is: CONTENT_DIR=${folder}`,
    );
  const templates = await readdir(join(folder, '_Templates', 'Standard'));
  const rules = (await readdir(join(folder, '_Rules'))).filter((name) => name.endsWith('_RULES.md'));
  return { folder, templates: templates.length, rules: rules.length, sample };
}
