import { resolve } from 'node:path';
import { type Config, loadConfig } from '../kit/config/index.ts';
import { DEFAULT_PROJECT, isProjectId } from '../kit/contract.ts';
import { type CliContext, CommandError } from './context.ts';

/** The settings as commands see them: the defaults of `npm start`, nothing is made. */
export const settings = (context: CliContext): Config => loadConfig({ env: context.env, mode: 'cli' }).config;

/** The same for commands about the accounts service: its database is the one that they open. */
export function accountsSettings(context: CliContext): Config {
  const { config } = loadConfig({ env: context.env, mode: 'cli', surface: 'accounts' });
  const { accountsDatabaseUrl, accountsUrl, deployment } = config;
  if (deployment === 'cloud' && accountsUrl !== null && accountsDatabaseUrl === null)
    throw new CommandError(
      'These are the settings of a service that asks accounts by ACCOUNTS_URL: run the command where accounts runs, or name its database by ACCOUNTS_DATABASE_URL',
    );
  return { ...config, databaseUrl: accountsDatabaseUrl ?? config.databaseUrl };
}

/** The project that `--project` names. */
export function projectIdOf(options: { project?: string | undefined }): string {
  const { project = DEFAULT_PROJECT } = options;
  if (isProjectId(project)) return project;
  throw new CommandError(
    '--project takes up to 64 lower-case letters, digits, dashes and underscores, such as my-world',
  );
}

/** A path that the user typed. */
export const typedPath = (context: CliContext, path: string): string => resolve(context.cwd, path);
