import { type FileStore, FilesError, type FilesErrorCode } from '../../platform/files/files.ts';
import { isMap } from '../../text/json.ts';
import { PROJECT_FILE } from './project-files.ts';
import { LONGEST_NAME } from './projects.contract.ts';

const LARGEST = 10_000;
/** Errors of the folder or its disk, rather than of this file. */
const AWAY: readonly FilesErrorCode[] = ['root_missing', 'io'];

/** Null without one, and for a file that nobody can read. Throws where the whole folder is away. */
export async function readProjectName(files: FileStore): Promise<string | null> {
  const bytes = await files.read(PROJECT_FILE, LARGEST).catch((error: unknown) => {
    if (!(error instanceof FilesError) || AWAY.includes(error.code)) throw error;
  });
  return bytes === undefined ? null : nameIn(Buffer.from(bytes).toString('utf8'));
}

function nameIn(text: string): string | null {
  try {
    const project: unknown = JSON.parse(text);
    const name = isMap(project) && typeof project.name === 'string' ? project.name.trim() : '';
    return name === '' ? null : name.slice(0, LONGEST_NAME);
  } catch {
    return null;
  }
}

export const writeProjectName = (files: FileStore, name: string): Promise<unknown> =>
  files.write(PROJECT_FILE, `${JSON.stringify({ name })}\n`);
