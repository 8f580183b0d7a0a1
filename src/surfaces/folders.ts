import { join } from 'node:path';
import { DEFAULT_PROJECT } from '../kit/contract.ts';

/** Where the logs lie below the data folder. */
export const logFolder = (dataDir: string): string => join(dataDir, 'logs');

/** The lock of a data folder, and where a supervisor finds the process. */
export const pidFile = (dataDir: string): string => join(dataDir, 'canonry.pid');

/** The content folder of a project: the default project's is the one that is set, others lie in the data folder. */
export const projectFolder = (folders: { dataDir: string; contentDir: string }, projectId: string): string =>
  projectId === DEFAULT_PROJECT ? folders.contentDir : join(folders.dataDir, 'projects', projectId);
