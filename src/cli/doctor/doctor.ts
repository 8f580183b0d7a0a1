import { systemClock } from '../../kit/clock.ts';
import type { Config } from '../../kit/config/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { type DoctorFinding, repairProject } from '../../world/doctor/index.ts';
import { openContentFolder } from '../content-folder.ts';
import { type CliContext, EXIT, type ExitCode, writeError, writeJson, writeLine } from '../context.ts';
import { withDataLock } from '../data-lock.ts';
import { withCore } from '../one-off-core.ts';
import { projectIdOf, requireSelfHosted, settings } from '../project.ts';
import { count, styled } from '../terminal.ts';
import { repairHost } from './host.ts';
import { look } from './look.ts';

const OF_CLOUD =
  'DEPLOYMENT=cloud: looked at the database, the ledger of credits and the folders. Projects belong to tenants: none is expected on this machine';
const ADVICE = 'Without --fix, doctor looks beside a running service';

/** Examines everything, repairs what it can with `--fix`, and reports the remaining findings. */
export async function doctor(
  context: CliContext,
  options: { fix?: boolean; project?: string; json?: boolean },
): Promise<ExitCode> {
  const config = settings(context);
  const isCloud = config.deployment === 'cloud';
  if (options.project !== undefined) requireSelfHosted(config, '--project');
  const projectId = projectIdOf(options);
  const { findings, fixed } = options.fix
    ? await withDataLock(config, () => fix(context, config, projectId), ADVICE)
    : { findings: await look(context, config, projectId), fixed: [] };
  if (options.json) writeJson(context, { findings: findings.map(shown), fixed: fixed.map(shown) });
  else {
    if (isCloud) writeLine(context, OF_CLOUD);
    print(context, findings, fixed);
  }
  return findings.length === 0 ? EXIT.ok : EXIT.findings;
}

async function fix(
  context: CliContext,
  config: Config,
  projectId: string,
): Promise<{ findings: DoctorFinding[]; fixed: DoctorFinding[] }> {
  const before = await look(context, config, projectId);
  await repairHost(before);
  if (config.deployment !== 'cloud' && before.some(({ repair }) => repair !== null)) {
    const { scanner, set } = await openContentFolder(config, projectId);
    await withCore(context, config, projectId, async ({ core, project }) => {
      const tools = {
        project,
        scanner,
        set,
        clock: systemClock,
        renames: core.renames,
        sync: () => core.mirror.sync(project, { kind: 'full' }),
        reloadTemplates: () => core.templates.reload(project),
        onFailure: (path: string, error: unknown) => writeError(context, `${path}: ${messageOf(error)}`),
      };
      await repairProject(tools, before);
    });
  }
  const findings = await look(context, config, projectId);
  const left = new Set(findings.map(keyOf));
  return { findings, fixed: before.filter((finding) => !left.has(keyOf(finding))) };
}

const keyOf = ({ check, path, message }: DoctorFinding): string => JSON.stringify([check, path, message]);

const shown = ({ repair, ...rest }: DoctorFinding) => ({ ...rest, fixable: repair !== null });

function print(
  context: CliContext,
  findings: readonly DoctorFinding[],
  fixed: readonly DoctorFinding[],
): void {
  for (const finding of fixed)
    writeLine(context, `${styled(context, 'green', 'fixed')}    ${lineOf(finding)}`);
  for (const finding of findings) {
    const ink = finding.severity === 'error' ? 'red' : 'yellow';
    writeLine(context, `${styled(context, ink, finding.severity.padEnd(8))} ${lineOf(finding)}`);
    writeLine(context, styled(context, 'dim', `         ${finding.advice}`));
  }
  const mended = fixed.length > 0 ? `${count(fixed.length, 'finding')} fixed, ` : '';
  writeLine(
    context,
    `${mended}${findings.length === 0 ? 'all is well' : `${count(findings.length, 'finding')} left`}`,
  );
}

function lineOf({ path, line, column, message }: DoctorFinding): string {
  if (path === null) return message;
  const place = line === null ? path : `${path}:${line}:${column ?? 1}`;
  return `${place}: ${message}`;
}
