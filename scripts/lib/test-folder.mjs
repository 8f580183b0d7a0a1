import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = join(MEMORY, 'canonry-tests-');
/** No run lasts this long: an older folder was left behind by a killed run. */
const LEFT_BEHIND_MS = 3_600_000;
/** Bytes that a full run writes, with room to spare. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Moves the temporary files of the tests, including those of private servers, into memory if there is enough:
 * no test cuts the power, so none needs to wait for a disk. A folder named by `TMPDIR` stays in use.
 * @returns {() => void} removes the rest
 */
export function useMemory() {
  if (process.env.TMPDIR !== undefined || freeBytes(MEMORY) < ENOUGH_BYTES) return () => {};
  for (const old of globSync(`${PREFIX}*`)) if (isLeftBehind(old)) remove(old);
  const folder = mkdtempSync(PREFIX);
  // Run as root, a private server uses another account, which must be able to reach its folder.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => remove(folder);
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true });

const isLeftBehind = (folder) => Date.now() - statSync(folder).mtimeMs > LEFT_BEHIND_MS;

function freeBytes(path) {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
