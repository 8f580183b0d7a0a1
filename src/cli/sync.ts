import { openContentFolder } from './content-folder.ts';
import { type CliContext, CommandError, EXIT, type ExitCode, writeJson } from './context.ts';
import { withDataLock } from './data-lock.ts';
import { withCore } from './one-off-core.ts';
import { projectIdOf, settings } from './project.ts';
import { isClean, printSync, runSync, type SyncOptions } from './run-sync.ts';

const ADVICE =
  'A running service follows the folder by itself; POST /api/sync/refresh-all asks it to look at everything';

/** Syncs the content folder into the database once. */
export async function sync(
  context: CliContext,
  options: SyncOptions & { project?: string; json?: boolean },
): Promise<ExitCode> {
  const config = settings(context);
  const projectId = projectIdOf(options);
  const { set } = await openContentFolder(config, projectId);
  const { type } = options;
  if (type !== undefined && !set.types.has(type))
    throw new CommandError(`there is no type '${type}': known are ${[...set.types.keys()].join(', ')}`);
  const report = await withDataLock(
    config,
    () => withCore(context, config, projectId, (open) => runSync(context, open, options)),
    ADVICE,
  );
  if (options.json) writeJson(context, report);
  else printSync(context, report);
  return isClean(report) ? EXIT.ok : EXIT.findings;
}
