import { chmodSync, globSync, mkdtempSync, rmSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PREFIX = join(MEMORY, 'canonry-tests-');
/** No run lasts as long: what is older was left behind by one that was killed. */
const LEFT_BEHIND_MS = 3_600_000;
/** What a run of everything writes, and room to spare. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Puts the temporary files of the tests, those of private servers included, into memory where there is enough: no test
 * cuts the power, so none needs to wait for a disk. A folder that `TMPDIR` names stays as it is.
 * @returns {() => void} removes what is left
 */
export function useMemory() {
  if (process.env.TMPDIR !== undefined || freeBytes(MEMORY) < ENOUGH_BYTES) return () => {};
  for (const old of globSync(`${PREFIX}*`)) if (isLeftBehind(old)) remove(old);
  const folder = mkdtempSync(PREFIX);
  // As root a private server runs as somebody else, who has to get to its folder.
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
