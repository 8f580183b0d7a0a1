import { mkdir } from 'node:fs/promises';
import type { Config } from '../kit/config/index.ts';
import { acquirePidFile, PidFileError } from '../kit/pid-file.ts';
import { pidFile } from '../surfaces/folders.ts';
import { CommandError } from './context.ts';

/** Runs `work` as the only process on the data folder, created if missing. `advice` is an alternative while another holds the lock. */
export async function withDataLock<Result>(
  config: Pick<Config, 'dataDir'>,
  work: () => Promise<Result>,
  advice = '',
): Promise<Result> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  const lock = await acquirePidFile(pidFile(config.dataDir)).catch((error: unknown) => {
    if (!(error instanceof PidFileError)) throw error;
    throw new CommandError(advice === '' ? error.message : `${error.message}. ${advice}`, { cause: error });
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}
