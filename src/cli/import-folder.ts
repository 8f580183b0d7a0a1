import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fitsLimit, PLANS } from '../access/plans.ts';
import type { Config } from '../kit/config/index.ts';
import { DEFAULT_PROJECT } from '../kit/contract.ts';
import { newId } from '../kit/ids.ts';
import type { SyncReport } from '../world/mirror/index.ts';
import { type ContentFolder, openFolder } from './content-folder.ts';
import {
  type CliContext,
  CommandError,
  EXIT,
  type ExitCode,
  writeJson,
  writeLine,
  yieldToSignals,
} from './context.ts';
import { withDataLock } from './data-lock.ts';
import { withCore } from './one-off-core.ts';
import { type FolderImportPlan, type PlannedFolder, planFolderImport } from './plan-folder-import.ts';
import { isClean, printSync, runSync } from './run-sync.ts';
import { count, createProgress } from './terminal.ts';

interface ImportOptions {
  dryRun?: boolean;
  json?: boolean;
}

/** True if a folder holds templates, and so entities in our own format. */
export const isContentFolder = (root: string): Promise<boolean> =>
  stat(join(root, '_Templates')).then(
    (found) => found.isDirectory(),
    () => false,
  );

export async function importFolder(
  context: CliContext,
  config: Config,
  { root, target }: { root: string; target: ContentFolder },
  options: ImportOptions,
): Promise<ExitCode> {
  const { projectId } = target;
  const source = await openFolder({ ...config, contentDir: root }, DEFAULT_PROJECT);
  const work = async () => {
    const plan = await planFolderImport(context, source, target);
    requireRoom(config, plan);
    if (options.dryRun) return { plan, sync: null };
    await copyEntities(context, source, target, plan.imports);
    return { plan, sync: await withCore(context, config, projectId, (open) => runSync(context, open)) };
  };
  const { plan, sync } = options.dryRun ? await work() : await withDataLock(config, work);
  if (options.json) writeJson(context, { imported: plan.imports, refused: plan.refused, sync });
  else print(context, plan, sync);
  return plan.refused.length === 0 && (sync === null || isClean(sync)) ? EXIT.ok : EXIT.findings;
}

function requireRoom({ localPlan }: Config, { imports, present }: FolderImportPlan): void {
  const limit = PLANS[localPlan].entities_limit;
  if (fitsLimit(limit, present, imports.length)) return;
  throw new CommandError(
    `nothing was imported: with ${imports.length} more there would be ${present + imports.length} entities, and the plan ${localPlan} allows ${limit}`,
  );
}

/** Each entity's folder appears in one step, so that an interrupted import leaves only complete entities. */
async function copyEntities(
  context: CliContext,
  source: ContentFolder,
  target: ContentFolder,
  imports: readonly PlannedFolder[],
): Promise<void> {
  const progress = createProgress(context);
  let copied = 0;
  for (const { from, to } of imports) {
    await yieldToSignals(context);
    const staging = `.canonry-${newId().replaceAll('-', '')}.tmp`;
    for (const { files } of source.scanner.scan({ under: from })) {
      for (const { path } of files)
        await target.files.write(`${staging}${path.slice(from.length)}`, await source.files.read(path));
    }
    await target.files.move(staging, to);
    copied += 1;
    progress.show(`${count(copied, 'entity', 'entities')} copied`);
  }
  progress.clear();
}

function print(context: CliContext, { imports, refused }: FolderImportPlan, sync: SyncReport | null): void {
  for (const { from, to } of imports)
    writeLine(context, `${sync ? 'imported' : 'would import'} ${from} as ${to}`);
  for (const { path, reason } of refused) writeLine(context, `refused ${path}: ${reason}`);
  const total = count(imports.length, 'entity', 'entities');
  writeLine(context, `${sync ? 'Imported' : 'Would import'} ${total}, ${refused.length} refused`);
  if (sync) printSync(context, sync);
}
