import { open } from 'node:fs/promises';

/** Syncs a folder's entries to disk: a created or replaced name in it survives a power cut from then on. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
