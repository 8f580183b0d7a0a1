import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../world.ts';

const OLD = join(BENCH_FOLDER, 'old');
const KEPT_MS = 3_600_000;

/**
 * An empty folder. What lay there is set aside and not deleted: ext4 without a journal passes over the places of files
 * that were deleted within the last minutes one by one, so that making a file after a large deletion takes five times as long.
 */
export function freshFolder(name: string): string {
  const folder = join(BENCH_FOLDER, name);
  if (existsSync(folder)) {
    mkdirSync(OLD, { recursive: true });
    renameSync(folder, join(OLD, `${Date.now()}-${name}`));
  }
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Deletes what earlier runs set aside; to be called when all is measured. */
export function deleteOldFolders(): void {
  for (const name of existsSync(OLD) ? readdirSync(OLD) : []) {
    const folder = join(OLD, name);
    if (Date.now() - statSync(folder).ctimeMs > KEPT_MS) rmSync(folder, { recursive: true });
  }
}
