import { constants, promises as fs } from 'node:fs';
import { FilesError } from '../files.ts';
import { filesError } from './local-errors.ts';
import type { LocalRoot } from './local-root.ts';

export async function probeFolder(root: LocalRoot): Promise<void> {
  const absolute = root.folder('');
  if (!(await fs.stat(absolute)).isDirectory()) {
    throw new FilesError('not_a_folder', '', 'the content folder is a file; name a folder instead');
  }
  try {
    await fs.access(absolute, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw filesError(error, 'read and write', 'the content folder');
  }
}
