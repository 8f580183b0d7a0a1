import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../world.ts';

const OLD = join(BENCH_FOLDER, 'old');
const KEPT_MS = 3_600_000;

/**
 * Returns an empty folder. Earlier content is set aside and not deleted: ext4 without a journal skips the inodes of
 * recently deleted files one by one, so that creating a file after a large deletion takes five times as long.
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

/** Deletes the folders set aside by earlier runs; call it after all measurements. */
export function deleteOldFolders(): void {
  for (const name of existsSync(OLD) ? readdirSync(OLD) : []) {
    const folder = join(OLD, name);
    if (Date.now() - statSync(folder).ctimeMs > KEPT_MS) rmSync(folder, { recursive: true });
  }
}
