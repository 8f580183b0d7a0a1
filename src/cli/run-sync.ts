import type { SyncReport } from '../world/mirror/index.ts';
import { type CliContext, CommandError, writeLine } from './context.ts';
import type { OpenProject } from './one-off-core.ts';
import { count, createProgress, styled } from './terminal.ts';

const LOOK_EVERY_MS = 100;

export interface SyncOptions {
  type?: string;
  force?: boolean;
}

/** Syncs a newly opened project and shows its progress. Throws if the sync failed. */
export async function runSync(
  context: CliContext,
  { core, project }: OpenProject,
  { type, force = false }: SyncOptions = {},
): Promise<SyncReport> {
  const { mirror } = core;
  const progress = createProgress(context);
  const timer = setInterval(() => {
    const now = mirror.status(project).progress;
    if (now) progress.show(`${now.phase} ${now.done}${now.total === null ? '' : ` of ${now.total}`}`);
  }, LOOK_EVERY_MS);
  try {
    const scope = type === undefined ? ({ kind: 'full' } as const) : ({ kind: 'type', type } as const);
    const report = await mirror.sync(project, scope, { force });
    if (report.error) throw new CommandError(`the sync failed: ${report.error.message}`);
    return report;
  } finally {
    clearInterval(timer);
    progress.clear();
  }
}

export const isClean = (report: SyncReport): boolean =>
  report.status === 'completed' && report.invalid_total === 0;

export function printSync(context: CliContext, report: SyncReport): void {
  for (const { path, line, column, reason } of report.invalid)
    writeLine(context, `${styled(context, 'bold', `${path}:${line}:${column}:`)} ${reason}`);
  const unlisted = report.invalid_total - report.invalid.length;
  if (unlisted > 0)
    writeLine(context, `… and ${count(unlisted, 'invalid file')} more: canonry validate lists all`);
  for (const { path, reason } of report.skipped)
    writeLine(context, styled(context, 'dim', `skipped ${path}: ${reason}`));
  if (report.unknown_folders.length > 0) {
    const folders = report.unknown_folders.join(', ');
    writeLine(context, styled(context, 'dim', `no template's folder: ${folders}`));
  }
  if (report.confirmation) {
    const { reason, examples } = report.confirmation;
    writeLine(context, styled(context, 'yellow', `Nothing was deleted: ${reason}`));
    for (const example of examples) writeLine(context, `  ${example}`);
    writeLine(context, 'If that is meant: canonry sync --force');
  }
  if (report.over_plan > 0)
    writeLine(context, styled(context, 'yellow', `${report.over_plan} entities more than the plan allows`));
  const parts = [
    `${report.created} created`,
    `${report.updated} updated`,
    `${report.unchanged} unchanged`,
    `${report.deleted} deleted`,
    ...(report.adopted > 0 ? [`${report.adopted} found in the recycle bin`] : []),
    `${report.invalid_total} invalid`,
  ];
  writeLine(context, `Synced in ${(report.duration_ms / 1000).toFixed(1)} s: ${parts.join(', ')}`);
}
