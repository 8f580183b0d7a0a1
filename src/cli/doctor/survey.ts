import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isHiddenName, isTemporaryName } from '../../platform/files/paths.ts';
import { type CliContext, yieldToSignals } from '../context.ts';

export interface Survey {
  folders: number;
  /** Absolute paths of files that an unfinished write left behind. */
  temporary: string[];
}

/** A younger file may belong to a write that is still running. */
const ABANDONED_AFTER_MS = 3_600_000;

/** Counts the folders of a content folder and finds unfinished files that are old enough to be leftovers. */
export async function surveyFolder(context: CliContext, root: string): Promise<Survey> {
  const survey: Survey = { folders: 0, temporary: [] };
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    await yieldToSignals(context);
    survey.folders += 1;
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (isTemporaryName(entry.name)) {
        if (await isAbandoned(path)) survey.temporary.push(path);
      } else if (entry.isDirectory() && !isHiddenName(entry.name)) open.push(path);
    }
  }
  return survey;
}

/** Unfinished files of the data folder itself and of its secrets. */
export async function leftoversOf(dataDir: string): Promise<string[]> {
  const found: string[] = [];
  for (const folder of [dataDir, join(dataDir, 'secrets')]) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name);
      if (name.endsWith('.tmp') && (await isAbandoned(path))) found.push(path);
    }
  }
  return found;
}

const isAbandoned = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS,
    () => false,
  );
