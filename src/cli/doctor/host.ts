import { chmod, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../kit/config/index.ts';
import { type DoctorFinding, FIX, finding } from '../../world/doctor/index.ts';
import type { CliContext } from '../context.ts';
import { leftoversOf, type Survey, surveyFolder } from './survey.ts';

/** Checks this machine's surroundings of a content folder and the data folder. */
export async function examineHost(
  context: CliContext,
  config: Config,
  root: string,
): Promise<DoctorFinding[]> {
  const survey = await surveyFolder(context, root);
  return [
    ...(await checkSecrets(config.dataDir)),
    ...[...survey.temporary, ...(await leftoversOf(config.dataDir))].map(leftOver),
    ...(await checkSpace(config.dataDir)),
    ...(await checkSpace(root)),
    ...(await checkWatchLimit(survey)),
  ];
}

/** Repairs findings about the host; those about the project are left alone. */
export async function repairHost(findings: readonly DoctorFinding[]): Promise<void> {
  for (const { repair, path } of findings) {
    if (repair?.kind === 'protect') await chmod(repair.file, 0o600);
    if (repair?.kind === 'temporary_files' && path !== null) await rm(path, { recursive: true, force: true });
  }
}

const FOR_OTHERS = 0o077;

async function checkSecrets(dataDir: string): Promise<DoctorFinding[]> {
  const folder = join(dataDir, 'secrets');
  const findings: DoctorFinding[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const file = join(folder, name);
    const mode = (await stat(file)).mode & 0o777;
    if ((mode & FOR_OTHERS) === 0) continue;
    const message = `others may read this secret: its mode is ${mode.toString(8)} and should be 600`;
    findings.push(finding('secrets', message, FIX, { path: file, repair: { kind: 'protect', file } }));
  }
  return findings;
}

const leftOver = (path: string): DoctorFinding =>
  finding('temporary_files', 'an unfinished file that a crash left behind', FIX, {
    path,
    severity: 'warning',
    repair: { kind: 'temporary_files' },
  });

const LITTLE_SPACE = 500_000_000;

async function checkSpace(folder: string): Promise<DoctorFinding[]> {
  const space = await statfs(folder).catch(() => undefined);
  const free = space === undefined ? LITTLE_SPACE : space.bavail * space.bsize;
  if (free >= LITTLE_SPACE) return [];
  const message = `${Math.round(free / 1_000_000)} MB are free on its disk`;
  return [
    finding('disk_space', message, 'make room before saves fail', { path: folder, severity: 'warning' }),
  ];
}

const WATCH_LIMIT = '/proc/sys/fs/inotify/max_user_watches';
const SAFE_SHARE = 0.8;

async function checkWatchLimit({ folders }: Survey): Promise<DoctorFinding[]> {
  const limit = Number(await readFile(WATCH_LIMIT, 'utf8').catch(() => ''));
  if (!limit || folders <= limit * SAFE_SHARE) return [];
  const message = `${folders} folders are to be watched, and the system allows this user ${limit} in all`;
  const advice = `sysctl fs.inotify.max_user_watches=${folders * 4}; until then the regular sweep finds changes later`;
  return [finding('watch_limit', message, advice, { path: WATCH_LIMIT, severity: 'warning' })];
}
