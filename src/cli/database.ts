import { existsSync } from 'node:fs';
import type { Config } from '../kit/config/index.ts';
import type { Database } from '../platform/database/database.ts';
import type { Migration } from '../platform/database/migration.ts';
import { CommandError } from './context.ts';
import { withDataLock } from './data-lock.ts';

type Work<Result> = (database: Database) => Promise<Result>;

export const describeDatabase = ({ databaseUrl }: Config): string =>
  databaseUrl.kind === 'sqlite' ? databaseUrl.path : 'PostgreSQL';

/** True if there may be a database to read. Opening a missing SQLite file would create it. */
export const databaseExists = ({ databaseUrl }: Config): boolean =>
  databaseUrl.kind === 'postgres' || existsSync(databaseUrl.path);

async function withOpen<Result>(config: Config, work: Work<Result>): Promise<Result> {
  const { openDatabase } = await import('../surfaces/platform.ts');
  const database = await openDatabase(config);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Opens the database as it is, also beside a running service. */
export async function lookIntoDatabase<Result>(config: Config, work: Work<Result>): Promise<Result> {
  if (!databaseExists(config))
    throw new CommandError(
      `There is no database at ${describeDatabase(config)} yet: start the service once, or run canonry migrate`,
    );
  return withOpen(config, work);
}

export type Schema = 'core' | 'accounts';

async function migrationsOf(schema: Schema): Promise<readonly Migration[]> {
  if (schema === 'core') return (await import('../surfaces/core-modules.ts')).coreMigrations;
  return (await import('../surfaces/accounts-modules.ts')).accountsMigrations;
}

/** Like `lookIntoDatabase`, for queries that need the current tables. */
export const readDatabase = <Result>(
  config: Config,
  work: Work<Result>,
  schema: Schema = 'core',
): Promise<Result> =>
  lookIntoDatabase(config, async (database) => {
    const pending = await database.pending(await migrationsOf(schema));
    if (pending.length === 0) return work(database);
    throw new CommandError(
      `The database comes from an earlier version of Canonry (${pending.join(', ')} to do): run canonry migrate`,
    );
  });

/** Opens the database to change it. SQLite allows one process; `advice` tells the user an alternative while the service runs. */
export function changeDatabase<Result>(config: Config, work: Work<Result>, advice?: string): Promise<Result> {
  const open = () => withOpen(config, work);
  return config.databaseUrl.kind === 'sqlite' ? withDataLock(config, open, advice) : open();
}

/** Like `changeDatabase`, with all tables migrated first. */
export const changeMigratedDatabase = <Result>(
  config: Config,
  work: Work<Result>,
  schema: Schema = 'core',
): Promise<Result> =>
  changeDatabase(config, async (database) => {
    await database.migrate(await migrationsOf(schema));
    return work(database);
  });
