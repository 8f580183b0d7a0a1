import { resolve } from 'node:path';
import { type Config, loadConfig } from '../kit/config/index.ts';
import { DEFAULT_PROJECT } from '../kit/contract.ts';
import { type CliContext, CommandError } from './context.ts';

const PROJECT_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

/** The settings as commands see them: the defaults of `npm start`, nothing is made. */
export const settings = (context: CliContext): Config => loadConfig({ env: context.env, mode: 'cli' }).config;

/** The project that `--project` names. */
export function projectIdOf(options: { project?: string | undefined }): string {
  const { project = DEFAULT_PROJECT } = options;
  if (PROJECT_ID.test(project)) return project;
  throw new CommandError(`--project must match ${PROJECT_ID.source}, such as my-world`);
}

/** A path that the user typed. */
export const typedPath = (context: CliContext, path: string): string => resolve(context.cwd, path);
