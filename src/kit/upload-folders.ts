import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'upload-';
/** No request runs this long: an older folder was left behind by a crash. */
const LEFT_BEHIND_MS = 24 * 3_600_000;

export interface UploadFolder {
  path: string;
  discard(): Promise<void>;
}

/** For the files of one request, below `parent`. */
export async function newUploadFolder(parent: string): Promise<UploadFolder> {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, PREFIX));
  return { path, discard: () => rm(path, { recursive: true, force: true }) };
}

export async function removeOldUploads(parent: string, now: number): Promise<void> {
  for (const name of await readdir(parent).catch(() => [])) {
    const path = join(parent, name);
    const found = name.startsWith(PREFIX) ? await stat(path).catch(() => null) : null;
    if (found && found.mtimeMs < now - LEFT_BEHIND_MS) await rm(path, { recursive: true, force: true });
  }
}
