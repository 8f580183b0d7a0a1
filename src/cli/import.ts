import { stat } from 'node:fs/promises';
import { relative } from 'node:path';
import { messageOf } from '../kit/errors.ts';
import { openContentFolder } from './content-folder.ts';
import { type CliContext, CommandError, type ExitCode } from './context.ts';
import { importFolder, isContentFolder } from './import-folder.ts';
import { type ImportCommandOptions, importSources } from './import-sources.ts';
import { projectIdOf, settings, typedPath } from './project.ts';

export async function importPath(
  context: CliContext,
  typed: string,
  options: ImportCommandOptions,
): Promise<ExitCode> {
  const config = settings(context);
  const path = typedPath(context, typed);
  const target = await openContentFolder(config, projectIdOf(options));
  if (!relative(target.root, path).startsWith('..') || !relative(path, target.root).startsWith('..'))
    throw new CommandError(`${path} and the content folder ${target.root} lie in one another`);
  const found = await stat(path).catch((error: unknown) => {
    throw new CommandError(`${path} cannot be read: ${messageOf(error)}`, { cause: error });
  });
  const { type, defaultType, typeOf } = options;
  const asNotes = (type ?? defaultType ?? typeOf) !== undefined;
  const isOurs = found.isDirectory() && !asNotes && (await isContentFolder(path));
  return isOurs
    ? importFolder(context, config, { root: path, target }, options)
    : importSources(context, config, path, options);
}
