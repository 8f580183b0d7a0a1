import { join } from 'node:path';

/** Where the logs lie below the data folder. */
export const logFolder = (dataDir: string): string => join(dataDir, 'logs');

/** The lock of a data folder, and where a supervisor finds the process. */
export const pidFile = (dataDir: string): string => join(dataDir, 'canonry.pid');
