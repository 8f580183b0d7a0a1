import { resolve } from 'node:path';
import { type Config, loadConfig } from '../kit/config/index.ts';
import { DEFAULT_PROJECT, isProjectId } from '../kit/contract.ts';
import { type CliContext, CommandError } from './context.ts';

/** The settings for commands: the defaults of `npm start`, but nothing is created. */
export const settings = (context: CliContext): Config => loadConfig({ env: context.env, mode: 'cli' }).config;

/** The settings for commands about the accounts service, whose database they open. */
export function accountsSettings(context: CliContext): Config {
  const config = accountsSettingsHere(context);
  if (config) return config;
  throw new CommandError(
    'These are the settings of a service that asks accounts by ACCOUNTS_URL: run the command where accounts runs, or name its database by ACCOUNTS_DATABASE_URL',
  );
}

/** Null where the accounts service keeps its database elsewhere. */
export function accountsSettingsHere(context: CliContext): Config | null {
  const { config } = loadConfig({ env: context.env, mode: 'cli', surface: 'accounts' });
  const { accountsDatabaseUrl, accountsUrl, deployment } = config;
  if (deployment === 'cloud' && accountsUrl !== null && accountsDatabaseUrl === null) return null;
  return { ...config, databaseUrl: accountsDatabaseUrl ?? config.databaseUrl };
}

/** Refuses what has no meaning where tenants keep the content. `what` begins the message. */
export function requireSelfHosted({ deployment }: Pick<Config, 'deployment'>, what: string): void {
  if (deployment === 'cloud')
    throw new CommandError(`${what} is for self-hosted content: DEPLOYMENT=cloud keeps many tenants`);
}

export function projectIdOf(options: { project?: string | undefined }): string {
  const { project = DEFAULT_PROJECT } = options;
  if (isProjectId(project)) return project;
  throw new CommandError(
    '--project takes up to 64 lower-case letters, digits, dashes and underscores, such as my-world',
  );
}

export const typedPath = (context: CliContext, path: string): string => resolve(context.cwd, path);
