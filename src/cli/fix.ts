import type { FixReport } from '../world/validation/index.ts';
import { type CliContext, CommandError, EXIT, type ExitCode, writeJson, writeLine } from './context.ts';
import { withDataLock } from './data-lock.ts';
import { withCore } from './one-off-core.ts';
import { projectIdOf, settings } from './project.ts';
import { runSync } from './run-sync.ts';
import { count, styled } from './terminal.ts';

const ADVICE = 'A running service does the same by POST /api/validation/fix';

export interface FixOptions {
  dryRun?: boolean;
  removeDangling?: boolean;
  project?: string;
  json?: boolean;
}

/** Applies the certain fixes to the files of all entities, or of one type, as one operation, and prints the result. */
export async function fix(
  context: CliContext,
  what: readonly string[],
  options: FixOptions,
): Promise<ExitCode> {
  const [entityType = null, ...others] = what;
  if (others.length > 0) throw new CommandError('--fix takes one entity type, or none for all');
  const config = settings(context);
  const { dryRun = false, removeDangling = false } = options;
  const input = { entityType, entityId: null, kinds: null, removeDangling };
  const work = () =>
    withCore(context, config, projectIdOf(options), async (open) => {
      // Manual edits since the last sync must count.
      await runSync(context, open);
      const { fixes } = open.core;
      return dryRun
        ? fixes.plan(open.project, input)
        : fixes.fix(open.project, input, { actor: 'cli', plan: config.localPlan });
    });
  const report = await withDataLock(config, work, ADVICE);
  if (options.json) writeJson(context, { dry_run: dryRun, ...report });
  else print(context, report, dryRun);
  return report.unfixable_total + report.skipped_total === 0 ? EXIT.ok : EXIT.findings;
}

function print(context: CliContext, report: FixReport, dryRun: boolean): void {
  const place = (file: string, line: number | null) =>
    styled(context, 'bold', line === null ? `${file}:` : `${file}:${line}:`);
  for (const { file, line, field, before, after, reason } of report.fixed) {
    const change = `${JSON.stringify(before)} → ${JSON.stringify(after)}`;
    writeLine(context, `${place(file, line)} ${field}: ${change} ${styled(context, 'dim', reason)}`);
  }
  for (const { file, line, field, reason } of report.unfixable) {
    const left = styled(context, 'yellow', 'left:');
    writeLine(context, `${place(file, line)} ${left} ${field === null ? '' : `${field}: `}${reason}`);
  }
  for (const { path, entity_type, entity_id, reason } of report.skipped) {
    const left = styled(context, 'yellow', 'not written');
    writeLine(context, `${left} ${path ?? `${entity_type} ${entity_id}`}: ${reason}`);
  }
  const unlisted =
    report.fixed_total - report.fixed.length + report.unfixable_total - report.unfixable.length;
  if (unlisted > 0) writeLine(context, `… and ${unlisted} more`);
  const done = `${dryRun ? 'Would fix' : 'Fixed'} ${count(report.fixed_total, 'value')}`;
  const where = count(report.entities_changed, 'entity', 'entities');
  writeLine(context, `${done} in ${where}, ${report.unfixable_total} left for people`);
  if (report.operation_id !== null) {
    writeLine(context, `One step back undoes it: POST /api/operations/${report.operation_id}/undo`);
  }
}
