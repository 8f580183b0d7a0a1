import { open } from 'node:fs/promises';

/** Has the entries of a folder on disk: a new name in it, or one that was replaced, outlasts a power cut from then on. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
