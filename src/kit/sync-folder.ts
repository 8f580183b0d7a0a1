import { open } from 'node:fs/promises';

/** After it, a created or replaced name in the folder survives a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
