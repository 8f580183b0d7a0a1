import { LOCAL_TENANT } from '../../access/local-tenant.ts';
import type { Config } from '../../kit/config/index.ts';
import { type Database, DatabaseError } from '../../platform/database/database.ts';
import { coreMigrations } from '../../surfaces/core-modules.ts';
import { type DoctorFinding, examineProject, finding } from '../../world/doctor/index.ts';
import { createOwnWrites } from '../../world/records/index.ts';
import { type ContentFolder, openContentFolder } from '../content-folder.ts';
import { type CliContext, yieldToSignals } from '../context.ts';
import { databaseExists, describeDatabase, lookIntoDatabase } from '../database.ts';
import { count, createProgress } from '../terminal.ts';
import { examineHost } from './host.ts';
import { examineLedger } from './ledger.ts';

/** Examines everything and changes nothing; it does not disturb a running service. */
export async function look(context: CliContext, config: Config, projectId: string): Promise<DoctorFinding[]> {
  if (config.deployment === 'cloud') return lookAtCloud(context, config);
  const folder = await openContentFolder(config, projectId);
  const host = await examineHost(context, config, folder.root);
  if (!databaseExists(config)) {
    const message = `there is no database at ${describeDatabase(config)} yet`;
    const repair = { kind: 'migrate' } as const;
    return [...host, finding('database', message, 'run canonry sync, or start the service', { repair })];
  }
  return [
    ...(await examineRows(context, config, folder)),
    ...(await examineLedger(context, config)),
    ...host,
  ];
}

/** Looks at everything that the tenants of a cloud share. Their content is compared with the database by the cores; this machine has no project of its own. */
async function lookAtCloud(context: CliContext, config: Config): Promise<DoctorFinding[]> {
  const found = await lookIntoDatabase(config, examineDatabase);
  return [
    // A core of this machine's own would make the repairs.
    ...found.map((each) => ({ ...each, repair: null })),
    ...(await examineLedger(context, config)),
    ...(await examineHost(context, config, config.contentDir)),
  ];
}

async function examineRows(
  context: CliContext,
  config: Config,
  folder: ContentFolder,
): Promise<DoctorFinding[]> {
  const { files, scanner, set, projectId, largestText } = folder;
  const progress = createProgress(context);
  try {
    return await lookIntoDatabase(config, async (database) => {
      const whole = await examineDatabase(database);
      if (whole.length > 0) return whole;
      const rows = database.tenant(LOCAL_TENANT);
      const ownWrites = createOwnWrites(files);
      const project = {
        tenantId: LOCAL_TENANT,
        projectId,
        files,
        ownWrites,
        largestText,
        database: rows,
        // Nothing changes, so there are no events to publish.
        bus: { publish: () => {} },
      };
      return examineProject({ project, scanner, set }, async (compared) => {
        await yieldToSignals(context);
        progress.show(`${count(compared, 'file')} compared`);
      });
    });
  } catch (error) {
    const isBroken =
      error instanceof DatabaseError || (error instanceof Error && error.name === 'SqliteError');
    if (config.databaseUrl.kind !== 'sqlite' || !isBroken) throw error;
    return [brokenDatabase(error.message)];
  } finally {
    progress.clear();
  }
}

const brokenDatabase = (message: string): DoctorFinding =>
  finding(
    'database',
    message,
    'stop the service, keep a copy of the file, then move it away and run canonry sync: content comes back from the folder, accounts only from a backup',
  );

async function examineDatabase(database: Database): Promise<DoctorFinding[]> {
  const broken = await database.integrity();
  if (broken.length > 0) return broken.map(brokenDatabase);
  const pending = await database.pending(coreMigrations);
  return pending.map((name) =>
    finding('migrations', `the change ${name} of the tables was not made yet`, 'run canonry migrate', {
      repair: { kind: 'migrate' },
    }),
  );
}
